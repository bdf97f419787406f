package dev.patchbay.jsonrpc;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.Message.Success;

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
 * The requests of one peer that are at work. Each runs on a virtual thread of its own and is
 * answered once: its entry in {@link #activeRequests} is the right to answer, and whoever removes
 * the entry has used that right up.
 */
public final class InboundRequests {
    private static final String SHUTTING_DOWN = "Shutting down";

    /** How long a full house waits for room. Quick requests make it well before. */
    private static final long ADMISSION_WAIT_MS = 1_000;

    /** What one place holds; a longer request takes several. All together are bounded so. */
    static final int PERMIT_BYTES =
            Math.clamp(Runtime.getRuntime().maxMemory() / 6_000, 16 * 1024, 128 * 1024);

    /** What may wait to be read by the peer before a large answer is given up for a small one. */
    private static final long UNSENT_BYTES_MAX =
            Math.min(64L * 1024 * 1024, Runtime.getRuntime().maxMemory() / 4);

    private final RpcHandler handler;
    private final int permitsMax;
    private final long unsentBytesMax;

    /**
     * Those of the requests in {@link #activeRequests}, given back when an answer is handed over.
     */
    private final Semaphore permits;

    private final ConcurrentMap<RequestId, ActiveRequest> activeRequests =
            new ConcurrentHashMap<>();
    private final AtomicInteger unansweredCount = new AtomicInteger();

    /** How many of them are handed over at this moment. */
    private final AtomicInteger respondingCount = new AtomicInteger();

    /** The bytes of the answers that are being handed over. */
    private final AtomicLong unsentBytes = new AtomicLong();

    private volatile boolean closing;

    /** Whether the last request waited for room in vain. */
    private volatile boolean isStalled;

    public InboundRequests(RpcHandler handler, int requestsMax) {
        this(handler, requestsMax, UNSENT_BYTES_MAX);
    }

    InboundRequests(RpcHandler handler, int requestsMax, long waitingBytesMax) {
        this.handler = handler;
        this.unsentBytesMax = waitingBytesMax;
        this.permitsMax = requestsMax;
        this.permits = new Semaphore(requestsMax);
    }

    /** Begins to serve a request. Its answer goes to the reply, at once or later. */
    public void start(Request request, ResponseSink reply) {
        var work = new ActiveRequest(request.id(), reply, permitsFor(request));
        if (!admit(work)) {
            return;
        }
        try {
            if (handler.isHandledInOrder(request)) {
                work.finish(runToResponse(request.id(), () -> handler.handle(request, work)));
            } else if (!reply.acceptsResponseFromAnyThread() || !tryPass(request, work)) {
                work.start(() -> handler.handle(request, work));
            }
        } catch (RuntimeException | Error e) { // there may be no memory for a thread
            work.finish(ErrorResponses.unexpectedError(request.id(), e));
        }
    }

    /**
     * Serves a request without waiting for anything, where that can be done; false if it is not
     * begun. The answer may come from any thread.
     */
    public boolean pass(Request request, ResponseSink reply) {
        var work = new ActiveRequest(request.id(), reply, permitsFor(request));
        if (closing || !permits.tryAcquire(work.permitCount)) {
            return false;
        }
        unansweredCount.incrementAndGet();
        boolean entered = activeRequests.putIfAbsent(work.id, work) == null;
        if (entered && (tryPass(request, work) || !activeRequests.remove(work.id, work))) {
            return true; // begun, or cancelled before it was
        }
        permits.release(work.permitCount);
        onRequestFinished();
        return false;
    }

    private boolean tryPass(Request request, ActiveRequest work) {
        try {
            return handler.pass(request, work, work);
        } catch (RpcException e) {
            work.fail(e.error());
        } catch (Throwable e) { // as in serve
            work.finish(ErrorResponses.unexpectedError(request.id(), e));
        }
        return true;
    }

    /**
     * Serves a request on the thread of the caller, and returns when it is answered or cancelled.
     * For a transport that has a thread for each request anyway.
     */
    public void handleInCallerThread(Request request, ResponseSink reply) {
        var work = new ActiveRequest(request.id(), reply, permitsFor(request));
        if (!admit(work)) {
            return;
        }
        work.setStopAction(Thread.currentThread()::interrupt);
        Response response;
        try {
            response = runToResponse(request.id(), () -> handler.handle(request, work));
        } finally {
            work.releaseThread();
        }
        work.finish(response);
    }

    /** Lets the handler take notice of something. */
    public void handleNotification(Notification notification, ResponseSink reply) {
        try {
            handler.onNotification(notification, new ActiveRequest(RequestId.UNKNOWN, reply, 0));
        } catch (RuntimeException | Error e) {
            log().log(ERROR, "Notification " + notification.method() + " failed", e);
        }
    }

    /** Stops the work on a request, which then gets no answer. */
    public void cancel(RequestId id) {
        ActiveRequest work = activeRequests.remove(id);
        if (work != null) {
            permits.release(work.permitCount);
            work.requestStop();
            work.sink.onCancelled();
            onRequestFinished();
        }
    }

    /** Stops all work, and begins no more; nobody is answered. */
    public void stop() {
        closing = true;
        activeRequests.keySet().forEach(this::cancel);
    }

    /** Answers a request in place of its handler, whose work is stopped. */
    public void respond(Response response) {
        ActiveRequest work = activeRequests.get(response.id());
        if (work != null) {
            work.finish(response);
            work.requestStop();
        }
    }

    /** Waits until everything is answered; what is new, or not answered in time, is refused. */
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
        for (ActiveRequest work : activeRequests.values()) {
            work.finish(ErrorResponses.internalError(work.id, SHUTTING_DOWN));
            work.requestStop();
        }
    }

    /** How many requests are at work. */
    public int size() {
        return unansweredCount.get();
    }

    /** Counts a request off, after its answer was handed over. */
    private void onRequestFinished() {
        if (unansweredCount.decrementAndGet() == 0 && closing) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** Gives a request its entry, or refuses it. */
    private boolean admit(ActiveRequest work) {
        RpcError error;
        unansweredCount.incrementAndGet();
        if (closing) {
            error = RpcError.of(RpcError.INTERNAL_ERROR, SHUTTING_DOWN);
        } else if (!acquirePermits(work.permitCount)) {
            error = RpcError.of(RpcError.INTERNAL_ERROR, "Too many requests", "OVERLOADED");
        } else if (activeRequests.putIfAbsent(work.id, work) != null) {
            permits.release(work.permitCount);
            error = RpcError.of(RpcError.INVALID_REQUEST, "Invalid request: its id is in use");
        } else {
            return true;
        }
        work.sink.respond(new Failure(work.id, error));
        onRequestFinished();
        return false;
    }

    private int permitsFor(Request request) {
        Json params = request.params();
        return params == null ? 1 : Math.min(permitsMax, 1 + params.length() / PERMIT_BYTES);
    }

    /**
     * Takes places for one more request. A peer that sends quick requests faster than they are
     * served is held up for a moment, and one that does not read its answers until it does. Where
     * nothing moves, only the first waits: more would keep the peer's cancellations from being
     * read.
     */
    private boolean acquirePermits(int wanted) {
        try {
            boolean taken;
            do {
                long patience = isStalled && respondingCount.get() == 0 ? 0 : ADMISSION_WAIT_MS;
                taken = permits.tryAcquire(wanted, patience, TimeUnit.MILLISECONDS);
            } while (!taken && respondingCount.get() > 0);
            isStalled = !taken;
            return taken;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Response runToResponse(RequestId id, Responder.BlockingWork work) {
        try {
            return new Success(id, work.run());
        } catch (RpcException e) {
            return new Failure(id, e.error());
        } catch (InterruptedException _) {
            return ErrorResponses.internalError(id, "Cancelled");
        } catch (Throwable e) { // also what is no Exception: a request must not go unanswered
            return ErrorResponses.unexpectedError(id, e);
        } finally {
            Thread.interrupted(); // an interrupt was for the work; its answer must still get out
        }
    }

    /** One request at work. */
    private final class ActiveRequest implements RequestContext, Responder {
        private final RequestId id;
        private final ResponseSink sink;
        private final int permitCount;

        /** What stops the work, and whether it is to be stopped; guarded by this. */
        private @Nullable Runnable stopAction;

        private boolean stopRequested;

        ActiveRequest(RequestId id, ResponseSink reply, int places) {
            this.id = id;
            this.sink = reply;
            this.permitCount = places;
        }

        void start(Responder.BlockingWork work) {
            setStopAction(
                    Thread.ofVirtual().start(() -> finish(runToResponse(id, work)))::interrupt);
        }

        void finish(Response response) {
            if (activeRequests.remove(id, this)) {
                respondingCount.incrementAndGet();
                try {
                    respondWithinLimit(response);
                } finally {
                    respondingCount.decrementAndGet();
                    InboundRequests.this.permits.release(permitCount);
                    onRequestFinished();
                }
            }
        }

        /** Answers; so that memory is bounded, a large result is dropped where too much waits. */
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

        /** Lets the current thread go: a later interrupt must not meet its next work. */
        synchronized void releaseThread() {
            stopAction = null;
            Thread.interrupted();
        }

        synchronized void requestStop() {
            stopRequested = true;
            if (stopAction != null) {
                stopAction.run();
            }
        }

        /** Says what stops the work. It may be too late to go on with it already. */
        private synchronized void setStopAction(Runnable action) {
            stopAction = action;
            if (stopRequested) {
                action.run();
            }
        }

        @Override
        public void succeed(Json result) {
            finish(new Success(id, result));
        }

        @Override
        public void fail(RpcError error) {
            finish(new Failure(id, error));
        }

        @Override
        public void fork(Responder.BlockingWork work) {
            start(work);
        }

        @Override
        public synchronized void onCancel(Runnable action) {
            if (stopAction
                    == null) { // else it was resumed meanwhile, and its thread is to be stopped
                setStopAction(action);
            }
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
        public void cancelRequest(RequestId other) {
            InboundRequests.this.cancel(other);
        }

        @Override
        public OptionalLong relatedCallId() {
            return sink.relatedCallId();
        }
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(InboundRequests.class.getName());
    }
}
