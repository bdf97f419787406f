package dev.patchbay.jsonrpc;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.DecodedFrame.BadResponse;
import dev.patchbay.jsonrpc.DecodedFrame.Malformed;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.Message.Success;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * The calling side of one conversation: own ids, one outcome per call. A call waits in {@link
 * #pending} and leaves it once: with its answer, at its deadline, or with the end of the peer. What
 * arrives for no waiting call is counted and dropped.
 */
public final class OutboundCalls {
    /** Told when a call is given up while the peer may be at work on it. */
    public interface AbandonListener {
        void onAbandoned(long id, String why);
    }

    /**
     * How long a call may take.
     *
     * @param pausedNanos for how many nanoseconds the clock stood still so far, as it does while
     *     the peer waits for an answer of ours
     */
    public record CallTimeout(Duration duration, LongSupplier pausedNanos) {
        public CallTimeout(Duration timeout) {
            this(timeout, () -> 0);
        }
    }

    private final FrameSender sender;
    private final AbandonListener abandonListener;
    private final AtomicLong nextId = new AtomicLong();
    private final AtomicLong unmatchedResponses = new AtomicLong();
    private final ConcurrentMap<Long, PendingCall> pending = new ConcurrentHashMap<>();
    private final TimeoutSweeper timeoutSweeper = new TimeoutSweeper(this::expireOverdue);
    private volatile @Nullable String closeReason;

    public OutboundCalls(FrameSender outlet, AbandonListener abandoned) {
        this.sender = outlet;
        this.abandonListener = abandoned;
    }

    /**
     * Sends a request under a new id and waits for its outcome. The params may depend on the id.
     * The timeout covers the sending too. An interrupt abandons the call.
     */
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException {
        return call(sender, method, params, new CallTimeout(timeout));
    }

    /** The same with a clock that may stand still. */
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, CallTimeout clock)
            throws InterruptedException {
        return call(sender, method, params, clock);
    }

    /** The same over another of the ways to this peer. */
    public CallOutcome call(
            FrameSender via, String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException {
        return call(via, method, params, new CallTimeout(timeout));
    }

    private CallOutcome call(
            FrameSender via, String method, LongFunction<@Nullable Json> params, CallTimeout clock)
            throws InterruptedException {
        Duration timeout = clock.duration;
        long deadline = System.nanoTime() + timeout.toNanos();
        long id = nextId.getAndIncrement();
        EncodedJson frame = Encoder.encode(new Request(RequestId.of(id), method, params.apply(id)));
        var call = new BlockingCall(Thread.currentThread(), endOffset(frame));
        pending.put(id, call);
        try {
            CallOutcome unsent = sendFrame(via, frame, deadline);
            if (unsent != null) {
                return unsent;
            }
            CallOutcome outcome = call.await(deadline, clock);
            if (outcome != null) {
                return outcome;
            }
            abandonListener.onAbandoned(id, "No answer within " + timeout.toMillis() + " ms");
            return new CallOutcome.TimedOut();
        } catch (InterruptedException e) {
            abandonListener.onAbandoned(id, "Cancelled");
            throw e;
        } finally {
            pending.remove(id);
        }
    }

    /**
     * Sends a request without waiting, and hands the outcome over when it is there. The thread that
     * reads the answer runs the receiver.
     *
     * @return the way to give the call up; null if it could not be sent at once, and was not
     */
    public @Nullable Runnable send(
            String method,
            LongFunction<@Nullable Json> params,
            CallTimeout clock,
            Consumer<CallOutcome> receiver) {
        if (closeReason != null) {
            return null;
        }
        long id = nextId.getAndIncrement();
        EncodedJson frame = Encoder.encode(new Request(RequestId.of(id), method, params.apply(id)));
        long deadline = System.nanoTime() + clock.duration.toNanos();
        pending.put(id, new AsyncCall(receiver, deadline, clock, endOffset(frame)));
        if (closeReason != null) { // the end may have come before the call could be seen by it
            return pending.remove(id) == null ? () -> {} : null;
        }
        timeoutSweeper.ensureScheduled();
        try {
            if (sender.trySend(frame, Duration.ZERO)) {
                return () -> abandon(id, "Cancelled");
            }
        } catch (IOException _) {
            // Nothing of it left us, as far as the caller of another way will find out itself.
        } catch (RuntimeException | Error e) {
            pending.remove(id);
            throw e;
        }
        return pending.remove(id) == null ? () -> {} : null;
    }

    private void abandon(long id, String why) {
        if (pending.remove(id) != null) {
            abandonListener.onAbandoned(id, why);
        }
    }

    /** Ends the calls whose time is over; whether any is left that could come to that. */
    private boolean expireOverdue() {
        long now = System.nanoTime();
        boolean left = sender.unblockWriter();
        for (var entry : pending.entrySet()) {
            if (entry.getValue() instanceof AsyncCall call) {
                left = true;
                if (call.deadline + call.timeout.pausedNanos.getAsLong() - now <= 0
                        && pending.remove(entry.getKey(), call)) {
                    abandonListener.onAbandoned(entry.getKey(), "No answer in time");
                    // The receiver may wait, and others expire here.
                    Thread.startVirtualThread(() -> call.complete(new CallOutcome.TimedOut()));
                }
            }
        }
        return left;
    }

    /** At least so many bytes a peer has read that answers a frame about to be sent. */
    private long endOffset(EncodedJson frame) {
        return sender.sentBytes() + frame.length();
    }

    private @Nullable CallOutcome sendFrame(FrameSender via, EncodedJson frame, long deadline) {
        String gone = closeReason;
        if (gone != null) {
            return new CallOutcome.NotSent(gone);
        }
        try {
            Duration patience = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            return via.trySend(frame, patience)
                    ? null
                    : new CallOutcome.NotSent("It does not read what it is sent");
        } catch (IOException e) {
            String why = closeReason;
            return new CallOutcome.ConnectionLost(why != null ? why : "Its input is closed");
        }
    }

    /** Settles the call that a response answers. */
    public void complete(Response response) {
        switch (response) {
            case Success(RequestId id, Json result) -> complete(id, new CallOutcome.Result(result));
            case Failure(RequestId id, RpcError error) ->
                    complete(id, new CallOutcome.ErrorResponse(error));
        }
    }

    /** Settles the call whose response is broken. */
    public void complete(BadResponse response) {
        complete(
                response.id(),
                new CallOutcome.InvalidResponse(response.reason(), response.tooDeepResult()));
    }

    /**
     * Settles the call that a frame without result, error and method names by its id; false if it
     * names none. On a connection that both sides call over, such a frame may be a bad request.
     */
    boolean complete(Malformed frame) {
        PendingCall call = frame.id().isKnown() ? removePending(frame.id()) : null;
        if (call != null) {
            call.complete(new CallOutcome.InvalidResponse(frame.error().message()));
        }
        return call != null;
    }

    /** Ends all calls, now and from now on: the peer is gone. */
    public void close(String why) {
        closeReason = why;
        for (Long id : pending.keySet()) {
            PendingCall call = pending.remove(id);
            if (call != null) {
                call.complete(new CallOutcome.ConnectionLost(why));
            }
        }
    }

    /** Whether the peer is gone; known before any caller learns that its call was lost. */
    public boolean isClosed() {
        return closeReason != null;
    }

    /** How many answers came that nobody waited for. */
    public long unmatchedResponses() {
        return unmatchedResponses.get();
    }

    /** How many calls wait for their answers. */
    public int pendingCount() {
        return pending.size();
    }

    /** Settles a call that will get no answer. */
    void complete(long id, CallOutcome outcome) {
        PendingCall call = pending.remove(id);
        if (call != null) {
            call.complete(outcome);
        }
    }

    private void complete(RequestId id, CallOutcome outcome) {
        PendingCall call = removePending(id);
        if (call == null) {
            unmatchedResponses.incrementAndGet();
        } else {
            sender.acknowledgeRead(call.endOffset());
            call.complete(outcome);
        }
    }

    private @Nullable PendingCall removePending(RequestId id) {
        long number = id.json().asLong(-1);
        return number < 0 ? null : pending.remove(number);
    }

    /** A call without an outcome. */
    private sealed interface PendingCall {
        void complete(CallOutcome outcome);

        /** How much the peer has read when it answers. */
        long endOffset();
    }

    /** A call that nobody waits for: whoever removes it from the pending ones has its outcome. */
    private record AsyncCall(
            Consumer<CallOutcome> receiver, long deadline, CallTimeout timeout, long endOffset)
            implements PendingCall {
        /** An outcome that cannot be taken in, as for want of memory, becomes a small one. */
        @Override
        public void complete(CallOutcome outcome) {
            try {
                receiver.accept(outcome);
            } catch (RuntimeException | Error e) {
                System.getLogger(OutboundCalls.class.getName())
                        .log(ERROR, "An answer could not be passed on", e);
                receiver.accept(new CallOutcome.InvalidResponse("it could not be taken in"));
            }
        }
    }

    /** A call that a thread waits for: the first outcome stays. */
    private static final class BlockingCall implements PendingCall {
        private final Thread waiter;
        private final long endOffset;
        private final AtomicReference<@Nullable CallOutcome> outcome = new AtomicReference<>();

        BlockingCall(Thread waiter, long mark) {
            this.waiter = waiter;
            this.endOffset = mark;
        }

        @Override
        public long endOffset() {
            return endOffset;
        }

        @Override
        public void complete(CallOutcome settled) {
            if (outcome.compareAndSet(null, settled)) {
                LockSupport.unpark(waiter);
            }
        }

        /** The outcome, or null at the deadline. */
        @Nullable CallOutcome await(long deadline, CallTimeout clock) throws InterruptedException {
            while (true) {
                CallOutcome settled = outcome.get();
                if (settled != null) {
                    return settled;
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                long left = deadline + clock.pausedNanos.getAsLong() - System.nanoTime();
                if (left <= 0) {
                    return null;
                }
                LockSupport.parkNanos(this, left);
            }
        }
    }
}
