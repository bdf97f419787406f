package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Response;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/** The sink for a request that the peer sent because of one of our calls. */
record CallResponseSink(Connection connection, long callId) implements ResponseSink {
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
    public boolean isConnected() {
        return connection.isConnected();
    }

    @Override
    public boolean startsOnReadingThread() {
        return connection.startsOnReadingThread();
    }

    @Override
    public OptionalLong relatedCallId() {
        return OptionalLong.of(callId);
    }
}
