package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.Message.Success;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * The requests of one peer that are in progress. Each is answered once: its entry in {@link
 * #activeRequests} is the right to answer, and removing the entry uses that right up.
 */
public final class InboundRequests {
    /** Larger results, and errors, are not written by the thread that reads from the peer. */
    private static final int INLINE_RESULT_BYTES_MAX = 8 * 1024;

    private static final String SHUTTING_DOWN = "Shutting down";

    /** How long a request waits for permits. Quick requests free some well before. */
    private static final long ADMISSION_WAIT_MS = 1_000;

    /** The bytes that one permit covers. A longer request takes several, which bounds memory. */
    static final int PERMIT_BYTES =
            Math.clamp(Runtime.getRuntime().maxMemory() / 6_000, 16 * 1024, 128 * 1024);

    /** How many bytes of responses may be unread before a large response is dropped. */
    private static final long UNSENT_BYTES_MAX =
            Math.min(64L * 1024 * 1024, Runtime.getRuntime().maxMemory() / 4);

    private final RpcHandler handler;
    private final int permitsMax;
    private final long unsentBytesMax;

    /** Held by the requests in {@link #activeRequests} until their response is sent. */
    private final Semaphore permits;

    private final ConcurrentMap<RequestId, ActiveRequest> activeRequests =
            new ConcurrentHashMap<>();
    private final AtomicInteger unansweredCount = new AtomicInteger();

    /** How many responses are being sent. */
    private final AtomicInteger respondingCount = new AtomicInteger();

    /** The bytes of the responses that are being sent. */
    private final AtomicLong unsentBytes = new AtomicLong();

    private volatile boolean closing;

    /** Whether the last request that waited for permits got none. */
    private volatile boolean isStalled;

    public InboundRequests(RpcHandler handler, int requestsMax) {
        this(handler, requestsMax, UNSENT_BYTES_MAX);
    }

    InboundRequests(RpcHandler handler, int requestsMax, long unsentBytesMax) {
        this.handler = handler;
        this.unsentBytesMax = unsentBytesMax;
        this.permitsMax = requestsMax;
        this.permits = new Semaphore(requestsMax);
    }

    /**
     * Handles a request. The sink gets the response, now or later. Where too many requests are in
     * progress, this waits a moment and then rejects the request.
     */
    public void start(Request request, ResponseSink sink) {
        start(request, sink, true);
    }

    /**
     * Handles a request unless it would have to wait for others to end.
     *
     * @return false if the request was not started
     */
    public boolean tryStart(Request request, ResponseSink sink) {
        return start(request, sink, false);
    }

    private boolean start(Request request, ResponseSink sink, boolean mayWait) {
        var active = new ActiveRequest(request.id(), sink, permitsFor(request));
        unansweredCount.incrementAndGet();
        RpcError error;
        if (closing) {
            error = RpcError.of(RpcError.INTERNAL_ERROR, SHUTTING_DOWN);
        } else if (acquirePermits(active.permitCount, mayWait)) {
            if (activeRequests.putIfAbsent(active.id, active) == null) {
                handle(request, active);
                return true;
            }
            permits.release(active.permitCount);
            error = RpcError.of(RpcError.INVALID_REQUEST, "Invalid request: its id is in use");
        } else if (mayWait) {
            error = RpcError.of(RpcError.INTERNAL_ERROR, "Too many requests", "OVERLOADED");
        } else {
            onRequestFinished();
            return false;
        }
        sink.respond(new Failure(active.id, error));
        onRequestFinished();
        return true;
    }

    private int permitsFor(Request request) {
        Json params = request.params();
        return params == null ? 1 : Math.min(permitsMax, 1 + params.length() / PERMIT_BYTES);
    }

    private boolean acquirePermits(int count, boolean mayWait) {
        if (!permits.tryAcquire(count)) {
            return mayWait && awaitPermits(count);
        }
        if (isStalled) {
            isStalled = false;
        }
        return true;
    }

    /**
     * Waits for the permits of one more request. This delays a peer that sends quick requests
     * faster than they are handled, and a peer that does not read its responses. Where no request
     * ends, only the first one waits; otherwise cancellations by the peer would not be read.
     */
    private boolean awaitPermits(int count) {
        try {
            boolean acquired;
            do {
                long patience = isStalled && respondingCount.get() == 0 ? 0 : ADMISSION_WAIT_MS;
                acquired = permits.tryAcquire(count, patience, TimeUnit.MILLISECONDS);
            } while (!acquired && respondingCount.get() > 0);
            isStalled = !acquired;
            return acquired;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void handle(Request request, ActiveRequest active) {
        active.starter = Thread.currentThread();
        try {
            handler.handle(request, active);
        } catch (Throwable e) { // also an Error: every request gets a response
            active.finish(ErrorResponses.of(request.id(), e));
        } finally {
            active.starter = null;
        }
    }

    /** Hands a notification to the handler. */
    public void handleNotification(Notification notification, ResponseSink sink) {
        try {
            handler.onNotification(notification, new ActiveRequest(RequestId.UNKNOWN, sink, 0));
        } catch (RuntimeException | Error e) {
            System.getLogger(InboundRequests.class.getName())
                    .log(
                            System.Logger.Level.ERROR,
                            "Notification " + DisplayText.quote(notification.method()) + " failed",
                            e);
        }
    }

    /** Cancels a request. It gets no response. */
    public void cancel(RequestId id) {
        ActiveRequest active = activeRequests.remove(id);
        if (active != null) {
            permits.release(active.permitCount);
            active.requestStop();
            active.sink.onCancelled();
            onRequestFinished();
        }
    }

    /** Cancels all requests and starts no more. */
    public void stop() {
        closing = true;
        activeRequests.keySet().forEach(this::cancel);
    }

    /** Answers a request in place of its handler, whose work is stopped. */
    public void respond(Response response) {
        ActiveRequest active = activeRequests.get(response.id());
        if (active != null) {
            active.finish(response);
            active.requestStop();
        }
    }

    /**
     * Waits until all requests are answered. New requests, and requests that take longer than the
     * grace period, are rejected.
     */
    public void drain(Duration grace) throws InterruptedException {
        closing = true;
        handler.onShutdown();
        long deadline = System.nanoTime() + grace.toNanos();
        synchronized (this) {
            while (unansweredCount.get() > 0) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    break;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        }
        for (ActiveRequest active : activeRequests.values()) {
            active.finish(ErrorResponses.internalError(active.id, SHUTTING_DOWN));
            active.requestStop();
        }
    }

    /** How many requests are in progress. */
    public int size() {
        return unansweredCount.get();
    }

    /** Called after a response was sent or a request was cancelled. */
    private void onRequestFinished() {
        if (unansweredCount.decrementAndGet() == 0 && closing) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** One request in progress. */
    private final class ActiveRequest implements RequestContext, Responder {
        private final RequestId id;
        private final ResponseSink sink;
        private final int permitCount;

        /** The thread that is in the handler; set and compared by that thread only. */
        private @Nullable Thread starter;

        /** Stops the work on the request; guarded by this. */
        private @Nullable Runnable stopAction;

        private boolean stopRequested;

        ActiveRequest(RequestId id, ResponseSink sink, int permitCount) {
            this.id = id;
            this.sink = sink;
            this.permitCount = permitCount;
        }

        @Override
        public void succeed(Json result) {
            finish(new Success(id, result));
        }

        @Override
        public void fail(RpcError error) {
            finish(new Failure(id, error));
        }

        void finish(Response response) {
            if (activeRequests.remove(id, this)) {
                respondingCount.incrementAndGet();
                if (Thread.currentThread().equals(starter) && mustNotDelayReading(response)) {
                    Thread.ofVirtual().start(() -> deliver(response));
                } else {
                    deliver(response);
                }
            }
        }

        /** Whether writing the response could delay the reading of other messages. */
        private boolean mustNotDelayReading(Response response) {
            return sink.startsOnReadingThread()
                    && !(response instanceof Success(_, Json result)
                            && result.length() <= INLINE_RESULT_BYTES_MAX);
        }

        private void deliver(Response response) {
            try {
                respondWithinLimit(response);
            } finally {
                respondingCount.decrementAndGet();
                permits.release(permitCount);
                onRequestFinished();
            }
        }

        /** Sends the response. To bound memory, a large one is dropped if too many are unread. */
        private void respondWithinLimit(Response response) {
            int bytes = response instanceof Success(_, Json result) ? result.length() : 0;
            boolean fits = unsentBytes.addAndGet(bytes) <= unsentBytesMax;
            if (!fits && bytes > PERMIT_BYTES) {
                unsentBytes.addAndGet(-bytes);
                sink.respond(ErrorResponses.responseDropped(id));
                return;
            }
            try {
                sink.respond(response);
            } finally {
                unsentBytes.addAndGet(-bytes);
            }
        }

        @Override
        public void fork(BlockingWork work) {
            Thread worker = Thread.ofVirtual().start(() -> finish(run(work)));
            setStopAction(worker::interrupt, true);
        }

        private Response run(BlockingWork work) {
            try {
                return new Success(id, work.run());
            } catch (Throwable e) { // also an Error: every request gets a response
                return ErrorResponses.of(id, e);
            } finally {
                Thread.interrupted(); // the interrupt was for the work, not for the response
            }
        }

        /** Has no effect on forked work: cancelling the request interrupts its thread. */
        @Override
        public void onCancel(Runnable action) {
            setStopAction(action, false);
        }

        private void setStopAction(Runnable action, boolean replace) {
            synchronized (this) {
                if (stopAction != null && !replace) {
                    return;
                }
                stopAction = action;
                if (!stopRequested) {
                    return;
                }
            }
            action.run();
        }

        void requestStop() {
            Runnable action;
            synchronized (this) {
                stopRequested = true;
                action = stopAction;
            }
            if (action != null) {
                action.run();
            }
        }

        @Override
        public RequestContext context() {
            return this;
        }

        @Override
        public void sendNotification(Notification notification) {
            if (!id.isKnown() || activeRequests.get(id) == this) {
                sink.sendNotification(notification);
            }
        }

        @Override
        public CallOutcome call(
                String method, LongFunction<@Nullable Json> params, Duration timeout)
                throws InterruptedException {
            return sink.call(method, params, timeout);
        }

        @Override
        public boolean isConnected() {
            return sink.isConnected();
        }

        @Override
        public void endStream() {
            sink.endStream();
        }

        @Override
        public void cancelRequest(RequestId other) {
            InboundRequests.this.cancel(other);
        }

        @Override
        public OptionalLong relatedCallId() {
            return sink.relatedCallId();
        }
    }
}
