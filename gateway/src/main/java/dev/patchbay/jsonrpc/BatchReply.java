package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonText;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Response;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;

/** The one array that answers a batch, sent when the last of its requests is answered. */
final class BatchReply implements Reply {
    private final List<Inbound> items;
    private final Connection connection;
    private final List<Response> responses = new ArrayList<>();

    /** Answers still to come, and one for the start itself. */
    private int open = 1;

    BatchReply(List<Inbound> items, Connection connection) {
        this.items = items;
        this.connection = connection;
    }

    void start(BiConsumer<Inbound, Reply> accept) {
        for (Inbound item : items) {
            if (isAnswered(item)) {
                expect();
            }
            accept.accept(item, this);
        }
        settled();
    }

    private static boolean isAnswered(Inbound item) {
        return switch (item) {
            case Message.Request _, Inbound.Malformed _, Inbound.Batch _ -> true;
            case Notification _, Response _, Inbound.BadResponse _ -> false;
        };
    }

    @Override
    public void answer(Response response) {
        synchronized (this) {
            responses.add(response);
        }
        settled();
    }

    @Override
    public void cancelled() {
        settled();
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

    private synchronized void expect() {
        open++;
    }

    private void settled() {
        JsonText text;
        synchronized (this) {
            open--;
            if (open > 0 || responses.isEmpty()) {
                return;
            }
            var writer = new JsonWriter().beginArray();
            responses.forEach(response -> Encoder.write(writer, response));
            text = writer.endArray().toText();
        }
        connection.send(text);
    }
}
