package dev.patchbay.stdio;

import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.text.DisplayText;
import dev.patchbay.time.Ticker;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Counts output of a child that is not a message, such as a banner or a log. It is ignored and
 * logged from time to time. Too much of it in a row ends the child.
 */
final class StrayOutputCounter {
    /** The number of consecutive stray lines after which a child is given up. */
    static final int CONSECUTIVE_LINES_MAX = 10_000;

    /** The number of consecutive stray bytes after which a child is given up. */
    static final long CONSECUTIVE_BYTES_MAX = 256L * 1024 * 1024;

    private static final int DISPLAY_CHARS_MAX = 200;
    private static final int SEARCHED_BYTES_MAX = 4 * 1024;
    private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);

    private final String name;
    private final Ticker ticker;
    private final UnaryOperator<String> redaction;
    private volatile long lineCount;
    private volatile String lastLine = "";
    private int consecutiveLines;
    private long consecutiveBytes;
    private long lastLoggedNanos;

    /**
     * @param redaction hides secrets in a text
     */
    StrayOutputCounter(String name, Ticker ticker, UnaryOperator<String> redaction) {
        this.ticker = ticker;
        this.redaction = redaction;
        this.name = name;
    }

    void addBytes(int count) {
        consecutiveBytes += count;
    }

    /** Resets the consecutive counts, because a message arrived. */
    void onMessage() {
        consecutiveLines = 0;
        consecutiveBytes = 0;
    }

    /** The total number of lines. */
    long lineCount() {
        return lineCount;
    }

    /** The last line, shortened and escaped. */
    String lastLine() {
        return lastLine;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the thread that reads the child updates it.
    void addLine(byte[] bytes, int length) {
        lineCount++;
        // A secret must be found as a whole, before the line is cut.
        int searched = Math.min(length, SEARCHED_BYTES_MAX);
        String line = redaction.apply(new String(bytes, 0, searched, StandardCharsets.UTF_8));
        lastLine =
                DisplayText.escape(line.substring(0, Math.min(line.length(), DISPLAY_CHARS_MAX)));
        consecutiveLines++;
        long now = ticker.nanoTime();
        if (lineCount == 1 || now - lastLoggedNanos > LOG_INTERVAL.toNanos()) {
            lastLoggedNanos = now;
            log().log(
                            WARNING,
                            "Server {0} writes lines to standard output that are not messages"
                                    + " ({1} so far). They are ignored. The last: {2}",
                            name,
                            lineCount,
                            lastLine);
        }
    }

    boolean isLimitExceeded() {
        return consecutiveLines >= CONSECUTIVE_LINES_MAX
                || consecutiveBytes >= CONSECUTIVE_BYTES_MAX;
    }

    /** Looked up on demand: the first logger takes several milliseconds to create. */
    private static System.Logger log() {
        return System.getLogger(StrayOutputCounter.class.getName());
    }
}
