package dev.patchbay.testkit;

import java.time.Duration;

/**
 * Measures a span on a machine that has other work too. What must take so long at least is compared
 * with {@link #elapsed}, what may take so long at most with {@link #activeTime}: a machine that
 * stands still, or has no free processor, is no fault of the program under test.
 */
public final class Stopwatch {
    /** A busy machine excuses a program that takes up to this many times as long as allowed. */
    private static final int SLOWDOWN_MAX = 10;

    private final long startNanos;

    private Stopwatch(long begun) {
        this.startNanos = begun;
    }

    public static Stopwatch start() {
        MachineStalls.INSTANCE.awaitDetectors();
        return new Stopwatch(System.nanoTime());
    }

    /** The time since the start, as a clock on the wall shows it. */
    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    /** The time since the start without that in which the machine stood still or was too busy. */
    public Duration activeTime() {
        return activeTime(startNanos, System.nanoTime());
    }

    /** The time since the start in which the machine stood still or was too busy. */
    public Duration stalledTime() {
        long now = System.nanoTime();
        return Duration.ofNanos(now - startNanos).minus(activeTime(startNanos, now));
    }

    /**
     * The time between two readings of {@link System#nanoTime}, without that in which the machine
     * stood still, and without that in which some program waited for a processor.
     */
    public static Duration activeTime(long from, long to) {
        long running = to - from - MachineStalls.INSTANCE.stalledNanos(from, to);
        long waited = MachineStalls.INSTANCE.waitedNanos(from, to);
        return Duration.ofNanos(Math.max(running - waited, running / SLOWDOWN_MAX));
    }
}
