package dev.patchbay.server;

import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Lets a few servers start at a time, so that many together do not all miss their deadlines. A
 * place is held until the server is connected, but only as long as the server is really at work: a
 * silent one needs no processor and gives its place back at once.
 */
public final class StartLimiter {
    /** So many heavy servers per processor still come to terms within their timeouts. */
    private static final int PERMITS_PER_PROCESSOR = 4;

    public static final int DEFAULT_PERMITS =
            PERMITS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();

    /** Longer than this nobody waits for a place: it is a courtesy, not a lock. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private static final Duration HOLD_MAX = Duration.ofSeconds(2);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(20);

    /** Who goes first of those that wait; among equals, who came first. */
    public enum Priority {
        /** Somebody waits to call it. */
        HIGH,
        NORMAL,
        /** It failed the last time, so that nobody counts on it. */
        LOW
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Waiter> waiters = new ArrayList<>();
    private final Ticker ticker;
    private int availablePermits;

    public StartLimiter(int permits, Ticker ticker) {
        this.availablePermits = permits;
        this.ticker = ticker;
    }

    /** One that waits for a place. Its turn may change while it does. */
    private record Waiter(Supplier<Priority> priority, CountDownLatch admitted) {}

    /** Waits for a place. */
    Permit acquire(Supplier<Priority> turn) throws InterruptedException {
        var mine = new Waiter(turn, new CountDownLatch(1));
        lock.lock();
        try {
            if (availablePermits > 0) {
                availablePermits--;
                return new Permit(true, this);
            }
            waiters.add(mine);
        } finally {
            lock.unlock();
        }
        try {
            boolean called = ticker.await(mine.admitted, WAIT_MAX);
            // Who is not in the queue any more was called at the last moment.
            return new Permit(called || !removeWaiter(mine), this);
        } catch (InterruptedException e) {
            if (!removeWaiter(mine)) {
                release();
            }
            throw e;
        }
    }

    /** Whether it was still in the queue. */
    private boolean removeWaiter(Waiter one) {
        lock.lock();
        try {
            return waiters.remove(one);
        } finally {
            lock.unlock();
        }
    }

    private void release() {
        lock.lock();
        try {
            Waiter next = nextWaiter();
            if (next == null) {
                availablePermits++;
            } else {
                waiters.remove(next);
                next.admitted.countDown();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Who is next. A comparator of the JDK would cost a start some milliseconds here. */
    private @Nullable Waiter nextWaiter() {
        Waiter next = null;
        Priority best = null;
        for (Waiter waiting : waiters) {
            Priority turn = waiting.priority.get();
            if (best == null || turn.compareTo(best) < 0) {
                next = waiting;
                best = turn;
            }
        }
        return next;
    }

    int availablePermits() {
        lock.lock();
        try {
            return availablePermits;
        } finally {
            lock.unlock();
        }
    }

    /** The right to start. Given back once: by hand, or when it is not used. */
    static final class Permit implements AutoCloseable {
        private final AtomicBoolean held;
        private final StartLimiter limiter;

        private Permit(boolean held, StartLimiter gate) {
            this.held = new AtomicBoolean(held);
            this.limiter = gate;
        }

        /** Gives the place back as soon as there is no work any more, or too much of it. */
        void holdWhile(BooleanSupplier atWork) {
            long until = limiter.ticker.nanoTime() + HOLD_MAX.toNanos();
            Thread.ofVirtual()
                    .start(
                            () -> {
                                do {
                                    limiter.ticker.parkNanos(limiter, CHECK_INTERVAL.toNanos());
                                } while (held.get()
                                        && limiter.ticker.nanoTime() < until
                                        && atWork.getAsBoolean());
                                close();
                            });
        }

        @Override
        public void close() {
            if (held.compareAndSet(true, false)) {
                limiter.release();
            }
        }
    }
}
