package dev.patchbay.server;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * The state of a server at one moment, immutable. It is {@code connected} only after a successful
 * handshake and while the connection lives.
 */
public record ServerState(
        Status status,
        @Nullable ServerFailure lastError,
        @Nullable Instant lastConnectedAt,
        int attempts,
        @Nullable HandshakeResult handshake) {

    /** The status of a server. */
    public enum Status {
        DISABLED("disabled"),
        DISCONNECTED("disconnected"),
        CONNECTING("connecting"),
        CONNECTED("connected"),
        ERROR("error");

        private final String text;

        Status(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        /** Whether the status may change to another one. */
        boolean canChangeTo(Status next) {
            return switch (this) {
                case DISABLED -> next == DISCONNECTED;
                case DISCONNECTED -> next == CONNECTING || next == DISABLED;
                case CONNECTING -> next != CONNECTING;
                case CONNECTED -> next == ERROR || next == DISCONNECTED || next == DISABLED;
                case ERROR -> next == CONNECTING || next == DISCONNECTED || next == DISABLED;
            };
        }
    }

    public ServerState {
        if (status == Status.CONNECTED && (handshake == null || lastError != null)) {
            throw new IllegalArgumentException("connected means linked and without an error");
        }
        if (status == Status.ERROR && lastError == null) {
            throw new IllegalArgumentException("an error has a reason");
        }
    }

    public static ServerState initial(boolean enabled) {
        return new ServerState(
                enabled ? Status.DISCONNECTED : Status.DISABLED, null, null, 0, null);
    }
}
