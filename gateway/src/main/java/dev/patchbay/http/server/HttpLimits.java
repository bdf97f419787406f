package dev.patchbay.http.server;

import java.time.Duration;

/** Limits of the HTTP server. None of them can be disabled. */
public record HttpLimits(Sizes sizes, Counts counts, Times times) {
    public static final HttpLimits DEFAULTS =
            new HttpLimits(
                    new Sizes(10 * 1024 * 1024, 16 * 1024),
                    new Counts(4_096, 2_048, 1_024),
                    new Times(
                            Duration.ofSeconds(10),
                            Duration.ofSeconds(60),
                            Duration.ofSeconds(30),
                            Duration.ofSeconds(15),
                            Duration.ofMinutes(30)));

    /**
     * Bytes of requests.
     *
     * @param bodyBytesMax of one body
     * @param headerBytesMax of one header
     * @param bodiesBytesMax of all bodies in progress; one principal gets half of it
     */
    public record Sizes(int bodyBytesMax, int headerBytesMax, long bodiesBytesMax) {
        private static final long BODIES_BYTES_MIN = 64L * 1024 * 1024;

        public Sizes {
            if (bodiesBytesMax < 2L * bodyBytesMax) {
                throw new IllegalArgumentException("One principal could not send one body");
            }
        }

        /** Limits whose bodies take at most a quarter of the heap. */
        public Sizes(int bodyBytesMax, int headerBytesMax) {
            this(bodyBytesMax, headerBytesMax, quarterOfHeap(bodyBytesMax));
        }

        private static long quarterOfHeap(int bodyBytesMax) {
            long quarter = Runtime.getRuntime().maxMemory() / 4;
            return Math.max(quarter, Math.max(BODIES_BYTES_MIN, 2L * bodyBytesMax));
        }
    }

    /**
     * Things at one time.
     *
     * @param requestsMax requests at work in one session
     */
    public record Counts(int connectionsMax, int sessionsMax, int requestsMax) {}

    /**
     * Timeouts.
     *
     * @param header from the first byte of a request to the end of its header
     * @param body for the whole body
     * @param idle without a byte in either direction during a transfer
     * @param keepAlive the interval of keep-alive comments on a quiet stream
     * @param session until an unused session expires
     */
    public record Times(
            Duration header, Duration body, Duration idle, Duration keepAlive, Duration session) {}

    public HttpLimits withSizes(Sizes other) {
        return new HttpLimits(other, counts, times);
    }

    public HttpLimits withCounts(Counts other) {
        return new HttpLimits(sizes, other, times);
    }

    public HttpLimits withTimes(Times other) {
        return new HttpLimits(sizes, counts, other);
    }
}
