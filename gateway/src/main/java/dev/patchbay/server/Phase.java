package dev.patchbay.server;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/** What a supervisor does with its server at one moment. Replaced as a whole. */
sealed interface Phase {
    /** The server must not be connected. */
    record Disabled() implements Phase {}

    /** The supervisor was stopped for good. */
    record Closed() implements Phase {}

    /**
     * The server is neither connected nor being connected.
     *
     * @param hasFailed whether a series of attempts has just failed
     * @param recovery the next attempt in the background; null if there will be none
     */
    record Idle(boolean hasFailed, long sinceNanos, @Nullable Recovery recovery) implements Phase {}

    /**
     * An attempt in the background, after all attempts of a series have failed.
     *
     * @param number how many such attempts there were in a row, with this one
     */
    record Recovery(int number, Duration delay, Instant at) {}

    /** The next attempt has not begun: the series was just created, or waits between attempts. */
    record Backoff(ConnectAttempts attempts) implements Phase {}

    /** An attempt is under way. */
    record Connecting(ConnectAttempts attempts) implements Phase {}

    /** The handshake has succeeded. */
    record Connected(JsonRpcServerSession session, long sinceNanos) implements Phase {}

    /** The series of attempts that may lead to a session; null if there is none. */
    default @Nullable ConnectAttempts attempts() {
        return null;
    }

    /** The connected session; null if there is none. */
    default @Nullable JsonRpcServerSession session() {
        return null;
    }

    /** Whether the server may be connected. */
    default boolean isEnabled() {
        return !(this instanceof Disabled) && !(this instanceof Closed);
    }
}
