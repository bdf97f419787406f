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

/** Collects the responses to a batch and sends them together. */
public final class BatchResponseSink implements ResponseSink {
    private final ResponseSink target;
    private final Consumer<List<Response>> onComplete;
    private final List<Response> responses = new ArrayList<>();

    /** The responses still to come, plus one until the whole batch is dispatched. */
    private int pendingCount = 1;

    /**
     * A sink for the requests of one batch.
     *
     * @param target takes the messages that are not responses
     * @param onComplete takes all responses, once; the list may be empty
     */
    public BatchResponseSink(ResponseSink target, Consumer<List<Response>> onComplete) {
        this.target = target;
        this.onComplete = onComplete;
    }

    /** Dispatches each item of the batch. Its response goes to this sink. */
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

    @Override
    public boolean isConnected() {
        return target.isConnected();
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
