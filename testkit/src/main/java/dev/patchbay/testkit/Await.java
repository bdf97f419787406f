package dev.patchbay.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition that another thread or process brings about. */
public final class Await {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final long FIRST_POLL_NANOS = 1_000_000;
    private static final long POLL_NANOS_MAX = 10_000_000;

    private Await() {}

    /** Waits up to 30 seconds; whether the condition became true. */
    public static boolean becomesTrue(BooleanSupplier condition) {
        return becomesTrue(condition, TIMEOUT);
    }

    /** Waits at most this long; whether the condition became true. */
    public static boolean becomesTrue(BooleanSupplier condition, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        long poll = FIRST_POLL_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(poll);
            poll = Math.min(2 * poll, POLL_NANOS_MAX);
        }
        return true;
    }
}
