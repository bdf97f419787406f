package dev.patchbay.server;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Lets a few servers start at a time, so that many together do not all miss their deadlines. A
 * place is held until the server is connected, but only as long as the server is really at work: a
 * silent one needs no processor and gives its place back at once.
 */
public final class StartGate {
    /** So many heavy servers per processor still come to terms within their timeouts. */
    private static final int PLACES_PER_PROCESSOR = 4;

    public static final int PLACES =
            PLACES_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();

    /** Longer than this nobody waits for a place: it is a courtesy, not a lock. */
    private static final Duration ENTRY_PATIENCE = Duration.ofSeconds(30);

    private static final Duration HOLD_MAX = Duration.ofSeconds(2);
    private static final Duration LOOK_EVERY = Duration.ofMillis(20);

    /** Who goes first of those that wait; among equals, who came first. */
    public enum Turn {
        /** Somebody waits to call it. */
        FIRST,
        USUAL,
        /** It failed the last time, so that nobody counts on it. */
        LAST
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Waiting> queue = new ArrayList<>();
    private int free;

    public StartGate(int places) {
        this.free = places;
    }

    /** One that waits for a place. Its turn may change while it does. */
    private record Waiting(Supplier<Turn> turn, CountDownLatch called) {}

    /** Waits for a place. */
    Pass enter(Supplier<Turn> turn) throws InterruptedException {
        var mine = new Waiting(turn, new CountDownLatch(1));
        lock.lock();
        try {
            if (free > 0) {
                free--;
                return new Pass(true, this);
            }
            queue.add(mine);
        } finally {
            lock.unlock();
        }
        try {
            boolean called = mine.called.await(ENTRY_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
            // Who is not in the queue any more was called at the last moment.
            return new Pass(called || !leave(mine), this);
        } catch (InterruptedException e) {
            if (!leave(mine)) {
                release();
            }
            throw e;
        }
    }

    /** Whether it was still in the queue. */
    private boolean leave(Waiting one) {
        lock.lock();
        try {
            return queue.remove(one);
        } finally {
            lock.unlock();
        }
    }

    private void release() {
        lock.lock();
        try {
            Waiting next = next();
            if (next == null) {
                free++;
            } else {
                queue.remove(next);
                next.called.countDown();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Who is next. A comparator of the JDK would cost a start some milliseconds here. */
    private @Nullable Waiting next() {
        Waiting next = null;
        Turn best = null;
        for (Waiting waiting : queue) {
            Turn turn = waiting.turn.get();
            if (best == null || turn.compareTo(best) < 0) {
                next = waiting;
                best = turn;
            }
        }
        return next;
    }

    int free() {
        lock.lock();
        try {
            return free;
        } finally {
            lock.unlock();
        }
    }

    /** The right to start. Given back once: by hand, or when it is not used. */
    static final class Pass implements AutoCloseable {
        private final AtomicBoolean held;
        private final StartGate gate;

        private Pass(boolean held, StartGate gate) {
            this.held = new AtomicBoolean(held);
            this.gate = gate;
        }

        /** Gives the place back as soon as there is no work any more, or too much of it. */
        void holdWhile(BooleanSupplier atWork) {
            Thread.ofVirtual()
                    .start(
                            () -> {
                                long until = System.nanoTime() + HOLD_MAX.toNanos();
                                do {
                                    LockSupport.parkNanos(LOOK_EVERY.toNanos());
                                } while (held.get()
                                        && System.nanoTime() < until
                                        && atWork.getAsBoolean());
                                close();
                            });
        }

        @Override
        public void close() {
            if (held.compareAndSet(true, false)) {
                gate.release();
            }
        }
    }
}
