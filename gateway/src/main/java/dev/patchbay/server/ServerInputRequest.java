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
final class ServerInputRequest {
    private static final AtomicLong LAST_NUMBER = new AtomicLong();

    private final InFlightCalls inFlightCalls;
    private final List<InFlightCall> candidates;
    private final String method;
    private final Json params;
    private final Set<InFlightCall> triedCalls = new HashSet<>();
    private final Thread waitingThread = Thread.currentThread();
    private boolean completed;

    ServerInputRequest(
            InFlightCalls flights, List<InFlightCall> calls, String method, Json params) {
        this.inFlightCalls = flights;
        this.candidates = calls;
        this.method = method;
        this.params = params;
    }

    /** Asks the client and waits, as long as one of the calls goes on. */
    Json send() throws InterruptedException {
        candidates.forEach(call -> call.pauseTimeout(this));
        try {
            Json answer = null;
            while (answer == null) {
                answer = sendThrough(nextCarrier().orElseThrow(this::callEndedError));
            }
            return answer;
        } finally {
            synchronized (this) {
                completed = true;
            }
            candidates.forEach(call -> call.resumeTimeout(this));
        }
    }

    private @Nullable Json sendThrough(InFlightCall call) throws InterruptedException {
        triedCalls.add(call);
        call.beginInputRequest(LAST_NUMBER.incrementAndGet());
        inFlightCalls.wakeWaiters();
        try {
            return call.listener().requestInput(method, params);
        } finally {
            inFlightCalls.resumeAfterInput(call);
        }
    }

    /**
     * The call to ask for: one whose client can be asked this, and of these rather one that does
     * not wait for an answer already, the oldest first, as servers mostly ask in the order in which
     * they were called. Of those that wait, the one that asked last: it may ask for more at once.
     */
    private Optional<InFlightCall> nextCarrier() {
        return candidates.stream()
                .filter(call -> !call.hasEnded() && !triedCalls.contains(call))
                .min(
                        Comparator.comparing(
                                        (InFlightCall call) ->
                                                !call.listener()
                                                        .acceptsInputRequest(method, params))
                                .thenComparing(InFlightCall::isWaitingForClient)
                                .thenComparingLong(
                                        call ->
                                                call.isWaitingForClient()
                                                        ? -call.lastInputRequest()
                                                        : call.id()));
    }

    /** One of the calls ended. With the last of them the question has no point. */
    synchronized void onCallEnded() {
        if (!completed && candidates.stream().allMatch(InFlightCall::hasEnded)) {
            waitingThread.interrupt();
        }
    }

    private RpcException callEndedError() {
        return new RpcException(
                RpcError.INTERNAL_ERROR, "The call that " + method + " is for is over");
    }
}
