package dev.patchbay.stdio;

import static java.lang.System.Logger.Level.WARNING;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * What a child writes that is no message: a banner, a log, bytes without sense. It is passed over
 * and counted; a word about it goes to the log once in a while. So much of it in a row that nothing
 * else can be meant ends the child.
 */
final class Noise {
    /** The lines in a row, without a message between them, after which a child is given up. */
    static final int LINES_MAX = 10_000;

    /** The bytes in a row without a message, however they are cut into lines. */
    static final long BYTES_MAX = 256L * 1024 * 1024;

    private static final int SHOWN_BYTES_MAX = 200;
    private static final Duration WORD_EVERY = Duration.ofMinutes(1);

    private final String name;
    private volatile long lines;
    private volatile String last = "";
    private int linesInRow;
    private long bytesInRow;
    private long lastWordNanos;

    Noise(String name) {
        this.name = name;
    }

    void bytes(int count) {
        bytesInRow += count;
    }

    /** A message came: what went before is forgiven. */
    void message() {
        linesInRow = 0;
        bytesInRow = 0;
    }

    /** How many lines there were. */
    long lines() {
        return lines;
    }

    /** The last of them, cut short and escaped. */
    String last() {
        return last;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the thread that reads the child counts.
    void line(byte[] bytes, int length) {
        lines++;
        int shown = Math.min(length, SHOWN_BYTES_MAX);
        last = Tail.escaped(new String(bytes, 0, shown, StandardCharsets.UTF_8));
        linesInRow++;
        long now = System.nanoTime();
        if (lines == 1 || now - lastWordNanos > WORD_EVERY.toNanos()) {
            lastWordNanos = now;
            log().log(
                            WARNING,
                            "Server {0} writes lines to its standard output that are no messages"
                                    + " ({1} so far). They are passed over. The last: {2}",
                            name,
                            lines,
                            last);
        }
    }

    boolean isTooMuch() {
        return linesInRow >= LINES_MAX || bytesInRow >= BYTES_MAX;
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(Noise.class.getName());
    }
}
