package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Response;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/** Takes the response to a request, and the messages that belong to the request. */
public interface ResponseSink {
    /** Takes the one response. Any thread may call this. */
    void respond(Response response);

    /** Called instead of {@link #respond} if the request was cancelled. */
    default void onCancelled() {}

    void sendNotification(Notification notification);

    CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException;

    /** Whether the peer can be reached by {@link #call}. */
    default boolean isConnected() {
        return true;
    }

    /** Ends the connection over which the request came, if the peer can go on over another. */
    default void endStream() {}

    /**
     * Whether requests are started by the thread that reads all messages of the peer. That thread
     * must not wait until the peer reads a response.
     */
    default boolean startsOnReadingThread() {
        return false;
    }

    /** The outbound call that caused the request, if the transport tells. */
    default OptionalLong relatedCallId() {
        return OptionalLong.empty();
    }
}
