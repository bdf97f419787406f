package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;
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
import java.util.function.LongFunction;

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

    private final Outlet outlet;
    private final Abandoned abandoned;
    private final AtomicLong nextId = new AtomicLong();
    private final AtomicLong strays = new AtomicLong();
    private final ConcurrentMap<Long, Pending> pending = new ConcurrentHashMap<>();
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
        return call(outlet, method, params, timeout);
    }

    /** The same over another of the ways to this peer. */
    public CallOutcome call(
            Outlet via, String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        long id = nextId.getAndIncrement();
        var call = new Pending(Thread.currentThread());
        pending.put(id, call);
        try {
            CallOutcome unsent =
                    send(via, new Request(RequestId.of(id), method, params.apply(id)), deadline);
            if (unsent != null) {
                return unsent;
            }
            CallOutcome outcome = call.await(deadline);
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

    private @Nullable CallOutcome send(Outlet via, Request request, long deadline) {
        String gone = ended;
        if (gone != null) {
            return new CallOutcome.NotSent(gone);
        }
        try {
            Duration patience = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            return via.trySend(Encoder.encode(request), patience)
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
        settle(response.id(), new CallOutcome.Invalid(response.why()));
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
        pending.values().forEach(call -> call.settle(new CallOutcome.Lost(why)));
    }

    /** How many answers came that nobody waited for. */
    public long strays() {
        return strays.get();
    }

    /** How many calls wait for their answers. */
    public int waiting() {
        return pending.size();
    }

    private void settle(RequestId id, CallOutcome outcome) {
        Pending call = claim(id);
        if (call == null) {
            strays.incrementAndGet();
        } else {
            call.settle(outcome);
        }
    }

    private @Nullable Pending claim(RequestId id) {
        long number = id.written().asLong(-1);
        return number < 0 ? null : pending.remove(number);
    }

    /** One waiting call: the first outcome stays. */
    private static final class Pending {
        private final Thread waiter;
        private final AtomicReference<@Nullable CallOutcome> outcome = new AtomicReference<>();

        Pending(Thread waiter) {
            this.waiter = waiter;
        }

        void settle(CallOutcome settled) {
            if (outcome.compareAndSet(null, settled)) {
                LockSupport.unpark(waiter);
            }
        }

        /** The outcome, or null at the deadline. */
        @Nullable CallOutcome await(long deadline) throws InterruptedException {
            while (true) {
                CallOutcome settled = outcome.get();
                if (settled != null) {
                    return settled;
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return null;
                }
                LockSupport.parkNanos(this, left);
            }
        }
    }
}
