package dev.patchbay.http;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Inbound;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.Reply;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** The answers to a batch, which leave together when the last of them is there. */
final class BatchReplies implements Reply {
    private final LegacyReply reply;
    private final List<Response> responses = new ArrayList<>();

    /** Answers still to come, and one for the start itself. */
    private int open = 1;

    BatchReplies(LegacyReply reply) {
        this.reply = reply;
    }

    void run(List<Inbound> items, Consumer<Inbound> take) {
        for (Inbound item : items) {
            if (item instanceof Request
                    || item instanceof Inbound.Malformed
                    || item instanceof Inbound.Batch) {
                expect();
            }
            take.accept(item);
        }
        settled();
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
        reply.notify(notification);
    }

    @Override
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException {
        return reply.call(method, params, timeout);
    }

    private synchronized void expect() {
        open++;
    }

    private void settled() {
        List<Response> all;
        synchronized (this) {
            open--;
            if (open > 0) {
                return;
            }
            all = List.copyOf(responses);
        }
        if (all.isEmpty()) {
            reply.cancelled();
        } else {
            reply.answerAll(all);
        }
    }
}
