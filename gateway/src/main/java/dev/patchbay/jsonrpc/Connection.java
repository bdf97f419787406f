package dev.patchbay.jsonrpc;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.DecodedFrame.BadResponse;
import dev.patchbay.jsonrpc.DecodedFrame.Batch;
import dev.patchbay.jsonrpc.DecodedFrame.Malformed;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.text.LoggedFailure;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * A connection to a peer over a channel: the {@link InboundRequests} of the peer and the {@link
 * OutboundCalls} to it. No frame ends the connection, however malformed.
 */
public final class Connection implements ResponseSink {
    private static final Duration NOTIFICATION_SEND_TIMEOUT = Duration.ofSeconds(10);

    private final Channel channel;
    private final RpcHandler handler;
    private final InboundRequests inboundRequests;
    private final OutboundCalls calls;

    public Connection(
            Channel channel,
            RpcHandler handler,
            int requestsMax,
            OutboundCalls.AbandonListener abandonListener) {
        this(channel, handler, requestsMax, abandonListener, Ticker.system());
    }

    /** A connection whose calls end by the time of a ticker. */
    public Connection(
            Channel channel,
            RpcHandler handler,
            int requestsMax,
            OutboundCalls.AbandonListener abandonListener,
            Ticker ticker) {
        this.channel = channel;
        this.handler = handler;
        this.inboundRequests = new InboundRequests(handler, requestsMax);
        this.calls = new OutboundCalls(channel, abandonListener, ticker);
    }

    /** Handles messages until the peer ends its side. Does not wait for requests in progress. */
    public void run() throws IOException {
        run(() -> "the connection ended");
    }

    /** The same. The reason for the end is asked for once, before the calls that wait end. */
    public void run(Supplier<String> closeReason) throws IOException {
        try {
            channel.receive(new FrameReceiver());
        } finally {
            calls.close(closeReason.get());
        }
    }

    /** The calls to the peer. */
    public OutboundCalls calls() {
        return calls;
    }

    /** Waits until all requests are answered, and rejects those that take longer. */
    public void drain(Duration grace) throws InterruptedException {
        inboundRequests.drain(grace);
    }

    /** Dispatches a frame. A failure, even a lack of memory, affects only that frame. */
    private void dispatchSafely(DecodedFrame frame, ResponseSink sink) {
        try {
            dispatch(frame, sink);
        } catch (RuntimeException | Error e) {
            if (frame instanceof Request request) {
                sink.respond(ErrorResponses.of(request.id(), e));
            } else {
                log().log(ERROR, "A message could not be handled", new LoggedFailure(e));
            }
        }
    }

    private void dispatch(DecodedFrame frame, ResponseSink sink) {
        switch (frame) {
            case Request request -> inboundRequests.start(request, sink);
            case Notification notification ->
                    inboundRequests.handleNotification(notification, sink);
            case Response response -> calls.complete(response);
            case BadResponse response -> calls.complete(response);
            case Malformed malformed -> handleMalformed(malformed);
            case Batch(var items) -> {
                if (handler.acceptsBatches()) {
                    new BatchResponseSink(this, this::respondToBatch)
                            .start(items, this::dispatchBatchItem);
                } else {
                    respond(batchNotSupported());
                }
            }
        }
    }

    /** Dispatches one element of a batch. Its response goes to the batch. */
    private void dispatchBatchItem(DecodedFrame item, ResponseSink sink) {
        switch (item) {
            case Request request -> inboundRequests.start(request, sink);
            case Malformed(RequestId id, RpcError error) -> sink.respond(new Failure(id, error));
            case Batch _ -> sink.respond(batchNotSupported());
            case Notification _, Response _, BadResponse _ -> dispatch(item, this);
        }
    }

    /**
     * Responds to a malformed frame, unless it has the id of a pending call: it fails that call.
     */
    private void handleMalformed(Malformed malformed) {
        if (!calls.complete(malformed) && handler.respondsToMalformed()) {
            respond(new Failure(malformed.id(), malformed.error()));
        }
    }

    @Override
    public void respond(Response response) {
        EncodedJson text = Encoder.encodeResponse(response);
        if (text.length() > channel.frameBytesMax()) {
            text = Encoder.encode(responseTooLong(response.id(), text.length()));
        }
        send(text);
    }

    @Override
    public boolean startsOnReadingThread() {
        return true;
    }

    /** Responds to a batch with one array, unless there are no responses. */
    private void respondToBatch(List<Response> responses) {
        if (!responses.isEmpty()) {
            var writer = new JsonWriter().beginArray();
            responses.forEach(response -> Encoder.write(writer, response));
            send(writer.endArray().toEncodedJson());
        }
    }

    /** Sends a notification. It is dropped if the peer does not read. */
    @Override
    public void sendNotification(Notification notification) {
        try {
            if (!channel.trySend(Encoder.encode(notification), NOTIFICATION_SEND_TIMEOUT)) {
                log().log(DEBUG, "Peer does not read: {0} dropped", notification.method());
            }
        } catch (IOException e) {
            log().log(DEBUG, "Peer is gone", new LoggedFailure(e));
        }
    }

    @Override
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException {
        return calls.call(method, params, timeout);
    }

    @Override
    public boolean isConnected() {
        return !calls.isClosed();
    }

    /** Sends a frame that is not longer than the channel allows. */
    void send(EncodedJson text) {
        try {
            channel.send(text);
        } catch (IOException e) {
            log().log(DEBUG, "Peer is gone", new LoggedFailure(e));
            channel.close(); // ends run()
        }
    }

    /** The response to a batch of a peer whose version has none. */
    public static Failure batchNotSupported() {
        var error =
                RpcError.of(RpcError.INVALID_REQUEST, "Invalid request: batches are not served");
        return new Failure(RequestId.UNKNOWN, error);
    }

    private Failure responseTooLong(RequestId id, int bytes) {
        return ErrorResponses.internalError(
                id,
                "The answer has %,d bytes, more than the %,d that fit into one message"
                        .formatted(bytes, channel.frameBytesMax()));
    }

    /** Receives the frames of the channel. */
    private final class FrameReceiver implements Channel.Receiver {
        @Override
        public void accept(DecodedFrame frame) {
            dispatchSafely(frame, Connection.this);
        }

        @Override
        public void accept(DecodedFrame frame, long callId) {
            dispatchSafely(frame, new CallResponseSink(Connection.this, callId));
        }

        @Override
        public void onCallFailed(long callId, CallOutcome outcome) {
            calls.complete(callId, outcome);
        }

        @Override
        public void onStreamEnded(long callId) {
            handler.onStreamEnded(callId);
        }

        @Override
        public void onNotificationsLost() {
            handler.onNotificationsLost();
        }
    }

    /** Looked up on demand: creating the first logger costs several milliseconds at start. */
    private static System.Logger log() {
        return System.getLogger(Connection.class.getName());
    }
}
