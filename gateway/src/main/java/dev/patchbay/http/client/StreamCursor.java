package dev.patchbay.http.client;

import org.jspecify.annotations.Nullable;

import java.util.random.RandomGenerator;

/** The position of a stream when it failed, and when it may be resumed. */
final class StreamCursor {
    private static final long DELAY_MILLIS_DEFAULT = 1_000;
    private static final long DELAY_MILLIS_MIN = 100;
    private static final long DELAY_MILLIS_MAX = 30_000;

    private @Nullable String lastEventId;
    private long delayMillis = DELAY_MILLIS_DEFAULT;
    private boolean isDelayFromServer;
    private long eventCount;

    /** Records an event. */
    void countEvent(SseReader reader) {
        eventCount++;
        update(reader);
    }

    /** Records the state of a stream. */
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
     * Adds jitter, so that streams that failed together do not return together. It never shortens
     * the delay that the server requested.
     */
    long addJitter(long millis, RandomGenerator random) {
        return isDelayFromServer
                ? millis + random.nextLong(millis / 5)
                : millis / 2 + random.nextLong(millis);
    }

    /** The number of events. */
    long eventCount() {
        return eventCount;
    }
}
