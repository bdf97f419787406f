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

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongFunction;

/**
 * One conversation with a peer that may ask and be asked: a channel, the {@link InboundRequests} of
 * the peer's requests, and the {@link OutboundCalls} of ours. Whatever arrives, the conversation
 * goes on.
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
            OutboundCalls.AbandonListener abandoned) {
        this.channel = channel;
        this.handler = handler;
        this.inboundRequests = new InboundRequests(handler, requestsMax);
        this.calls = new OutboundCalls(channel, abandoned);
    }

    /** Serves until the peer ends its side. Requests at work then are not waited for. */
    public void run() throws IOException {
        try {
            channel.receive(new FrameReceiver());
        } finally {
            calls.close("The connection has ended");
        }
    }

    /** Calls of ours to the peer. */
    public OutboundCalls calls() {
        return calls;
    }

    /** Waits until everything read is answered; what is not answered in time is refused. */
    public void drain(Duration grace) throws InterruptedException {
        inboundRequests.drain(grace);
    }

    /** Takes a frame. What goes wrong with one, also for want of memory, costs that one. */
    private void dispatchSafely(DecodedFrame frame, ResponseSink reply) {
        try {
            dispatch(frame, reply);
        } catch (RuntimeException | Error e) {
            if (frame instanceof Request request) {
                reply.respond(ErrorResponses.unexpectedError(request.id(), e));
            } else {
                log().log(ERROR, "A message could not be dealt with", e);
            }
        }
    }

    private void dispatch(DecodedFrame inbound, ResponseSink reply) {
        switch (inbound) {
            case Request request -> inboundRequests.start(request, reply);
            case Notification notification ->
                    inboundRequests.handleNotification(notification, reply);
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

    /** Takes one element of a batch; its answer, if there is one, goes to the batch. */
    private void dispatchBatchItem(DecodedFrame item, ResponseSink reply) {
        switch (item) {
            case Request request -> inboundRequests.start(request, reply);
            case Malformed(RequestId id, RpcError error) -> reply.respond(new Failure(id, error));
            case Batch _ -> reply.respond(batchNotSupported());
            case Notification _, Response _, BadResponse _ -> dispatch(item, this);
        }
    }

    /** Answers what is no message, unless it names a call of ours: then it is that call's end. */
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

    /** Answers a batch with one array, unless nothing in it is answered. */
    private void respondToBatch(List<Response> responses) {
        if (!responses.isEmpty()) {
            var writer = new JsonWriter().beginArray();
            responses.forEach(response -> Encoder.write(writer, response));
            send(writer.endArray().toEncodedJson());
        }
    }

    @Override
    public boolean acceptsResponseFromAnyThread() {
        return true;
    }

    /** Sends a notification to the peer; it is lost if the peer does not read. */
    @Override
    public void sendNotification(Notification notification) {
        try {
            if (!channel.trySend(Encoder.encode(notification), NOTIFICATION_SEND_TIMEOUT)) {
                log().log(DEBUG, "Peer does not read: {0} dropped", notification.method());
            }
        } catch (IOException e) {
            log().log(DEBUG, "Peer is gone", e);
        }
    }

    @Override
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException {
        return calls.call(method, params, timeout);
    }

    /** Sends a frame that is known to fit. */
    void send(EncodedJson text) {
        try {
            channel.send(text);
        } catch (IOException e) {
            log().log(DEBUG, "Peer is gone", e);
            channel.close(); // ends run()
        }
    }

    private static Failure batchNotSupported() {
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

    /** What arrives, and whom it is answered to. */
    private final class FrameReceiver implements Channel.Receiver {
        @Override
        public void accept(DecodedFrame frame) {
            dispatchSafely(frame, Connection.this);
        }

        @Override
        public void accept(DecodedFrame frame, long call) {
            dispatchSafely(frame, new CallResponseSink(Connection.this, call));
        }

        @Override
        public void onCallFailed(long call, CallOutcome outcome) {
            calls.complete(call, outcome);
        }

        @Override
        public void onNotificationsLost() {
            handler.onNotificationsLost();
        }
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(Connection.class.getName());
    }
}
