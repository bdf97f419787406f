package dev.patchbay.jsonrpc;

import dev.patchbay.json.JsonText;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Message.Response;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The one array that answers a batch, sent when the last of its requests is answered. */
final class BatchAnswer implements Answer {
    private final List<Inbound> items;
    private final Consumer<JsonText> sink;
    private final List<Response> responses = new ArrayList<>();

    /** Answers still to come, and one for the start itself. */
    private int open = 1;

    BatchAnswer(List<Inbound> items, Consumer<JsonText> sink) {
        this.items = items;
        this.sink = sink;
    }

    void start(BiConsumer<Inbound, Answer> accept) {
        for (Inbound item : items) {
            if (item instanceof Message.Request
                    || item instanceof Inbound.Malformed
                    || item instanceof Inbound.Batch) {
                expect();
            }
            accept.accept(item, this);
        }
        settled();
    }

    private synchronized void expect() {
        open++;
    }

    @Override
    public void with(Response response) {
        synchronized (this) {
            responses.add(response);
        }
        settled();
    }

    @Override
    public void cancelled() {
        settled();
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
        sink.accept(text);
    }
}
