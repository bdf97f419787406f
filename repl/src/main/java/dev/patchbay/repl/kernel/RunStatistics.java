package dev.patchbay.repl.kernel;

import java.util.Arrays;

/** What the runs of a snippet cost: time, and memory allocated by the thread that ran it. */
record RunStatistics(
        int runs, long totalNanos, long minNanos, long medianNanos, long maxNanos, long bytes) {
    static final RunStatistics NONE = new RunStatistics(0, 0, 0, 0, 0, 0);

    RunStatistics plus(RunStatistics other) {
        return new RunStatistics(
                Math.max(runs, other.runs),
                totalNanos + other.totalNanos,
                minNanos + other.minNanos,
                medianNanos + other.medianNanos,
                maxNanos + other.maxNanos,
                bytes + other.bytes);
    }

    /** Collects the figures of single runs. */
    static final class Builder {
        private final long[] nanos;
        private int count;
        private long bytes;

        Builder(int runsMax) {
            nanos = new long[runsMax];
        }

        void add(long nanosOfRun, long bytesOfRun) {
            nanos[count++] = nanosOfRun;
            bytes += bytesOfRun;
        }

        RunStatistics build() {
            if (count == 0) {
                return NONE;
            }
            long total = Arrays.stream(nanos, 0, count).sum();
            Arrays.sort(nanos, 0, count);
            return new RunStatistics(
                    count, total, nanos[0], nanos[count / 2], nanos[count - 1], bytes);
        }
    }
}
