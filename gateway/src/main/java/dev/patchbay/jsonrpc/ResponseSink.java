package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Response;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/** The way back to the sender of a request: where its answer goes, and what goes before it. */
public interface ResponseSink {
    /** Takes the one answer. */
    void respond(Response response);

    /** There will be no answer: the request was cancelled. */
    default void onCancelled() {}

    void sendNotification(Notification notification);

    CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException;

    /** Whether any thread may give the answer, since nobody but its own client waits for that. */
    default boolean acceptsResponseFromAnyThread() {
        return false;
    }

    /** The call of ours that the request belongs to, where the transport tells. */
    default OptionalLong relatedCallId() {
        return OptionalLong.empty();
    }
}
