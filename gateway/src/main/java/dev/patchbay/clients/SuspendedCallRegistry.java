package dev.patchbay.clients;

import dev.patchbay.background.BackgroundLoop;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.server.PrincipalShares;

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
 * The calls of modern clients whose legacy servers wait for input from the client. The client gets
 * a state that identifies its call: a random string that can be used once, by the same client, for
 * the same request, until it expires.
 */
final class SuspendedCallRegistry {
    static final int SUSPENDED_MAX = 1_000;

    private static final Duration EXPIRY = Duration.ofMinutes(10);

    /** How often expired calls are swept within the expiry time. */
    private static final int SWEEPS_PER_EXPIRY = 20;

    private static final String PREFIX = "patchbay-";
    private static final int STATE_BYTES = 24;

    /** A call, the time at which it was suspended, and its part of its principal's share. */
    private record SuspendedEntry(
            SuspendedCall call, long suspendedAtNanos, PrincipalShares.Share share) {}

    private final ConcurrentMap<String, SuspendedEntry> byState = new ConcurrentHashMap<>();
    private final PrincipalShares shares = new PrincipalShares(SUSPENDED_MAX);
    private final AtomicBoolean isSweeping = new AtomicBoolean();
    private final long expiryNanos;
    private final LongSupplier nanos;
    private volatile @Nullable SecureRandom random;

    SuspendedCallRegistry() {
        this(System::nanoTime);
    }

    /** Keeps calls by another clock. */
    SuspendedCallRegistry(LongSupplier nanos) {
        this(EXPIRY, nanos);
    }

    /** Keeps calls for another time than usual, by another clock. */
    SuspendedCallRegistry(Duration kept, LongSupplier nanos) {
        this.expiryNanos = kept.toNanos();
        this.nanos = nanos;
    }

    /** What a request must repeat to resume a call. */
    record RequestKey(
            String principal, McpMethod method, @Nullable Json target, @Nullable Json arguments) {
        static RequestKey of(McpMethod method, Json params, ClientContext caller) {
            Json target = params.member(method == McpMethod.RESOURCES_READ ? "uri" : "name");
            return new RequestKey(caller.principal(), method, target, params.member("arguments"));
        }
    }

    /** Keeps a call until its client returns. Returns the state that the client must send. */
    String suspend(SuspendedCall call) {
        expireOverdue();
        PrincipalShares.Share share =
                byState.size() < SUSPENDED_MAX ? shares.tryAcquire(call.principal()) : null;
        if (share == null) {
            throw new RpcException(
                    RpcError.of(
                            RpcError.INTERNAL_ERROR,
                            "Too many calls wait for input",
                            "OVERLOADED"));
        }
        byte[] bytes = new byte[STATE_BYTES];
        random().nextBytes(bytes);
        String state = PREFIX + HexFormat.of().formatHex(bytes);
        byState.put(state, new SuspendedEntry(call, nanos.getAsLong(), share));
        ensureSweeping();
        return state;
    }

    /** How many calls are suspended. */
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

    /** The call that a request resumes; null if it resumes none. */
    @Nullable SuspendedCall take(Json params, RequestKey origin) {
        String state = params.memberText("requestState");
        if (state == null || !state.startsWith(PREFIX)) {
            return null; // a modern server's own state passes through
        }
        SuspendedEntry found = byState.get(state);
        if (found == null
                || !found.call.requestKey().equals(origin)
                || isExpired(found)
                || !byState.remove(state, found)) {
            throw new RpcException(
                    RpcError.INVALID_PARAMS, "Invalid params: requestState is unknown or used up");
        }
        found.share.close();
        return found.call;
    }

    /** Starts the sweeping of expired calls if it is not running. */
    private void ensureSweeping() {
        if (!isSweeping.get() && isSweeping.compareAndSet(false, true)) {
            var _ = BackgroundLoop.start("suspended-calls", this::sweep);
        }
    }

    /** Waits and sweeps once; whether calls are left. */
    private boolean sweep() {
        if (!byState.isEmpty()) {
            LockSupport.parkNanos(this, expiryNanos / SWEEPS_PER_EXPIRY);
            expireOverdue();
            return true;
        }
        isSweeping.set(false);
        if (!byState.isEmpty()) { // suspended between the check and the end of the loop
            ensureSweeping();
        }
        return false;
    }

    /** Cancels the calls whose clients did not return in time. */
    void expireOverdue() {
        byState.forEach(
                (state, waiting) -> {
                    if (isExpired(waiting) && byState.remove(state, waiting)) {
                        waiting.share.close();
                        waiting.call.expire();
                    }
                });
    }

    private boolean isExpired(SuspendedEntry waiting) {
        return nanos.getAsLong() - waiting.suspendedAtNanos > expiryNanos;
    }
}
