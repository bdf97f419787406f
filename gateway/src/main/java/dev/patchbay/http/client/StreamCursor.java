package dev.patchbay.http.client;

import org.jspecify.annotations.Nullable;

import java.util.random.RandomGenerator;

/** Where a stream was when it broke, and when it may be taken up again. */
final class StreamCursor {
    private static final long DELAY_MILLIS_DEFAULT = 1_000;
    private static final long DELAY_MILLIS_MIN = 100;
    private static final long DELAY_MILLIS_MAX = 30_000;

    private @Nullable String lastEventId;
    private long delayMillis = DELAY_MILLIS_DEFAULT;
    private boolean isDelayFromServer;
    private long eventCount;

    /** Takes note of an event. */
    void countEvent(SseReader reader) {
        eventCount++;
        update(reader);
    }

    /** Takes note of what a stream said so far. */
    void update(SseReader reader) {
        if (reader.lastId() != null) {
            lastEventId = reader.lastId();
        }
        if (reader.retryMillis() >= 0) {
            isDelayFromServer = true;
            delayMillis = Math.clamp(reader.retryMillis(), DELAY_MILLIS_MIN, DELAY_MILLIS_MAX);
        }
    }

    boolean canResume() {
        return lastEventId != null && !lastEventId.isEmpty();
    }

    @Nullable String lastEventId() {
        return lastEventId;
    }

    long delayMillis() {
        return delayMillis;
    }

    /**
     * About so long, for streams that may have broken together and are not to come back together.
     * What the server asks for is kept to, and a little more.
     */
    long addJitter(long millis, RandomGenerator random) {
        return isDelayFromServer
                ? millis + random.nextLong(millis / 5)
                : millis / 2 + random.nextLong(millis);
    }

    /** How many events came. */
    long eventCount() {
        return eventCount;
    }
}
