package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Notification;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/** Sends messages to the peer that belong to one of its requests. */
public interface RequestContext {
    /** Sends a notification. It is dropped if the request has ended. */
    void sendNotification(Notification notification);

    /** Sends a request to the peer and waits for the outcome. */
    CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException;

    /** Whether the peer can be reached for a request that belongs to this one. */
    default boolean isConnected() {
        return true;
    }

    /** Ends the connection over which the request came, if the peer can go on over another. */
    default void endStream() {}

    /** The outbound call that caused the request, if the transport tells. */
    default OptionalLong relatedCallId() {
        return OptionalLong.empty();
    }

    /** Cancels a request of the same peer. It gets no response. */
    void cancelRequest(RequestId id);
}
