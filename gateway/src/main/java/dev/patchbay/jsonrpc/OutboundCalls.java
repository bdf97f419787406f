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
import dev.patchbay.text.LoggedFailure;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * The calls to one peer. Each has an id of its own and one outcome. A call stays in {@link
 * #pending} until its response arrives, its time is over, it is cancelled, or the connection ends.
 * Responses that match no pending call are counted and dropped.
 */
public final class OutboundCalls {
    private static final SendResult.Sent ENDED = () -> {};

    /** Called when a call is given up while the peer may still work on it. */
    public interface AbandonListener {
        void onAbandoned(long id, String reason);
    }

    /**
     * A request to the peer.
     *
     * @param params the params, which may depend on the id of the call
     * @param timeout how long the call may take, including the sending
     * @param pausedNanos for how long the timeout was suspended so far; it is suspended while the
     *     peer waits for input from us
     */
    public record CallRequest(
            String method,
            LongFunction<@Nullable Json> params,
            Duration timeout,
            LongSupplier pausedNanos) {
        public CallRequest(String method, LongFunction<@Nullable Json> params, Duration timeout) {
            this(method, params, timeout, () -> 0);
        }
    }

    private final FrameSender sender;
    private final AbandonListener abandonListener;
    private final AtomicLong nextId = new AtomicLong();
    private final AtomicLong unmatchedResponses = new AtomicLong();
    private final ConcurrentMap<Long, PendingCall> pending = new ConcurrentHashMap<>();
    private final Ticker ticker;
    private final TimeoutSweeper timeoutSweeper;
    private volatile @Nullable String closeReason;

    public OutboundCalls(FrameSender sender, AbandonListener abandonListener, Ticker ticker) {
        this.sender = sender;
        this.abandonListener = abandonListener;
        this.ticker = ticker;
        this.timeoutSweeper = new TimeoutSweeper(this::expireOverdue, ticker);
    }

    /**
     * Uses no id below this one. A peer that is reached over one connection after another must not
     * see an id twice.
     */
    public void startIdsAt(long id) {
        nextId.accumulateAndGet(id, Math::max);
    }

    /**
     * Sends a request. Waits at most {@code patience} until the peer makes room for it; zero never
     * waits. The thread that reads the response runs the receiver.
     */
    public SendResult send(CallRequest call, Duration patience, Consumer<CallOutcome> receiver) {
        return send(sender, call, patience, receiver);
    }

    /** Sends a request and waits for the outcome. An interrupt cancels the call. */
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException {
        return call(sender, method, params, timeout);
    }

    /** Sends a request over another stream to the same peer, and waits for the outcome. */
    public CallOutcome call(
            FrameSender via, String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException {
        var slot = new OutcomeSlot(ticker, timeout);
        return switch (send(via, new CallRequest(method, params, timeout), timeout, slot)) {
            case SendResult.NotSent(String reason) -> new CallOutcome.NotSent(reason);
            case SendResult.Sent sent -> await(slot, sent, timeout);
        };
    }

    private CallOutcome await(OutcomeSlot slot, SendResult.Sent sent, Duration timeout)
            throws InterruptedException {
        try {
            CallOutcome outcome = slot.await();
            if (outcome != null) {
                return outcome;
            }
        } catch (InterruptedException e) {
            sent.cancel();
            throw e;
        }
        if (sent instanceof SentCall call) {
            abandon(call.id, "No answer within " + timeout.toMillis() + " ms");
        }
        return new CallOutcome.TimedOut();
    }

    private SendResult send(
            FrameSender via,
            CallRequest request,
            Duration patience,
            Consumer<CallOutcome> receiver) {
        String closed = closeReason;
        if (closed != null) {
            return new SendResult.NotSent(closed);
        }
        long deadline = ticker.deadlineAfter(request.timeout);
        long id = nextId.getAndIncrement();
        EncodedJson frame =
                Encoder.encode(
                        new Request(RequestId.of(id), request.method, request.params.apply(id)));
        long endOffset = sender.sentBytes() + frame.length();
        pending.put(id, new PendingCall(request, receiver, deadline, endOffset));
        closed = closeReason;
        if (closed != null) { // close() may have missed the new entry
            return notSent(id, closed);
        }
        if (!(receiver instanceof OutcomeSlot)) {
            timeoutSweeper.ensureScheduled();
        }
        try {
            return via.trySend(frame, patience)
                    ? new SentCall(id)
                    : notSent(id, "it does not read its input");
        } catch (IOException _) {
            closed = closeReason;
            return onSendFailed(id, patience, closed != null ? closed : "Its input is closed");
        } catch (RuntimeException | Error e) {
            pending.remove(id);
            throw e;
        }
    }

    private SendResult notSent(long id, String reason) {
        return pending.remove(id) == null ? ENDED : new SendResult.NotSent(reason);
    }

    /**
     * The peer has closed its input. A caller that does not wait may try another connection, since
     * the peer cannot have read the whole request. A caller that waits learns of the loss.
     */
    private SendResult onSendFailed(long id, Duration patience, String reason) {
        if (patience.isZero()) {
            return notSent(id, reason);
        }
        complete(id, new CallOutcome.ConnectionLost(reason));
        return ENDED;
    }

    private void abandon(long id, String reason) {
        if (pending.remove(id) != null) {
            abandonListener.onAbandoned(id, reason);
        }
    }

    /** Ends the calls whose time is over. Returns whether calls with a timeout are left. */
    private boolean expireOverdue() {
        long now = ticker.nanoTime();
        boolean left = sender.unblockWriter();
        for (var entry : pending.entrySet()) {
            PendingCall call = entry.getValue();
            if (!(call.receiver instanceof OutcomeSlot)) { // a waiting thread has its own deadline
                left = true;
                if (call.isOverdue(now) && pending.remove(entry.getKey(), call)) {
                    abandonListener.onAbandoned(entry.getKey(), "no response in time");
                    // The receiver may block, and this thread serves all connections.
                    Thread.startVirtualThread(() -> call.complete(new CallOutcome.TimedOut()));
                }
            }
        }
        return left;
    }

    /** Completes the call that a response answers. */
    public void complete(Response response) {
        switch (response) {
            case Success(RequestId id, Json result) -> complete(id, new CallOutcome.Result(result));
            case Failure(RequestId id, RpcError error) ->
                    complete(id, new CallOutcome.ErrorResponse(error));
        }
    }

    /** Completes the call whose response is invalid. */
    public void complete(BadResponse response) {
        complete(
                response.id(),
                new CallOutcome.InvalidResponse(response.reason(), response.tooDeepResult()));
    }

    /**
     * Completes the call whose id a frame without result, error and method has. Returns false if
     * there is none: on a connection with requests in both directions, such a frame may be an
     * invalid request.
     */
    boolean complete(Malformed frame) {
        PendingCall call = frame.id().isKnown() ? removePending(frame.id()) : null;
        if (call != null) {
            call.complete(new CallOutcome.InvalidResponse(frame.error().message()));
        }
        return call != null;
    }

    /** Ends all calls because the peer is gone. Later calls are not sent. */
    public void close(String reason) {
        closeReason = reason;
        failPending(reason);
    }

    /** Ends all calls because the peer cannot be reached. Later calls are sent. */
    public void failPending(String reason) {
        for (Long id : pending.keySet()) {
            PendingCall call = pending.remove(id);
            if (call != null) {
                call.complete(new CallOutcome.ConnectionLost(reason));
            }
        }
    }

    /** Whether the peer is gone. True before any caller learns that its call was lost. */
    public boolean isClosed() {
        return closeReason != null;
    }

    /** How many responses matched no pending call. */
    public long unmatchedResponses() {
        return unmatchedResponses.get();
    }

    /** How many calls have no outcome yet. */
    public int pendingCount() {
        return pending.size();
    }

    /** Completes a call that will get no response. */
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

    /** A call that was sent. */
    private final class SentCall implements SendResult.Sent {
        private final long id;

        SentCall(long id) {
            this.id = id;
        }

        @Override
        public void cancel() {
            abandon(id, "Cancelled");
        }
    }

    /**
     * A call without an outcome. Removing it from the pending calls is the right to complete it.
     *
     * @param endOffset at least this many bytes the peer has read when it answers the call
     */
    private record PendingCall(
            CallRequest request, Consumer<CallOutcome> receiver, long deadline, long endOffset) {
        boolean isOverdue(long now) {
            return deadline + request.pausedNanos.getAsLong() - now <= 0;
        }

        /** If the receiver fails, such as for lack of memory, it gets a small outcome instead. */
        void complete(CallOutcome outcome) {
            try {
                receiver.accept(outcome);
            } catch (RuntimeException | Error e) {
                System.getLogger(OutboundCalls.class.getName())
                        .log(ERROR, "A response could not be forwarded", new LoggedFailure(e));
                receiver.accept(new CallOutcome.InvalidResponse("it could not be taken in"));
            }
        }
    }

    /** Takes the outcome of a call that a thread waits for. */
    private static final class OutcomeSlot implements Consumer<CallOutcome> {
        private final Ticker ticker;
        private final long deadline;
        private final Thread waiter = Thread.currentThread();
        private volatile @Nullable CallOutcome outcome;

        OutcomeSlot(Ticker ticker, Duration timeout) {
            this.ticker = ticker;
            this.deadline = ticker.deadlineAfter(timeout);
        }

        @Override
        public void accept(CallOutcome value) {
            outcome = value;
            LockSupport.unpark(waiter);
        }

        /** The outcome, or null at the deadline. */
        @Nullable CallOutcome await() throws InterruptedException {
            while (true) {
                CallOutcome known = outcome;
                if (known != null) {
                    return known;
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                long left = deadline - ticker.nanoTime();
                if (left <= 0) {
                    return null;
                }
                ticker.parkNanos(this, left);
            }
        }
    }
}
