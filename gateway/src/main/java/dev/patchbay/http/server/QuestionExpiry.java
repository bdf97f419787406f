package dev.patchbay.http.server;

import dev.patchbay.jsonrpc.OutboundCalls;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Ends the questions to a legacy client that has no connection for a while. The client may come
 * back and resume its streams, but nobody waits for one that is gone. Used by one thread.
 */
final class QuestionExpiry {
    private static final long DISCONNECTED_NANOS_MAX = Duration.ofSeconds(30).toNanos();

    private final OutboundCalls calls;
    private final BooleanSupplier hasConnection;

    /** When a question was first seen to wait for a client without a connection; zero if none. */
    private long disconnectedSinceNanos;

    QuestionExpiry(OutboundCalls calls, BooleanSupplier hasConnection) {
        this.calls = calls;
        this.hasConnection = hasConnection;
    }

    /** Checks the client once. Called a few times a second. */
    void expire(long now) {
        if (calls.pendingCount() == 0 || hasConnection.getAsBoolean()) {
            disconnectedSinceNanos = 0;
        } else if (disconnectedSinceNanos == 0) {
            disconnectedSinceNanos = now | 1;
        } else if (now - disconnectedSinceNanos > DISCONNECTED_NANOS_MAX) {
            disconnectedSinceNanos = 0;
            calls.failPending("The client has no connection");
        }
    }
}
