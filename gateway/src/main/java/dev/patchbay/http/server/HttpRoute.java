package dev.patchbay.http.server;

import dev.patchbay.http.AcceptHeader;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A route besides the MCP endpoint: a page, the health check, the metrics. */
public interface HttpRoute {
    /** Handles a request. It may block. */
    Response serve(Request ask) throws InterruptedException;

    /** Whether requests without a token are accepted. */
    default boolean isPublic() {
        return false;
    }

    /** Whether a public route may be read by the pages of any web site. */
    default boolean isForAnyOrigin() {
        return false;
    }

    /** The scope that a token must have. */
    default AccessScope scope() {
        return AccessScope.ADMIN;
    }

    /**
     * A request for the route.
     *
     * @param accept the {@code Accept} header; null if there is none
     * @param principal who sent it; null only if the route is public
     */
    record Request(
            String method,
            String path,
            @Nullable String query,
            @Nullable String accept,
            @Nullable Principal principal) {}

    /** A response. */
    final class Response {
        private final int status;
        private final String type;
        private final byte[] body;
        private final @Nullable Consumer<EventSink> events;
        private final Map<String, String> headers;

        /** A response whose bytes must not change afterwards. */
        public Response(int status, String type, byte[] body) {
            this(status, type, body, null, Map.of());
        }

        private Response(
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

        public static Response text(int status, String text) {
            return new Response(
                    status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
        }

        /** An event stream, written by the sender. */
        public static Response events(Consumer<EventSink> sender) {
            return new Response(200, AcceptHeader.EVENTS, new byte[0], sender, Map.of());
        }

        /** The response with more headers. */
        public Response withHeaders(Map<String, String> more) {
            var all = new TreeMap<>(headers);
            all.putAll(more);
            return new Response(status, type, body, events, all);
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
