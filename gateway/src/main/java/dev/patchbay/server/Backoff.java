package dev.patchbay.server;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The delay before the next attempt: one second, doubled each time up to thirty, with 20 % jitter,
 * so that servers that failed together do not restart together.
 */
public final class Backoff {
    private static final Duration DELAY_MIN = Duration.ofSeconds(1);
    private static final Duration DELAY_MAX = Duration.ofSeconds(30);
    private static final double JITTER = 0.2;
    private static final Duration RECOVERY_DELAY_MIN = Duration.ofSeconds(60);
    private static final Duration RECOVERY_DELAY_MAX = Duration.ofMinutes(10);
    private static final long RECOVERY_JITTER_MILLIS_MAX = 5_000;

    /** For so many minutes a server that comes back is found within little more than one. */
    private static final int RECOVERIES_PER_MINUTE = 20;

    private final RandomGenerator random;

    public Backoff(RandomGenerator random) {
        this.random = random;
    }

    /** The delay after this many consecutive failures. */
    public Duration delayAfter(int failures) {
        int doublings = Math.clamp(failures - 1L, 0, 5);
        long plain = Math.min(DELAY_MIN.toMillis() << doublings, DELAY_MAX.toMillis());
        double factor = 1 + JITTER * (2 * random.nextDouble() - 1);
        return Duration.ofMillis(Math.round(plain * factor));
    }

    /**
     * The wait before an attempt in the background: a minute and up to five seconds for the first
     * twenty, then doubled each time, at most ten minutes.
     */
    Duration delayBeforeRecovery(int number) {
        int doublings = Math.clamp((long) number - RECOVERIES_PER_MINUTE, 0, 5);
        long plain =
                Math.min(RECOVERY_DELAY_MIN.toMillis() << doublings, RECOVERY_DELAY_MAX.toMillis());
        return Duration.ofMillis(plain + random.nextLong(RECOVERY_JITTER_MILLIS_MAX));
    }
}
