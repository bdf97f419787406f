package dev.patchbay.testkit;

import java.time.Duration;

/**
 * Measures a span on a machine that has other work too. What must take so long at least is compared
 * with {@link #elapsed}, what may take so long at most with {@link #net}: a machine that stands
 * still is no fault of the program under test.
 */
public final class Stopwatch {
    private final long begun;

    private Stopwatch(long begun) {
        this.begun = begun;
    }

    public static Stopwatch start() {
        Standstills.OF_THE_MACHINE.begin();
        return new Stopwatch(System.nanoTime());
    }

    /** The time since the start, as a clock on the wall shows it. */
    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    /** The time since the start without that in which the machine stood still. */
    public Duration net() {
        return net(begun, System.nanoTime());
    }

    /** The time in which the machine stood still since the start. */
    public Duration standstill() {
        long now = System.nanoTime();
        return Duration.ofNanos(now - begun).minus(net(begun, now));
    }

    /** The time between two readings of {@link System#nanoTime} without standstills. */
    public static Duration net(long from, long to) {
        return Duration.ofNanos(to - from - Standstills.OF_THE_MACHINE.between(from, to));
    }
}
