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
 * Limits how many servers start at the same time, so that they do not all miss their deadlines. A
 * permit is held until the server is connected, but only while the server uses the processor.
 */
public final class StartLimiter {
    /** This many servers per processor still connect within their timeouts. */
    private static final int PERMITS_PER_PROCESSOR = 4;

    public static final int DEFAULT_PERMITS =
            PERMITS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();

    /** The maximum wait for a permit: this is a courtesy, not a lock. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private static final Duration HOLD_MAX = Duration.ofSeconds(2);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(20);

    /** The priority among waiting servers; equal priorities are served in order of arrival. */
    public enum Priority {
        /** A call waits for the server. */
        HIGH,
        NORMAL,
        /** The last attempt failed. */
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

    /** A server that waits for a permit. Its priority may change. */
    private record Waiter(Supplier<Priority> priority, CountDownLatch admitted) {}

    /** Waits for a permit. */
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
            // A waiter that is no longer in the queue was admitted at the last moment.
            return new Permit(called || !removeWaiter(mine), this);
        } catch (InterruptedException e) {
            if (!removeWaiter(mine)) {
                release();
            }
            throw e;
        }
    }

    /** Removes a waiter; returns whether it was still in the queue. */
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

    /** The next waiter. A comparator of the JDK would take milliseconds to load. */
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

    /** The permission to start. It is released once: explicitly, or when it is not used. */
    static final class Permit implements AutoCloseable {
        private final AtomicBoolean held;
        private final StartLimiter limiter;

        private Permit(boolean held, StartLimiter gate) {
            this.held = new AtomicBoolean(held);
            this.limiter = gate;
        }

        /**
         * Releases the permit when the server stops using the processor, or after a maximum time.
         */
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
