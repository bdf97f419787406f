package dev.patchbay.jsonrpc;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonText;
import dev.patchbay.jsonrpc.Inbound.BadResponse;
import dev.patchbay.jsonrpc.Inbound.Malformed;
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
public final class Calls {
    /** Told when a call is given up while the peer may be at work on it. */
    public interface Abandoned {
        void abandoned(long id, String why);
    }

    /**
     * How long a call may take.
     *
     * @param paused for how many nanoseconds the clock stood still so far, as it does while the
     *     peer waits for an answer of ours
     */
    public record Clock(Duration timeout, LongSupplier paused) {
        public Clock(Duration timeout) {
            this(timeout, () -> 0);
        }
    }

    private final Outlet outlet;
    private final Abandoned abandoned;
    private final AtomicLong nextId = new AtomicLong();
    private final AtomicLong strays = new AtomicLong();
    private final ConcurrentMap<Long, Pending> pending = new ConcurrentHashMap<>();
    private final Expiry expiry = new Expiry(this::expire);
    private volatile @Nullable String ended;

    public Calls(Outlet outlet, Abandoned abandoned) {
        this.outlet = outlet;
        this.abandoned = abandoned;
    }

    /**
     * Sends a request under a new id and waits for its outcome. The params may depend on the id.
     * The timeout covers the sending too. An interrupt abandons the call.
     */
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException {
        return call(outlet, method, params, new Clock(timeout));
    }

    /** The same with a clock that may stand still. */
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Clock clock)
            throws InterruptedException {
        return call(outlet, method, params, clock);
    }

    /** The same over another of the ways to this peer. */
    public CallOutcome call(
            Outlet via, String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException {
        return call(via, method, params, new Clock(timeout));
    }

    private CallOutcome call(
            Outlet via, String method, LongFunction<@Nullable Json> params, Clock clock)
            throws InterruptedException {
        Duration timeout = clock.timeout;
        long deadline = System.nanoTime() + timeout.toNanos();
        long id = nextId.getAndIncrement();
        JsonText frame = Encoder.encode(new Request(RequestId.of(id), method, params.apply(id)));
        var call = new Waiting(Thread.currentThread(), mark(frame));
        pending.put(id, call);
        try {
            CallOutcome unsent = send(via, frame, deadline);
            if (unsent != null) {
                return unsent;
            }
            CallOutcome outcome = call.await(deadline, clock);
            if (outcome != null) {
                return outcome;
            }
            abandoned.abandoned(id, "No answer within " + timeout.toMillis() + " ms");
            return new CallOutcome.TimedOut();
        } catch (InterruptedException e) {
            abandoned.abandoned(id, "Cancelled");
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
    public @Nullable Runnable begin(
            String method,
            LongFunction<@Nullable Json> params,
            Clock clock,
            Consumer<CallOutcome> receiver) {
        if (ended != null) {
            return null;
        }
        long id = nextId.getAndIncrement();
        JsonText frame = Encoder.encode(new Request(RequestId.of(id), method, params.apply(id)));
        long deadline = System.nanoTime() + clock.timeout.toNanos();
        pending.put(id, new Passed(receiver, deadline, clock, mark(frame)));
        if (ended != null) { // the end may have come before the call could be seen by it
            return pending.remove(id) == null ? () -> {} : null;
        }
        expiry.watch();
        try {
            if (outlet.trySend(frame, Duration.ZERO)) {
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
            abandoned.abandoned(id, why);
        }
    }

    /** Ends the calls whose time is over; whether any is left that could come to that. */
    private boolean expire() {
        long now = System.nanoTime();
        boolean left = outlet.freeSender();
        for (var entry : pending.entrySet()) {
            if (entry.getValue() instanceof Passed call) {
                left = true;
                if (call.deadline + call.clock.paused.getAsLong() - now <= 0
                        && pending.remove(entry.getKey(), call)) {
                    abandoned.abandoned(entry.getKey(), "No answer in time");
                    // The receiver may wait, and others expire here.
                    Thread.startVirtualThread(() -> call.settle(new CallOutcome.TimedOut()));
                }
            }
        }
        return left;
    }

    /** At least so many bytes a peer has read that answers a frame about to be sent. */
    private long mark(JsonText frame) {
        return outlet.sentBytes() + frame.length();
    }

    private @Nullable CallOutcome send(Outlet via, JsonText frame, long deadline) {
        String gone = ended;
        if (gone != null) {
            return new CallOutcome.NotSent(gone);
        }
        try {
            Duration patience = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            return via.trySend(frame, patience)
                    ? null
                    : new CallOutcome.NotSent("It does not read what it is sent");
        } catch (IOException e) {
            String why = ended;
            return new CallOutcome.Lost(why != null ? why : "Its input is closed");
        }
    }

    /** Settles the call that a response answers. */
    public void settle(Response response) {
        switch (response) {
            case Success(RequestId id, Json result) -> settle(id, new CallOutcome.Result(result));
            case Failure(RequestId id, RpcError error) ->
                    settle(id, new CallOutcome.Refused(error));
        }
    }

    /** Settles the call whose response is broken. */
    public void settle(BadResponse response) {
        settle(response.id(), new CallOutcome.Invalid(response.why(), response.tooDeep()));
    }

    /**
     * Settles the call that a frame without result, error and method names by its id; false if it
     * names none. On a connection that both sides call over, such a frame may be a bad request.
     */
    boolean settle(Malformed frame) {
        Pending call = frame.id().isKnown() ? claim(frame.id()) : null;
        if (call != null) {
            call.settle(new CallOutcome.Invalid(frame.error().message()));
        }
        return call != null;
    }

    /** Ends all calls, now and from now on: the peer is gone. */
    public void end(String why) {
        ended = why;
        for (Long id : pending.keySet()) {
            Pending call = pending.remove(id);
            if (call != null) {
                call.settle(new CallOutcome.Lost(why));
            }
        }
    }

    /** Whether the peer is gone; known before any caller learns that its call was lost. */
    public boolean isEnded() {
        return ended != null;
    }

    /** How many answers came that nobody waited for. */
    public long strays() {
        return strays.get();
    }

    /** How many calls wait for their answers. */
    public int waiting() {
        return pending.size();
    }

    /** Settles a call that will get no answer. */
    void settle(long id, CallOutcome outcome) {
        Pending call = pending.remove(id);
        if (call != null) {
            call.settle(outcome);
        }
    }

    private void settle(RequestId id, CallOutcome outcome) {
        Pending call = claim(id);
        if (call == null) {
            strays.incrementAndGet();
        } else {
            outlet.hasRead(call.mark());
            call.settle(outcome);
        }
    }

    private @Nullable Pending claim(RequestId id) {
        long number = id.written().asLong(-1);
        return number < 0 ? null : pending.remove(number);
    }

    /** A call without an outcome. */
    private sealed interface Pending {
        void settle(CallOutcome outcome);

        /** How much the peer has read when it answers. */
        long mark();
    }

    /** A call that nobody waits for: whoever removes it from the pending ones has its outcome. */
    private record Passed(Consumer<CallOutcome> receiver, long deadline, Clock clock, long mark)
            implements Pending {
        /** An outcome that cannot be taken in, as for want of memory, becomes a small one. */
        @Override
        public void settle(CallOutcome outcome) {
            try {
                receiver.accept(outcome);
            } catch (RuntimeException | Error e) {
                System.getLogger(Calls.class.getName())
                        .log(ERROR, "An answer could not be passed on", e);
                receiver.accept(new CallOutcome.Invalid("it could not be taken in"));
            }
        }
    }

    /** A call that a thread waits for: the first outcome stays. */
    private static final class Waiting implements Pending {
        private final Thread waiter;
        private final long mark;
        private final AtomicReference<@Nullable CallOutcome> outcome = new AtomicReference<>();

        Waiting(Thread waiter, long mark) {
            this.waiter = waiter;
            this.mark = mark;
        }

        @Override
        public long mark() {
            return mark;
        }

        @Override
        public void settle(CallOutcome settled) {
            if (outcome.compareAndSet(null, settled)) {
                LockSupport.unpark(waiter);
            }
        }

        /** The outcome, or null at the deadline. */
        @Nullable CallOutcome await(long deadline, Clock clock) throws InterruptedException {
            while (true) {
                CallOutcome settled = outcome.get();
                if (settled != null) {
                    return settled;
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                long left = deadline + clock.paused.getAsLong() - System.nanoTime();
                if (left <= 0) {
                    return null;
                }
                LockSupport.parkNanos(this, left);
            }
        }
    }
}
