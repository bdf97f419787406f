package dev.patchbay.jsonrpc;

import dev.patchbay.json.EncodedJson;

import java.io.IOException;
import java.time.Duration;

/** Sends frames to a peer: over its channel, or over one of its open streams. */
public interface FrameSender {
    /** Sends a frame; false if the peer does not make room for it in time. */
    boolean trySend(EncodedJson frame, Duration patience) throws IOException;

    /** How many bytes were sent so far. */
    default long sentBytes() {
        return 0;
    }

    /** Called when a response shows that the peer has read at least this many bytes. */
    default void acknowledgeRead(long bytes) {}

    /**
     * Unblocks a thread that is stuck in a write although the peer should have room. Called
     * repeatedly while calls are pending or this returns true.
     *
     * @return whether a thread is writing
     */
    default boolean unblockWriter() {
        return false;
    }
}
