package dev.patchbay.front;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Method;

import org.jspecify.annotations.Nullable;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The calls of modern clients whose legacy servers wait for something from the client. The client
 * holds a state that leads back to its call: a random word, good for one use, for the same client
 * and the same request, for a time.
 */
final class ParkedCalls {
    static final int PARKED_MAX = 1_000;

    private static final Duration KEPT = Duration.ofMinutes(10);

    /** How often it is looked for calls whose clients did not come back, within their time. */
    private static final int LOOKS = 20;

    private static final String PREFIX = "patchbay-";
    private static final int STATE_BYTES = 24;

    /** A call, and since when its client is awaited. */
    private record Waiting(Parked call, long sinceNanos) {}

    private final ConcurrentMap<String, Waiting> byState = new ConcurrentHashMap<>();
    private final AtomicBoolean watched = new AtomicBoolean();
    private final long keptNanos;
    private final LongSupplier nanos;
    private volatile @Nullable SecureRandom random;

    ParkedCalls() {
        this(System::nanoTime);
    }

    /** Keeps calls by another clock. */
    ParkedCalls(LongSupplier nanos) {
        this(KEPT, nanos);
    }

    /** Keeps calls for another time than usual, by another clock. */
    ParkedCalls(Duration kept, LongSupplier nanos) {
        this.keptNanos = kept.toNanos();
        this.nanos = nanos;
    }

    /** Who asks for what; a call goes on only for the same. */
    record Origin(
            String principal, Method method, @Nullable Json target, @Nullable Json arguments) {
        static Origin of(Method method, Json params, Caller caller) {
            Json target = params.member(method == Method.RESOURCES_READ ? "uri" : "name");
            return new Origin(caller.principal(), method, target, params.member("arguments"));
        }
    }

    /** Keeps a call for a client that will come back; the state that it must bring. */
    String park(Parked call) {
        expire();
        if (byState.size() >= PARKED_MAX) {
            throw new RpcException(
                    RpcError.of(
                            RpcError.INTERNAL_ERROR,
                            "Too many calls wait for input",
                            "OVERLOADED"));
        }
        byte[] bytes = new byte[STATE_BYTES];
        random().nextBytes(bytes);
        String state = PREFIX + HexFormat.of().formatHex(bytes);
        byState.put(state, new Waiting(call, nanos.getAsLong()));
        watch();
        return state;
    }

    /** How many calls wait for their clients. */
    int size() {
        return byState.size();
    }

    /** Made when the first call is parked: making it costs a start several milliseconds. */
    private SecureRandom random() {
        SecureRandom known = random;
        if (known == null) {
            known = new SecureRandom();
            random = known;
        }
        return known;
    }

    /** The call that a request goes on with; null if it is a request of its own. */
    @Nullable Parked take(Json params, Origin origin) {
        String state = params.memberText("requestState");
        if (state == null || !state.startsWith(PREFIX)) {
            return null; // a modern server's own state passes through
        }
        Waiting found = byState.get(state);
        if (found == null
                || !found.call.origin().equals(origin)
                || isOld(found)
                || !byState.remove(state, found)) {
            throw new RpcException(
                    RpcError.INVALID_PARAMS, "Invalid params: requestState is unknown or used up");
        }
        return found.call;
    }

    /** Looks after the calls as long as there are any. */
    private void watch() {
        if (!watched.get() && watched.compareAndSet(false, true)) {
            Thread.ofVirtual().name("parked-calls").start(this::keepWatch);
        }
    }

    private void keepWatch() {
        while (!byState.isEmpty()) {
            LockSupport.parkNanos(this, keptNanos / LOOKS);
            expire();
        }
        watched.set(false);
        if (!byState.isEmpty()) { // parked between the look and the word that nobody watches
            watch();
        }
    }

    /** Ends the calls whose clients did not come back in time. */
    void expire() {
        byState.forEach(
                (state, waiting) -> {
                    if (isOld(waiting) && byState.remove(state, waiting)) {
                        waiting.call.expire();
                    }
                });
    }

    private boolean isOld(Waiting waiting) {
        return nanos.getAsLong() - waiting.sinceNanos > keptNanos;
    }
}
