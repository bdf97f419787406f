package dev.patchbay.repl;

import java.time.Duration;

/**
 * How long an evaluation may take and how much it may print. Both have a least and a greatest
 * value: nothing is without a limit, and zero does not mean that it is.
 */
public record EvaluationLimits(Duration timeout, int outputCharsMax) {
    static final Duration TIMEOUT_MIN = Duration.ofMillis(100);
    static final Duration TIMEOUT_MAX = Duration.ofMinutes(10);
    static final int OUTPUT_CHARS_MIN = 1_000;

    /** An answer holds the output twice, escaped; more would not fit into a line to a client. */
    static final int OUTPUT_CHARS_MAX = 500_000;

    public static final EvaluationLimits DEFAULTS =
            new EvaluationLimits(Duration.ofSeconds(30), 100_000);

    public EvaluationLimits {
        if (timeout.compareTo(TIMEOUT_MIN) < 0 || timeout.compareTo(TIMEOUT_MAX) > 0) {
            throw new IllegalArgumentException(
                    "timeoutMs must be between %d and %d"
                            .formatted(TIMEOUT_MIN.toMillis(), TIMEOUT_MAX.toMillis()));
        }
        if (outputCharsMax < OUTPUT_CHARS_MIN || outputCharsMax > OUTPUT_CHARS_MAX) {
            throw new IllegalArgumentException(
                    "outputChars must be between %d and %d"
                            .formatted(OUTPUT_CHARS_MIN, OUTPUT_CHARS_MAX));
        }
    }

    EvaluationLimits withTimeout(Duration other) {
        return new EvaluationLimits(other, outputCharsMax);
    }
}
