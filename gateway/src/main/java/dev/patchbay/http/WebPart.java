package dev.patchbay.http;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;

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

        /** An answer whose bytes must not change any more. */
        public Answer(int status, String type, byte[] body) {
            this.status = status;
            this.type = type;
            this.body = body;
        }

        public static Answer text(int status, String text) {
            return new Answer(
                    status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
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
    }
}
