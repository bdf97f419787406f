package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Response;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/** The way back to a peer that asks something for the sake of a call of ours. */
record CallResponseSink(Connection connection, long call) implements ResponseSink {
    @Override
    public void respond(Response response) {
        connection.respond(response);
    }

    @Override
    public void sendNotification(Notification notification) {
        connection.sendNotification(notification);
    }

    @Override
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException {
        return connection.call(method, params, timeout);
    }

    @Override
    public boolean acceptsResponseFromAnyThread() {
        return connection.acceptsResponseFromAnyThread();
    }

    @Override
    public OptionalLong relatedCallId() {
        return OptionalLong.of(call);
    }
}
