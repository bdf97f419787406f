package dev.patchbay.jsonrpc;

import dev.patchbay.json.JsonText;

import java.io.IOException;
import java.time.Duration;

/** Where frames to a peer go: its channel, or one of the streams it has open. */
public interface Outlet {
    /** Sends one whole frame; false if the peer does not make room for it in time. */
    boolean trySend(JsonText frame, Duration patience) throws IOException;

    /**
     * Sends one whole frame at once, on this thread if that spares a way over another; false if it
     * would have to wait. Only for a peer that is known to have read everything sent before.
     */
    default boolean sendNow(JsonText frame) throws IOException {
        return trySend(frame, Duration.ZERO);
    }
}
