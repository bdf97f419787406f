package dev.patchbay.http;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.Map;

/**
 * Sends HTTP requests, each at most once, and hands over the answers as they come. It follows no
 * redirect. An interrupt ends an exchange at any point.
 */
interface Wire {
    /** What is asked; a body of zero length is none. */
    record Ask(String method, URI url, Map<String, String> headers, JsonBody body) {}

    /** The bytes of a body. */
    final class JsonBody {
        static final JsonBody NONE = new JsonBody(new byte[0]);

        private final byte[] bytes;

        JsonBody(byte[] bytes) {
            this.bytes = bytes;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /** The answer, whose body may still be on its way. Closing it gives up what has not come. */
    interface Answer extends AutoCloseable {
        int status();

        /** The first header of that name; null if there is none. */
        @Nullable String header(String name);

        InputStream body() throws IOException;

        /**
         * Reads what is left, if it is little and comes soon: the connection is then of use again.
         */
        default void finish() {}

        @Override
        void close();
    }

    /** The server was not reached: nothing of the request was sent. */
    final class NotReached extends IOException {
        private static final long serialVersionUID = 1L;

        NotReached(String why, @Nullable Throwable cause) {
            super(why, cause);
        }
    }

    Answer send(Ask ask) throws IOException, InterruptedException;
}
