package dev.patchbay.http;

import org.jspecify.annotations.Nullable;

import java.util.random.RandomGenerator;

/** Where a stream was when it broke, and when it may be taken up again. */
final class Resumption {
    private static final long PAUSE_MILLIS_USUAL = 1_000;
    private static final long PAUSE_MILLIS_MIN = 100;
    private static final long PAUSE_MILLIS_MAX = 30_000;

    private @Nullable String lastId;
    private long pauseMillis = PAUSE_MILLIS_USUAL;
    private boolean isTold;
    private long events;

    /** Takes note of an event. */
    void saw(SseReader reader) {
        events++;
        note(reader);
    }

    /** Takes note of what a stream said so far. */
    void note(SseReader reader) {
        if (reader.lastId() != null) {
            lastId = reader.lastId();
        }
        if (reader.retryMillis() >= 0) {
            isTold = true;
            pauseMillis = Math.clamp(reader.retryMillis(), PAUSE_MILLIS_MIN, PAUSE_MILLIS_MAX);
        }
    }

    boolean isPossible() {
        return lastId != null && !lastId.isEmpty();
    }

    @Nullable String lastId() {
        return lastId;
    }

    long pauseMillis() {
        return pauseMillis;
    }

    /**
     * About so long, for streams that may have broken together and are not to come back together.
     * What the server asks for is kept to, and a little more.
     */
    long spread(long millis, RandomGenerator random) {
        return isTold ? millis + random.nextLong(millis / 5) : millis / 2 + random.nextLong(millis);
    }

    /** How many events came. */
    long events() {
        return events;
    }
}
