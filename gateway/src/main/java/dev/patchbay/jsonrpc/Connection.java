package dev.patchbay.jsonrpc;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonText;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Inbound.BadResponse;
import dev.patchbay.jsonrpc.Inbound.Batch;
import dev.patchbay.jsonrpc.Inbound.Malformed;
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
 * One conversation with a peer that may ask and be asked: a channel, the {@link Serving} of the
 * peer's requests, and the {@link Calls} of ours. Whatever arrives, the conversation goes on.
 */
public final class Connection implements Reply {
    private static final Duration NOTIFY_PATIENCE = Duration.ofSeconds(10);

    private final Channel channel;
    private final Handler handler;
    private final Serving serving;
    private final Calls calls;

    public Connection(
            Channel channel, Handler handler, int requestsMax, Calls.Abandoned abandoned) {
        this.channel = channel;
        this.handler = handler;
        this.serving = new Serving(handler, requestsMax);
        this.calls = new Calls(channel, abandoned);
    }

    /** Serves until the peer ends its side. Requests at work then are not waited for. */
    public void run() throws IOException {
        try {
            channel.receive(new Incoming());
        } finally {
            calls.end("The connection has ended");
        }
    }

    /** Calls of ours to the peer. */
    public Calls calls() {
        return calls;
    }

    /** Waits until everything read is answered; what is not answered in time is refused. */
    public void drain(Duration grace) throws InterruptedException {
        serving.drain(grace);
    }

    /** Takes a frame. What goes wrong with one, also for want of memory, costs that one. */
    private void take(Inbound frame, Reply reply) {
        try {
            accept(frame, reply);
        } catch (RuntimeException | Error e) {
            if (frame instanceof Request request) {
                reply.answer(Refusals.failed(request.id(), e));
            } else {
                log().log(ERROR, "A message could not be dealt with", e);
            }
        }
    }

    private void accept(Inbound inbound, Reply reply) {
        switch (inbound) {
            case Request request -> serving.start(request, reply);
            case Notification notification -> serving.notice(notification, reply);
            case Response response -> calls.settle(response);
            case BadResponse response -> calls.settle(response);
            case Malformed malformed -> refuse(malformed);
            case Batch(var items) -> {
                if (handler.acceptsBatches()) {
                    new BatchReply(this, this::answerAll).start(items, this::acceptItem);
                } else {
                    answer(batchRefusal());
                }
            }
        }
    }

    /** Takes one element of a batch; its answer, if there is one, goes to the batch. */
    private void acceptItem(Inbound item, Reply reply) {
        switch (item) {
            case Request request -> serving.start(request, reply);
            case Malformed(RequestId id, RpcError error) -> reply.answer(new Failure(id, error));
            case Batch _ -> reply.answer(batchRefusal());
            case Notification _, Response _, BadResponse _ -> accept(item, this);
        }
    }

    /** Answers what is no message, unless it names a call of ours: then it is that call's end. */
    private void refuse(Malformed malformed) {
        if (!calls.settle(malformed) && handler.answersMalformed()) {
            answer(new Failure(malformed.id(), malformed.error()));
        }
    }

    @Override
    public void answer(Response response) {
        JsonText text = Encoder.answer(response);
        if (text.length() > channel.frameBytesMax()) {
            text = Encoder.encode(tooLong(response.id(), text.length()));
        }
        send(text);
    }

    /** Answers a batch with one array, unless nothing in it is answered. */
    private void answerAll(List<Response> responses) {
        if (!responses.isEmpty()) {
            var writer = new JsonWriter().beginArray();
            responses.forEach(response -> Encoder.write(writer, response));
            send(writer.endArray().toText());
        }
    }

    @Override
    public boolean takesAnswersAnywhere() {
        return true;
    }

    /** Sends a notification to the peer; it is lost if the peer does not read. */
    @Override
    public void notify(Notification notification) {
        try {
            if (!channel.trySend(Encoder.encode(notification), NOTIFY_PATIENCE)) {
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
    void send(JsonText text) {
        try {
            channel.send(text);
        } catch (IOException e) {
            log().log(DEBUG, "Peer is gone", e);
            channel.close(); // ends run()
        }
    }

    private static Failure batchRefusal() {
        var error =
                RpcError.of(RpcError.INVALID_REQUEST, "Invalid request: batches are not served");
        return new Failure(RequestId.UNKNOWN, error);
    }

    private Failure tooLong(RequestId id, int bytes) {
        return Refusals.of(
                id,
                "The answer has %,d bytes, more than the %,d that fit into one message"
                        .formatted(bytes, channel.frameBytesMax()));
    }

    /** What arrives, and whom it is answered to. */
    private final class Incoming implements Channel.Receiver {
        @Override
        public void accept(Inbound frame) {
            take(frame, Connection.this);
        }

        @Override
        public void accept(Inbound frame, long call) {
            take(frame, new RelatedReply(Connection.this, call));
        }

        @Override
        public void failed(long call, CallOutcome outcome) {
            calls.settle(call, outcome);
        }

        @Override
        public void missed() {
            handler.missed();
        }
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(Connection.class.getName());
    }
}
