package dev.patchbay.http.server;

import java.time.Duration;

/** How much of everything the HTTP server takes. No limit can be switched off. */
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
     * Waits.
     *
     * @param header from the first byte of a request to the end of its header
     * @param body for the whole body
     * @param idle without a byte in either direction while something should move
     * @param keepAlive between two signs of life on a quiet stream
     * @param session until a session that nobody uses is forgotten
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
