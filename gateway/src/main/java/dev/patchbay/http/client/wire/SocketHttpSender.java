package dev.patchbay.http.client.wire;

import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * HTTP/1.1 over blocking sockets, on the caller's thread. Connections are reused if the server
 * allows it.
 */
public final class SocketHttpSender implements HttpSender {
    private static final String USER_AGENT = "User-Agent";
    private static final int ONE_WRITE_BYTES_MAX = 16 * 1024;

    /** The maximum rest of a response that is read to reuse its connection. */
    private static final int DRAIN_BYTES_MAX = 16 * 1024;

    private static final int DRAIN_MILLIS_MAX = 500;

    /** Shared by all servers: requests do not depend on their connection. */
    private static final ConnectionPool POOL = new ConnectionPool();

    private final List<InetAddress> addresses;

    /** Resolves hosts and reuses connections. */
    public SocketHttpSender() {
        this(List.of());
    }

    /** Connects to these addresses only, without reuse; resolves the host if there are none. */
    public SocketHttpSender(List<InetAddress> addresses) {
        this.addresses = List.copyOf(addresses);
    }

    @Override
    public Response send(Request ask) throws IOException, InterruptedException {
        byte[] head = encodeHead(ask);
        HttpOrigin origin = HttpOrigin.of(ask.url());
        boolean pooled = addresses.isEmpty();
        HttpConnection idle = pooled ? POOL.acquire(origin) : null;
        HttpConnection socket = idle == null ? Dialer.open(ask.url(), addresses) : idle;
        try {
            ResponseHead response = exchange(socket, head, ask.body().bytes());
            Duration reusableFor = pooled ? response.reusableFor() : Duration.ZERO;
            return new SocketResponse(origin, socket, response, reusableFor);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private static ResponseHead exchange(HttpConnection socket, byte[] head, byte[] body)
            throws IOException {
        try {
            if (head.length + body.length <= ONE_WRITE_BYTES_MAX) {
                byte[] both = Arrays.copyOf(head, head.length + body.length);
                System.arraycopy(body, 0, both, head.length, body.length);
                socket.write(both);
            } else {
                socket.write(head);
                socket.write(body);
            }
        } catch (IOException e) {
            return readEarlyResponse(socket, e);
        }
        return ResponseHead.read(socket);
    }

    /**
     * A server that rejects a request early may have sent a response before it closed the
     * connection.
     */
    private static ResponseHead readEarlyResponse(HttpConnection socket, IOException failure)
            throws IOException {
        try {
            return ResponseHead.read(socket);
        } catch (IOException e) {
            failure.addSuppressed(e);
            throw failure;
        }
    }

    private static byte[] encodeHead(Request ask) throws NotSentException {
        var head = new StringBuilder(512);
        head.append(ask.method())
                .append(' ')
                .append(requestTarget(ask.url()))
                .append(" HTTP/1.1\r\n");
        Map<String, String> headers = ask.headers();
        if (!headers.containsKey("Host")) {
            appendHeader(head, "Host", HttpOrigin.of(ask.url()).authority());
        }
        if (!headers.containsKey(USER_AGENT)) {
            appendHeader(head, USER_AGENT, "patchbay");
        }
        for (var header : headers.entrySet()) {
            checkHeader(header.getKey(), header.getValue());
            appendHeader(head, header.getKey(), header.getValue());
        }
        int length = ask.body().bytes().length;
        if (length > 0) {
            appendHeader(head, "Content-Length", Integer.toString(length));
        }
        return head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String requestTarget(URI url) {
        String path = url.getRawPath();
        String query = url.getRawQuery();
        String target =
                (path == null || path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query);
        boolean ascii = target.chars().allMatch(c -> c < 0x80);
        return ascii ? target : requestTarget(URI.create(url.toASCIIString()));
    }

    private static void appendHeader(StringBuilder head, String name, String value) {
        head.append(name).append(": ").append(value).append("\r\n");
    }

    /** Rejects headers that would change the framing of the message. */
    private static void checkHeader(String name, String value) throws NotSentException {
        boolean framing =
                switch (name.toLowerCase(Locale.ROOT)) {
                    case "content-length", "transfer-encoding", "connection", "upgrade", "expect" ->
                            true;
                    default -> false;
                };
        boolean broken = name.isEmpty() || name.chars().anyMatch(c -> c <= ' ' || c == ':');
        boolean strange = value.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7F);
        if (framing || broken || strange) {
            String shown = DisplayText.message(name);
            throw new NotSentException("The header " + shown + " cannot be sent", null);
        }
    }

    private static final class SocketResponse implements Response {
        private final HttpOrigin origin;
        private final HttpConnection connection;
        private final ResponseHead head;
        private final ResponseBody body;
        private final Duration reusableFor;
        private boolean isClosed;

        SocketResponse(
                HttpOrigin origin, HttpConnection socket, ResponseHead head, Duration reusableFor) {
            this.origin = origin;
            this.connection = socket;
            this.head = head;
            this.body = new ResponseBody(socket, head);
            this.reusableFor = reusableFor;
        }

        @Override
        public int status() {
            return head.status();
        }

        @Override
        public @Nullable String header(String name) {
            return head.header(name);
        }

        @Override
        public String joinedHeader(String name) {
            return head.joinedHeader(name);
        }

        @Override
        public InputStream body() {
            return body;
        }

        @Override
        public void drain() {
            if (reusableFor.isZero() || body.isComplete()) {
                return;
            }
            try {
                connection.setReadTimeout(DRAIN_MILLIS_MAX);
                body.readNBytes(DRAIN_BYTES_MAX);
                connection.setReadTimeout(0);
            } catch (IOException _) {
                connection.close();
            }
        }

        @Override
        public void close() {
            if (isClosed) {
                return;
            }
            isClosed = true;
            if (body.isComplete() && !reusableFor.isZero()) {
                POOL.release(origin, connection, reusableFor);
            } else {
                connection.close();
            }
        }
    }
}
