package dev.patchbay.http;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Something else that is served beside the endpoint: a page, the health, the metrics. */
public interface WebPart {
    /** Answers a request. It may wait. */
    Answer serve(Ask ask) throws InterruptedException;

    /** Whether a client without a token is let in too. */
    default boolean isPublic() {
        return false;
    }

    /** What is asked for. */
    record Ask(String method, String path, @Nullable String query) {}

    /** What is answered. */
    final class Answer {
        private final int status;
        private final String type;
        private final byte[] body;
        private final @Nullable Consumer<EventSink> events;
        private final Map<String, String> headers;

        /** An answer whose bytes must not change any more. */
        public Answer(int status, String type, byte[] body) {
            this(status, type, body, null, Map.of());
        }

        private Answer(
                int status,
                String type,
                byte[] body,
                @Nullable Consumer<EventSink> events,
                Map<String, String> headers) {
            this.status = status;
            this.type = type;
            this.body = body;
            this.events = events;
            this.headers = headers;
        }

        public static Answer text(int status, String text) {
            return new Answer(
                    status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
        }

        /** A stream of events, which that sender fills. */
        public static Answer events(Consumer<EventSink> sender) {
            return new Answer(200, Accepts.EVENTS, new byte[0], sender, Map.of());
        }

        /** The same with more headers. */
        public Answer with(Map<String, String> more) {
            var all = new TreeMap<>(headers);
            all.putAll(more);
            return new Answer(status, type, body, events, all);
        }

        int status() {
            return status;
        }

        String type() {
            return type;
        }

        byte[] body() {
            return body;
        }

        @Nullable Consumer<EventSink> events() {
            return events;
        }

        Map<String, String> headers() {
            return headers;
        }
    }
}
