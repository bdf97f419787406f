package dev.patchbay.http.client.wire;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.Map;

/**
 * Sends HTTP requests, each at most once, and returns responses as they arrive. It follows no
 * redirects. An interrupt ends an exchange at any point.
 */
public interface HttpSender {
    /** A request; an empty body is none. */
    record Request(String method, URI url, Map<String, String> headers, RequestBody body) {}

    /** The bytes of a body. */
    final class RequestBody {
        public static final RequestBody NONE = new RequestBody(new byte[0]);

        private final byte[] bytes;

        public RequestBody(byte[] bytes) {
            this.bytes = bytes;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /** A response, whose body may not have arrived yet. Closing it abandons the rest. */
    interface Response extends AutoCloseable {
        int status();

        /** The first header of that name; null if there is none. */
        @Nullable String header(String name);

        /** The values of all headers of that name, joined by commas; empty if there is none. */
        String joinedHeader(String name);

        InputStream body() throws IOException;

        /** Reads the rest if it is short and arrives soon, so that the connection can be reused. */
        default void drain() {}

        @Override
        void close();
    }

    /** The server was not reached: nothing of the request was sent. */
    final class NotSentException extends IOException {
        private static final long serialVersionUID = 1L;

        NotSentException(String why, @Nullable Throwable cause) {
            super(why, cause);
        }
    }

    Response send(Request ask) throws IOException, InterruptedException;
}
