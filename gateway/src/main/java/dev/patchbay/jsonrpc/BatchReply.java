package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Response;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** The answers to a batch, which leave together when the last of them is there. */
public final class BatchReply implements Reply {
    private final Reply back;
    private final Consumer<List<Response>> all;
    private final List<Response> responses = new ArrayList<>();

    /** Answers still to come, and one for the start itself. */
    private int open = 1;

    /**
     * The reply to the requests of one batch.
     *
     * @param back where goes what is not an answer
     * @param all takes the answers, once; there is none if nothing had to be answered
     */
    public BatchReply(Reply back, Consumer<List<Response>> all) {
        this.back = back;
        this.all = all;
    }

    /** Hands over each item of the batch, with the way back for its answer. */
    public void start(List<Inbound> items, BiConsumer<Inbound, Reply> accept) {
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
        back.notify(notification);
    }

    @Override
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException {
        return back.call(method, params, timeout);
    }

    private synchronized void expect() {
        open++;
    }

    private void settled() {
        List<Response> answers;
        synchronized (this) {
            open--;
            if (open > 0) {
                return;
            }
            answers = List.copyOf(responses);
        }
        all.accept(answers);
    }
}
