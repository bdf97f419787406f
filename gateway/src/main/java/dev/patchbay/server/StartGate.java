package dev.patchbay.server;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Lets a few servers start at a time, so that many together do not all miss their deadlines. A
 * place is held until the server is connected, but only as long as the server is really at work: a
 * silent one needs no processor and gives its place back at once.
 */
public final class StartGate {
    public static final int PLACES = 4;

    /** Longer than this nobody waits for a place: it is a courtesy, not a lock. */
    private static final Duration ENTRY_PATIENCE = Duration.ofSeconds(30);

    private static final Duration HOLD_MAX = Duration.ofSeconds(2);
    private static final Duration LOOK_EVERY = Duration.ofMillis(20);

    private final Semaphore places;

    public StartGate(int places) {
        this.places = new Semaphore(places, true);
    }

    Pass enter() throws InterruptedException {
        return new Pass(places.tryAcquire(ENTRY_PATIENCE.toNanos(), TimeUnit.NANOSECONDS), places);
    }

    int free() {
        return places.availablePermits();
    }

    /** The right to start. Given back once: by hand, or when it is not used. */
    static final class Pass implements AutoCloseable {
        private final AtomicBoolean held;
        private final Semaphore places;

        private Pass(boolean held, Semaphore places) {
            this.held = new AtomicBoolean(held);
            this.places = places;
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
                places.release();
            }
        }
    }
}
