package dev.patchbay.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.LockSupport;

/**
 * When this machine, or this program, stood still: a few threads do nothing but wake up all the
 * time, and where one of them woke much too late, nobody can be expected to have been in time.
 */
final class MachineStalls {
    static final MachineStalls INSTANCE = new MachineStalls();

    private static final long TICK_NANOS = 5_000_000;
    private static final long LATE_NANOS = 30_000_000;
    private static final int STALLS_MAX = 10_000;

    /** A span in which a ticker should have woken and did not. */
    private record Stall(long from, long to) {}

    private final ConcurrentLinkedDeque<Stall> stalls = new ConcurrentLinkedDeque<>();
    private final List<StallDetector> detectors = new ArrayList<>();
    private final CpuPressure pressure = new CpuPressure();

    private MachineStalls() {
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            var ticker = new StallDetector(i == 0);
            detectors.add(ticker);
            Thread.ofPlatform().daemon().name("tick").start(ticker);
        }
    }

    private final class StallDetector implements Runnable {
        private final boolean samplesPressure;
        private volatile long last = System.nanoTime();

        StallDetector(boolean samplesPressure) {
            this.samplesPressure = samplesPressure;
        }

        @Override
        public void run() {
            while (true) {
                long before = last;
                LockSupport.parkNanos(TICK_NANOS);
                long now = System.nanoTime();
                if (now - before > LATE_NANOS) {
                    stalls.add(new Stall(before + TICK_NANOS, now));
                    if (stalls.size() > STALLS_MAX) {
                        stalls.poll();
                    }
                }
                if (samplesPressure) {
                    pressure.sample();
                }
                last = now;
            }
        }
    }

    /** Has the tickers run before anything is measured. */
    void awaitDetectors() {
        detectors.forEach(ticker -> awaitTick(ticker, System.nanoTime() - LATE_NANOS));
    }

    /** For how long, in these nanoseconds, the machine stood still. */
    long stalledNanos(long from, long to) {
        detectors.forEach(ticker -> awaitTick(ticker, to));
        long still = 0;
        long counted = from;
        for (Stall span : stalls.stream().sorted(MachineStalls::compareByStart).toList()) {
            long begin = Math.max(span.from, counted);
            long end = Math.min(span.to, to);
            if (end - begin > 0) {
                still += end - begin;
                counted = end;
            }
        }
        return still;
    }

    /** For how long, in these nanoseconds, some program waited for a processor. */
    long waitedNanos(long from, long to) {
        detectors.forEach(ticker -> awaitTick(ticker, to));
        return pressure.waitedNanos(from, to);
    }

    private static int compareByStart(Stall one, Stall other) {
        return Long.compare(one.from - other.from, 0);
    }

    /** What a ticker slept through is known only when it is awake again. */
    private static void awaitTick(StallDetector ticker, long after) {
        while (ticker.last - after < 0) {
            LockSupport.parkNanos(TICK_NANOS / 5);
        }
    }
}
