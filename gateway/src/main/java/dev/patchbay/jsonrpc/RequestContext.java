package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Notification;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/** The way back to the peer while one of its requests is served. */
public interface RequestContext {
    /** Sends a notification that belongs to the request; dropped once the request is over. */
    void sendNotification(Notification notification);

    /** Asks the peer something and waits for the outcome. */
    CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException;

    /** The call of ours that the request belongs to, where the transport tells. */
    default OptionalLong relatedCallId() {
        return OptionalLong.empty();
    }

    /** Stops the work on another request of the same peer. It then gets no response. */
    void cancelRequest(RequestId id);
}
