package dev.patchbay.http.server;

import dev.patchbay.json.Json;

/** Server-sent events on their way to one reader of a {@link HttpRoute}. */
public interface EventSink {
    /**
     * Sends an event without waiting.
     *
     * @return false if it was dropped, because the reader is slow or gone
     */
    boolean send(Json data);

    /** Has something done when the reader is gone; at once if it is. */
    void onDisconnect(Runnable action);

    /** Ends the stream behind what was sent. */
    void close();
}
