package dev.patchbay.server;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;

/** The calls of one link that wait for their answers, each with the one who waits for it. */
final class Flights {
    private final ConcurrentMap<Long, Flight> flights = new ConcurrentHashMap<>();

    void begin(long id, Flight flight) {
        flights.put(id, flight);
        flight.id = id;
    }

    /** Ends a call; false if it has ended before. */
    boolean end(Flight flight) {
        flights.remove(flight.id, flight);
        return flight.end();
    }

    @Nullable Flight of(long id) {
        return flights.get(id);
    }

    /** The calls in flight that somebody listens to and that meet a condition. */
    List<Flight> heard(Predicate<CallOptions> condition) {
        return flights.values().stream()
                .filter(flight -> !flight.caller().equals(CallListener.SILENT))
                .filter(flight -> condition.test(flight.options))
                .toList();
    }

    /** One call, and the questions of the server to its client that are open. */
    static final class Flight {
        private final CallOptions options;
        private final Set<Thread> asking = ConcurrentHashMap.newKeySet();
        private volatile boolean over;
        private long id = -1;

        Flight(CallOptions options) {
            this.options = options;
        }

        CallListener caller() {
            return options.caller();
        }

        /** Asks the client, as long as its call goes on. */
        Json ask(String method, Json params) throws InterruptedException {
            Thread self = Thread.currentThread();
            asking.add(self);
            try {
                if (over) {
                    throw new RpcException(
                            RpcError.INTERNAL_ERROR, "The call that " + method + " is for is over");
                }
                return caller().ask(method, params);
            } finally {
                asking.remove(self);
            }
        }

        private synchronized boolean end() {
            boolean first = !over;
            over = true;
            asking.forEach(Thread::interrupt);
            return first;
        }
    }
}
