package dev.patchbay.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * When some program on this machine was ready to run and had to wait for a processor, as Linux
 * reports it in {@code /proc/pressure/cpu}. Where that file is missing, no such time is known.
 */
final class CpuPressure {
    private static final Path FILE = Path.of("/proc/pressure/cpu");
    private static final int SAMPLES_MAX = 20_000;

    /** Two readings of the clock, and for how long programs waited between them. */
    private record Sample(long from, long to, long waitedNanos) {}

    private final ConcurrentLinkedDeque<Sample> samples = new ConcurrentLinkedDeque<>();
    private long lastTime = System.nanoTime();
    private long lastTotal = readTotal();

    /** Whether this machine reports it. */
    static boolean isKnown() {
        return readTotal() > 0;
    }

    /** Reads the file. Only one thread may call this, and it should do so all the time. */
    void sample() {
        long total = readTotal();
        long now = System.nanoTime();
        if (total > lastTotal) {
            samples.add(new Sample(lastTime, now, total - lastTotal));
            if (samples.size() > SAMPLES_MAX) {
                samples.poll();
            }
        }
        lastTotal = total;
        lastTime = now;
    }

    /** For how long, between two readings of the clock, some program waited for a processor. */
    long waitedNanos(long from, long to) {
        double waited = 0;
        for (Sample sample : samples) {
            long overlap = Math.min(sample.to, to) - Math.max(sample.from, from);
            long length = sample.to - sample.from;
            if (overlap > 0 && length > 0) {
                waited += Math.min(1.0, (double) sample.waitedNanos / length) * overlap;
            }
        }
        return (long) waited;
    }

    private static long readTotal() {
        try {
            String text = Files.readString(FILE, StandardCharsets.US_ASCII);
            int begin = text.indexOf("total=") + "total=".length();
            return Long.parseLong(text.substring(begin, text.indexOf('\n', begin))) * 1_000;
        } catch (IOException | RuntimeException _) {
            return 0;
        }
    }
}
