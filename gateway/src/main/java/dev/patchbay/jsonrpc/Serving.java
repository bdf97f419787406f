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
 * answered once: its entry in {@link #working} is the right to answer, and whoever removes the
 * entry has used that right up.
 */
public final class Serving {
    private static final String SHUTTING_DOWN = "Shutting down";

    /** How long a full house waits for room. Quick requests make it well before. */
    private static final long PATIENCE_MS = 1_000;

    /** What one place holds; a longer request takes several. All together are bounded so. */
    static final int PLACE_BYTES =
            Math.clamp(Runtime.getRuntime().maxMemory() / 6_000, 16 * 1024, 128 * 1024);

    /** What may wait to be read by the peer before a large answer is given up for a small one. */
    private static final long WAITING_BYTES_MAX =
            Math.min(64L * 1024 * 1024, Runtime.getRuntime().maxMemory() / 4);

    private final Handler handler;
    private final int placesMax;
    private final long waitingBytesMax;

    /** Those of the requests in {@link #working}, given back when an answer is handed over. */
    private final Semaphore places;

    private final ConcurrentMap<RequestId, Work> working = new ConcurrentHashMap<>();
    private final AtomicInteger unanswered = new AtomicInteger();

    /** How many of them are handed over at this moment. */
    private final AtomicInteger answering = new AtomicInteger();

    /** The bytes of the answers that are being handed over. */
    private final AtomicLong waitingBytes = new AtomicLong();

    private volatile boolean closing;

    /** Whether the last request waited for room in vain. */
    private volatile boolean stuck;

    public Serving(Handler handler, int requestsMax) {
        this(handler, requestsMax, WAITING_BYTES_MAX);
    }

    Serving(Handler handler, int requestsMax, long waitingBytesMax) {
        this.handler = handler;
        this.waitingBytesMax = waitingBytesMax;
        this.placesMax = requestsMax;
        this.places = new Semaphore(requestsMax);
    }

    /** Begins to serve a request. Its answer goes to the reply, at once or later. */
    public void start(Request request, Reply reply) {
        var work = new Work(request.id(), reply, placesFor(request));
        if (!admit(work)) {
            return;
        }
        try {
            if (handler.isImmediate(request)) {
                work.finish(serve(request.id(), () -> handler.handle(request, work)));
            } else if (!reply.takesAnswersAnywhere() || !passed(request, work)) {
                work.start(() -> handler.handle(request, work));
            }
        } catch (RuntimeException | Error e) { // there may be no memory for a thread
            work.finish(Refusals.failed(request.id(), e));
        }
    }

    /**
     * Serves a request without waiting for anything, where that can be done; false if it is not
     * begun. The answer may come from any thread.
     */
    public boolean pass(Request request, Reply reply) {
        var work = new Work(request.id(), reply, placesFor(request));
        if (closing || !places.tryAcquire(work.places)) {
            return false;
        }
        unanswered.incrementAndGet();
        boolean entered = working.putIfAbsent(work.id, work) == null;
        if (entered && (passed(request, work) || !working.remove(work.id, work))) {
            return true; // begun, or cancelled before it was
        }
        places.release(work.places);
        settled();
        return false;
    }

    private boolean passed(Request request, Work work) {
        try {
            return handler.pass(request, work, work);
        } catch (RpcException e) {
            work.fail(e.error());
        } catch (Throwable e) { // as in serve
            work.finish(Refusals.failed(request.id(), e));
        }
        return true;
    }

    /**
     * Serves a request on the thread of the caller, and returns when it is answered or cancelled.
     * For a transport that has a thread for each request anyway.
     */
    public void run(Request request, Reply reply) {
        var work = new Work(request.id(), reply, placesFor(request));
        if (!admit(work)) {
            return;
        }
        work.stopWith(Thread.currentThread()::interrupt);
        Response response;
        try {
            response = serve(request.id(), () -> handler.handle(request, work));
        } finally {
            work.leave();
        }
        work.finish(response);
    }

    /** Lets the handler take notice of something. */
    public void notice(Notification notification, Reply reply) {
        try {
            handler.notified(notification, new Work(RequestId.UNKNOWN, reply, 0));
        } catch (RuntimeException | Error e) {
            log().log(ERROR, "Notification " + notification.method() + " failed", e);
        }
    }

    /** Stops the work on a request, which then gets no answer. */
    public void cancel(RequestId id) {
        Work work = working.remove(id);
        if (work != null) {
            places.release(work.places);
            work.interrupt();
            work.reply.cancelled();
            settled();
        }
    }

    /** Stops all work, and begins no more; nobody is answered. */
    public void stop() {
        closing = true;
        working.keySet().forEach(this::cancel);
    }

    /** Answers a request in place of its handler, whose work is stopped. */
    public void answer(Response response) {
        Work work = working.get(response.id());
        if (work != null) {
            work.finish(response);
            work.interrupt();
        }
    }

    /** Waits until everything is answered; what is new, or not answered in time, is refused. */
    public void drain(Duration grace) throws InterruptedException {
        closing = true;
        handler.ending();
        long deadline = System.nanoTime() + grace.toNanos();
        synchronized (this) {
            while (unanswered.get() > 0) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    break;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        }
        for (Work work : working.values()) {
            work.finish(Refusals.of(work.id, SHUTTING_DOWN));
            work.interrupt();
        }
    }

    /** How many requests are at work. */
    public int size() {
        return unanswered.get();
    }

    /** Counts a request off, after its answer was handed over. */
    private void settled() {
        if (unanswered.decrementAndGet() == 0 && closing) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** Gives a request its entry, or refuses it. */
    private boolean admit(Work work) {
        RpcError error;
        unanswered.incrementAndGet();
        if (closing) {
            error = RpcError.of(RpcError.INTERNAL_ERROR, SHUTTING_DOWN);
        } else if (!take(work.places)) {
            error = RpcError.of(RpcError.INTERNAL_ERROR, "Too many requests", "OVERLOADED");
        } else if (working.putIfAbsent(work.id, work) != null) {
            places.release(work.places);
            error = RpcError.of(RpcError.INVALID_REQUEST, "Invalid request: its id is in use");
        } else {
            return true;
        }
        work.reply.answer(new Failure(work.id, error));
        settled();
        return false;
    }

    private int placesFor(Request request) {
        Json params = request.params();
        return params == null ? 1 : Math.min(placesMax, 1 + params.length() / PLACE_BYTES);
    }

    /**
     * Takes places for one more request. A peer that sends quick requests faster than they are
     * served is held up for a moment, and one that does not read its answers until it does. Where
     * nothing moves, only the first waits: more would keep the peer's cancellations from being
     * read.
     */
    private boolean take(int wanted) {
        try {
            boolean taken;
            do {
                long patience = stuck && answering.get() == 0 ? 0 : PATIENCE_MS;
                taken = places.tryAcquire(wanted, patience, TimeUnit.MILLISECONDS);
            } while (!taken && answering.get() > 0);
            stuck = !taken;
            return taken;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Response serve(RequestId id, Completion.Work work) {
        try {
            return new Success(id, work.run());
        } catch (RpcException e) {
            return new Failure(id, e.error());
        } catch (InterruptedException _) {
            return Refusals.of(id, "Cancelled");
        } catch (Throwable e) { // also what is no Exception: a request must not go unanswered
            return Refusals.failed(id, e);
        } finally {
            Thread.interrupted(); // an interrupt was for the work; its answer must still get out
        }
    }

    /** One request at work. */
    private final class Work implements Exchange, Completion {
        private final RequestId id;
        private final Reply reply;
        private final int places;

        /** What stops the work, and whether it is to be stopped; guarded by this. */
        private @Nullable Runnable stop;

        private boolean interrupted;

        Work(RequestId id, Reply reply, int places) {
            this.id = id;
            this.reply = reply;
            this.places = places;
        }

        void start(Completion.Work work) {
            stopWith(Thread.ofVirtual().start(() -> finish(serve(id, work)))::interrupt);
        }

        void finish(Response response) {
            if (working.remove(id, this)) {
                answering.incrementAndGet();
                try {
                    answerWithin(response);
                } finally {
                    answering.decrementAndGet();
                    Serving.this.places.release(places);
                    settled();
                }
            }
        }

        /** Answers; so that memory is bounded, a large result is dropped where too much waits. */
        private void answerWithin(Response response) {
            int bytes = response instanceof Success(_, Json result) ? result.length() : 0;
            boolean fits = waitingBytes.addAndGet(bytes) <= waitingBytesMax;
            if (!fits && bytes > PLACE_BYTES) {
                waitingBytes.addAndGet(-bytes);
                reply.answer(Refusals.unread(id));
                return;
            }
            try {
                reply.answer(response);
            } finally {
                waitingBytes.addAndGet(-bytes);
            }
        }

        /** Lets the current thread go: a later interrupt must not meet its next work. */
        synchronized void leave() {
            stop = null;
            Thread.interrupted();
        }

        synchronized void interrupt() {
            interrupted = true;
            if (stop != null) {
                stop.run();
            }
        }

        /** Says what stops the work. It may be too late to go on with it already. */
        private synchronized void stopWith(Runnable action) {
            stop = action;
            if (interrupted) {
                action.run();
            }
        }

        @Override
        public void complete(Json result) {
            finish(new Success(id, result));
        }

        @Override
        public void fail(RpcError error) {
            finish(new Failure(id, error));
        }

        @Override
        public void resume(Completion.Work work) {
            start(work);
        }

        @Override
        public synchronized void onCancel(Runnable action) {
            if (stop == null) { // else it was resumed meanwhile, and its thread is to be stopped
                stopWith(action);
            }
        }

        @Override
        public void notify(Notification notification) {
            if (!id.isKnown() || working.get(id) == this) {
                reply.notify(notification);
            }
        }

        @Override
        public CallOutcome call(
                String method, LongFunction<@Nullable Json> params, Duration timeout)
                throws InterruptedException {
            return reply.call(method, params, timeout);
        }

        @Override
        public void cancel(RequestId other) {
            Serving.this.cancel(other);
        }

        @Override
        public OptionalLong relatedCall() {
            return reply.relatedCall();
        }
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(Serving.class.getName());
    }
}
