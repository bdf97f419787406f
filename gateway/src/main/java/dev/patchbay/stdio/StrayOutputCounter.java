package dev.patchbay.stdio;

import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.text.DisplayText;
import dev.patchbay.time.Ticker;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * What a child writes that is no message: a banner, a log, bytes without sense. It is passed over
 * and counted; a word about it goes to the log once in a while. So much of it in a row that nothing
 * else can be meant ends the child.
 */
final class StrayOutputCounter {
    /** The lines in a row, without a message between them, after which a child is given up. */
    static final int CONSECUTIVE_LINES_MAX = 10_000;

    /** The bytes in a row without a message, however they are cut into lines. */
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

    /** A message came: what went before is forgiven. */
    void onMessage() {
        consecutiveLines = 0;
        consecutiveBytes = 0;
    }

    /** How many lines there were. */
    long lineCount() {
        return lineCount;
    }

    /** The last of them, cut short and escaped. */
    String lastLine() {
        return lastLine;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the thread that reads the child counts.
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
                            "Server {0} writes lines to its standard output that are no messages"
                                    + " ({1} so far). They are passed over. The last: {2}",
                            name,
                            lineCount,
                            lastLine);
        }
    }

    boolean isLimitExceeded() {
        return consecutiveLines >= CONSECUTIVE_LINES_MAX
                || consecutiveBytes >= CONSECUTIVE_BYTES_MAX;
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(StrayOutputCounter.class.getName());
    }
}
