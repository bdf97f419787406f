package dev.patchbay.server;

import org.jspecify.annotations.Nullable;

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
     */
    record Idle(boolean hasFailed, long sinceNanos) implements Phase {}

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
