package dev.patchbay.server;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A question of a server, and the calls of one client that it may be about. One of them carries it
 * to the client; the server knows the answer by its own id, whichever call carried it.
 */
final class Asking {
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final Flights flights;
    private final List<Flight> calls;
    private final String method;
    private final Json params;
    private final Set<Flight> tried = new HashSet<>();
    private final Thread thread = Thread.currentThread();
    private boolean done;

    Asking(Flights flights, List<Flight> calls, String method, Json params) {
        this.flights = flights;
        this.calls = calls;
        this.method = method;
        this.params = params;
    }

    /** Asks the client and waits, as long as one of the calls goes on. */
    Json ask() throws InterruptedException {
        calls.forEach(call -> call.pause(this));
        try {
            Json answer = null;
            while (answer == null) {
                answer = askFor(carrier().orElseThrow(this::over));
            }
            return answer;
        } finally {
            synchronized (this) {
                done = true;
            }
            calls.forEach(call -> call.resume(this));
        }
    }

    private @Nullable Json askFor(Flight call) throws InterruptedException {
        tried.add(call);
        call.asks(NUMBERS.incrementAndGet());
        flights.changed();
        try {
            return call.caller().ask(method, params);
        } finally {
            flights.goOn(call);
        }
    }

    /**
     * The call to ask for: one whose client can be asked this, and of these rather one that does
     * not wait for an answer already, the oldest first, as servers mostly ask in the order in which
     * they were called. Of those that wait, the one that asked last: it may ask for more at once.
     */
    private Optional<Flight> carrier() {
        return calls.stream()
                .filter(call -> !call.isOver() && !tried.contains(call))
                .min(
                        Comparator.comparing((Flight call) -> !call.caller().takes(method, params))
                                .thenComparing(Flight::isAsking)
                                .thenComparingLong(
                                        call -> call.isAsking() ? -call.lastAsked() : call.id()));
    }

    /** One of the calls ended. With the last of them the question has no point. */
    synchronized void left() {
        if (!done && calls.stream().allMatch(Flight::isOver)) {
            thread.interrupt();
        }
    }

    private RpcException over() {
        return new RpcException(
                RpcError.INTERNAL_ERROR, "The call that " + method + " is for is over");
    }
}
