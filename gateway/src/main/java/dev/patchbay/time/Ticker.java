package dev.patchbay.time;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;

/**
 * A source of monotonic time, and the waits that are bounded by it. Code that waits or measures
 * takes a ticker, so that a test can replace real time by a fake one. The time of day comes from a
 * {@link java.time.InstantSource}.
 */
public interface Ticker {
    /** The ticker of the machine, based on {@link System#nanoTime}. */
    static Ticker system() {
        return SystemTicker.INSTANCE;
    }

    /** Nanoseconds since an arbitrary origin. Only differences have a meaning. */
    long nanoTime();

    /**
     * Waits until the condition is signalled or the time has passed. May wake up spuriously, as
     * {@link Condition#awaitNanos} may.
     *
     * @return how many nanoseconds are left; zero or less if the time has passed
     */
    long awaitNanos(Condition condition, long nanos) throws InterruptedException;

    /** Waits for the latch; false if the time has passed first. */
    boolean await(CountDownLatch latch, Duration timeout) throws InterruptedException;

    /**
     * Parks the thread until it is unparked, interrupted or the time has passed. May return for no
     * reason, as {@link java.util.concurrent.locks.LockSupport#parkNanos(Object, long)} may.
     */
    void parkNanos(Object blocker, long nanos);

    /** Waits until the time has passed. An interrupt ends the wait early. */
    void sleep(Duration duration) throws InterruptedException;

    /**
     * Runs a task once the time has passed, on a thread that all tasks share. The task must neither
     * block nor throw.
     */
    void schedule(Duration delay, Runnable task);

    /** The moment at which a wait that begins now is over. */
    default long deadlineAfter(Duration timeout) {
        return nanoTime() + timeout.toNanos();
    }

    /** The time that is left until a deadline; zero once it has passed. */
    default Duration remaining(long deadline) {
        return Duration.ofNanos(Math.max(0, deadline - nanoTime()));
    }
}
