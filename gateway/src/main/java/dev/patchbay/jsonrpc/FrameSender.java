package dev.patchbay.jsonrpc;

import dev.patchbay.json.EncodedJson;

import java.io.IOException;
import java.time.Duration;

/** Where frames to a peer go: its channel, or one of the streams it has open. */
public interface FrameSender {
    /** Sends one whole frame; false if the peer does not make room for it in time. */
    boolean trySend(EncodedJson frame, Duration patience) throws IOException;

    /** How many bytes were sent so far; what is sent from now on lies beyond. */
    default long sentBytes() {
        return 0;
    }

    /** The peer has read at least so many of the bytes sent, as an answer of it shows. */
    default void acknowledgeRead(long bytes) {}

    /**
     * Frees a sender that is held up although there should be room; whether one is at it still.
     * Asked now and then while calls wait or this says so.
     */
    default boolean unblockWriter() {
        return false;
    }
}
