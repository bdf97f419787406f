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
public final class BatchResponseSink implements ResponseSink {
    private final ResponseSink target;
    private final Consumer<List<Response>> onComplete;
    private final List<Response> responses = new ArrayList<>();

    /** Answers still to come, and one for the start itself. */
    private int pendingCount = 1;

    /**
     * The reply to the requests of one batch.
     *
     * @param back where goes what is not an answer
     * @param all takes the answers, once; there is none if nothing had to be answered
     */
    public BatchResponseSink(ResponseSink back, Consumer<List<Response>> all) {
        this.target = back;
        this.onComplete = all;
    }

    /** Hands over each item of the batch, with the way back for its answer. */
    public void start(List<DecodedFrame> items, BiConsumer<DecodedFrame, ResponseSink> accept) {
        for (DecodedFrame item : items) {
            if (expectsResponse(item)) {
                addPending();
            }
            accept.accept(item, this);
        }
        removePending();
    }

    private static boolean expectsResponse(DecodedFrame item) {
        return switch (item) {
            case Message.Request _, DecodedFrame.Malformed _, DecodedFrame.Batch _ -> true;
            case Notification _, Response _, DecodedFrame.BadResponse _ -> false;
        };
    }

    @Override
    public void respond(Response response) {
        synchronized (this) {
            responses.add(response);
        }
        removePending();
    }

    @Override
    public void onCancelled() {
        removePending();
    }

    @Override
    public void sendNotification(Notification notification) {
        target.sendNotification(notification);
    }

    @Override
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException {
        return target.call(method, params, timeout);
    }

    private synchronized void addPending() {
        pendingCount++;
    }

    private void removePending() {
        List<Response> answers;
        synchronized (this) {
            pendingCount--;
            if (pendingCount > 0) {
                return;
            }
            answers = List.copyOf(responses);
        }
        onComplete.accept(answers);
    }
}
