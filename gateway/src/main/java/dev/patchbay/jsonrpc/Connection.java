package dev.patchbay.jsonrpc;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonText;
import dev.patchbay.jsonrpc.Inbound.BadResponse;
import dev.patchbay.jsonrpc.Inbound.Batch;
import dev.patchbay.jsonrpc.Inbound.Malformed;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.Message.Success;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongFunction;

/**
 * One conversation with a peer that may ask and be asked. Each request of the peer runs on a
 * virtual thread of its own and is answered once: its entry in {@link #working} is the right to
 * answer, and whoever removes the entry has used that right up.
 */
public final class Connection {
    private static final System.Logger log = System.getLogger(Connection.class.getName());
    private static final Duration NOTIFY_PATIENCE = Duration.ofSeconds(10);

    private final Channel channel;
    private final Handler handler;
    private final int requestsMax;
    private final Calls calls;
    private final Answer sender = this::send;
    private final ConcurrentMap<RequestId, Work> working = new ConcurrentHashMap<>();

    public Connection(
            Channel channel, Handler handler, int requestsMax, Calls.Abandoned abandoned) {
        this.channel = channel;
        this.handler = handler;
        this.requestsMax = requestsMax;
        this.calls = new Calls(channel, abandoned);
    }

    /** Serves until the peer ends its side. Requests at work then are not waited for. */
    public void run() throws IOException {
        try {
            channel.receive(this::accept);
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
        long deadline = System.nanoTime() + grace.toNanos();
        for (Work work : working.values()) {
            if (!work.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
                work.finish(refusal(work.id, "Shutting down"));
                work.interrupt();
            }
        }
    }

    /** Sends a notification to the peer; it is lost if the peer does not read. */
    public void notify(Notification notification) {
        try {
            if (!channel.trySend(Encoder.encode(notification), NOTIFY_PATIENCE)) {
                log.log(DEBUG, "Peer does not read: {0} dropped", notification.method());
            }
        } catch (IOException e) {
            log.log(DEBUG, "Peer is gone", e);
        }
    }

    private void accept(Inbound inbound) {
        switch (inbound) {
            case Request request -> start(request, sender);
            case Notification notification -> notice(notification);
            case Response response -> calls.settle(response);
            case BadResponse response -> calls.settle(response);
            case Malformed(RequestId id, RpcError error) -> send(new Failure(id, error));
            case Batch(var items) -> {
                if (handler.acceptsBatches()) {
                    new BatchAnswer(items, this::sendText).start(this::acceptItem);
                } else {
                    send(batchRefusal());
                }
            }
        }
    }

    /** Takes one element of a batch; its answer, if there is one, goes to the batch. */
    private void acceptItem(Inbound item, Answer answer) {
        switch (item) {
            case Request request -> start(request, answer);
            case Malformed(RequestId id, RpcError error) -> answer.with(new Failure(id, error));
            case Batch _ -> answer.with(batchRefusal());
            case Notification _, Response _, BadResponse _ -> accept(item);
        }
    }

    private void start(Request request, Answer answer) {
        // Waiting here for a free place would also keep cancellations from being read.
        if (working.size() >= requestsMax) {
            var error = RpcError.of(RpcError.INTERNAL_ERROR, "Too many requests", "OVERLOADED");
            answer.with(new Failure(request.id(), error));
            return;
        }
        var work = new Work(request.id(), answer);
        if (working.putIfAbsent(request.id(), work) != null) {
            answer.with(inUse(request.id()));
        } else if (handler.isImmediate(request)) {
            work.finish(serve(request, work));
        } else {
            work.start(() -> work.finish(serve(request, work)));
        }
    }

    private Response serve(Request request, Work work) {
        try {
            return new Success(request.id(), handler.handle(request, work));
        } catch (RpcException e) {
            return new Failure(request.id(), e.error());
        } catch (InterruptedException _) {
            return refusal(request.id(), "Cancelled");
        } catch (Throwable e) { // also what is no Exception: a request must not go unanswered
            log.log(ERROR, "Request " + request.method() + " failed", e);
            return refusal(request.id(), "Internal error");
        }
    }

    private void notice(Notification notification) {
        try {
            handler.notified(notification, new Work(RequestId.UNKNOWN, _ -> {}));
        } catch (RuntimeException e) {
            log.log(ERROR, "Notification " + notification.method() + " failed", e);
        }
    }

    private void send(Response response) {
        JsonText text = Encoder.encode(response);
        if (text.length() > channel.frameBytesMax()) {
            text = Encoder.encode(tooLong(response.id(), text.length()));
        }
        sendText(text);
    }

    private void sendText(JsonText text) {
        try {
            channel.send(text);
        } catch (IOException e) {
            log.log(DEBUG, "Peer is gone", e);
            channel.close(); // ends run()
        }
    }

    private static Failure batchRefusal() {
        var error =
                RpcError.of(RpcError.INVALID_REQUEST, "Invalid request: batches are not served");
        return new Failure(RequestId.UNKNOWN, error);
    }

    private static Failure inUse(RequestId id) {
        var error = RpcError.of(RpcError.INVALID_REQUEST, "Invalid request: its id is in use");
        return new Failure(id, error);
    }

    private Failure tooLong(RequestId id, int bytes) {
        return refusal(
                id,
                "The answer has %,d bytes, more than the %,d that fit into one message"
                        .formatted(bytes, channel.frameBytesMax()));
    }

    private static Failure refusal(RequestId id, String why) {
        return new Failure(id, RpcError.of(RpcError.INTERNAL_ERROR, why));
    }

    /** One request at work, and the way back to its sender. */
    private final class Work implements Exchange {
        private final RequestId id;
        private final Answer answer;
        private volatile @Nullable Thread thread;

        Work(RequestId id, Answer answer) {
            this.id = id;
            this.answer = answer;
        }

        void start(Runnable task) {
            Thread created = Thread.ofVirtual().unstarted(task);
            thread = created;
            created.start();
        }

        void finish(Response response) {
            if (working.remove(id, this)) {
                answer.with(response);
            }
        }

        boolean join(Duration patience) throws InterruptedException {
            Thread worker = thread;
            return worker == null || worker.join(patience);
        }

        void interrupt() {
            Thread worker = thread;
            if (worker != null) {
                worker.interrupt();
            }
        }

        @Override
        public void notify(Notification notification) {
            if (working.get(id) == this || !id.isKnown()) {
                Connection.this.notify(notification);
            }
        }

        @Override
        public CallOutcome call(
                String method, LongFunction<@Nullable Json> params, Duration timeout)
                throws InterruptedException {
            return calls.call(method, params, timeout);
        }

        @Override
        public void cancel(RequestId other) {
            Work work = working.remove(other);
            if (work != null) {
                work.interrupt();
                work.answer.cancelled();
            }
        }
    }
}
