package dev.patchbay.http.server;

import dev.patchbay.json.Json;

/** Sends server-sent events to one reader of a {@link HttpRoute}. */
public interface EventSink {
    /**
     * Sends an event without waiting.
     *
     * @return false if it was dropped, because the reader is slow or gone
     */
    boolean send(Json data);

    /** Registers an action for when the reader disconnects; runs it at once if it has. */
    void onDisconnect(Runnable action);

    /** Ends the stream after the queued events. */
    void close();
}
