package dev.patchbay.repl;

import java.time.Duration;

/**
 * How long an evaluation may take and how much it may print. Both have a least and a greatest
 * value: nothing is without a limit, and zero does not mean that it is.
 */
public record Limits(Duration timeout, int outputCharsMax) {
    static final Duration TIMEOUT_LEAST = Duration.ofMillis(100);
    static final Duration TIMEOUT_GREATEST = Duration.ofMinutes(10);
    static final int OUTPUT_CHARS_LEAST = 1_000;

    /** An answer holds the output twice, escaped; more would not fit into a line to a client. */
    static final int OUTPUT_CHARS_GREATEST = 500_000;

    public static final Limits DEFAULTS = new Limits(Duration.ofSeconds(30), 100_000);

    public Limits {
        if (timeout.compareTo(TIMEOUT_LEAST) < 0 || timeout.compareTo(TIMEOUT_GREATEST) > 0) {
            throw new IllegalArgumentException(
                    "timeoutMs must be between %d and %d"
                            .formatted(TIMEOUT_LEAST.toMillis(), TIMEOUT_GREATEST.toMillis()));
        }
        if (outputCharsMax < OUTPUT_CHARS_LEAST || outputCharsMax > OUTPUT_CHARS_GREATEST) {
            throw new IllegalArgumentException(
                    "outputChars must be between %d and %d"
                            .formatted(OUTPUT_CHARS_LEAST, OUTPUT_CHARS_GREATEST));
        }
    }

    Limits within(Duration other) {
        return new Limits(other, outputCharsMax);
    }
}
