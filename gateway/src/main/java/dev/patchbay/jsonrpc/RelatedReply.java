package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Response;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/** The way back to a peer that asks something for the sake of a call of ours. */
record RelatedReply(Connection connection, long call) implements Reply {
    @Override
    public void answer(Response response) {
        connection.answer(response);
    }

    @Override
    public void notify(Notification notification) {
        connection.notify(notification);
    }

    @Override
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException {
        return connection.call(method, params, timeout);
    }

    @Override
    public boolean takesAnswersAnywhere() {
        return connection.takesAnswersAnywhere();
    }

    @Override
    public OptionalLong relatedCall() {
        return OptionalLong.of(call);
    }
}
