package dev.patchbay.http;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/**
 * HTTP/1.1 over blocking sockets, on the thread of whoever asks. Connections are used again where
 * the server allows it.
 */
final class SocketWire implements Wire {
    private static final String AGENT = "User-Agent";
    private static final int ONE_WRITE_BYTES_MAX = 16 * 1024;

    /** What may be left of an answer for its connection to be of use again. */
    private static final int REST_BYTES_MAX = 16 * 1024;

    private static final int REST_MILLIS_MAX = 500;

    /** For all servers: which connection a request goes over means nothing to anybody. */
    private static final IdleSockets IDLE = new IdleSockets();

    @Override
    public Answer send(Ask ask) throws IOException, InterruptedException {
        byte[] head = head(ask);
        Origin origin = Origin.of(ask.url());
        WireSocket idle = IDLE.take(origin);
        WireSocket socket = idle == null ? Dialer.open(ask.url()) : idle;
        try {
            return new SocketAnswer(origin, socket, exchange(socket, head, ask.body().bytes()));
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private static AnswerHead exchange(WireSocket socket, byte[] head, byte[] body)
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
            return whyNotTaken(socket, e);
        }
        return AnswerHead.read(socket);
    }

    /** Who does not want all of a request may have said so before it hung up. */
    private static AnswerHead whyNotTaken(WireSocket socket, IOException failure)
            throws IOException {
        try {
            return AnswerHead.read(socket);
        } catch (IOException e) {
            failure.addSuppressed(e);
            throw failure;
        }
    }

    private static byte[] head(Ask ask) throws NotReached {
        var head = new StringBuilder(512);
        head.append(ask.method()).append(' ').append(target(ask.url())).append(" HTTP/1.1\r\n");
        Map<String, String> headers = ask.headers();
        if (!headers.containsKey("Host")) {
            add(head, "Host", Origin.of(ask.url()).authority());
        }
        if (!headers.containsKey(AGENT)) {
            add(head, AGENT, "patchbay");
        }
        for (var header : headers.entrySet()) {
            check(header.getKey(), header.getValue());
            add(head, header.getKey(), header.getValue());
        }
        int length = ask.body().bytes().length;
        if (length > 0) {
            add(head, "Content-Length", Integer.toString(length));
        }
        return head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String target(URI url) {
        String path = url.getRawPath();
        String query = url.getRawQuery();
        String target =
                (path == null || path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query);
        boolean ascii = target.chars().allMatch(c -> c < 0x80);
        return ascii ? target : target(URI.create(url.toASCIIString()));
    }

    private static void add(StringBuilder head, String name, String value) {
        head.append(name).append(": ").append(value).append("\r\n");
    }

    /** How a message is framed is not for a configuration to say, nor for a server. */
    private static void check(String name, String value) throws NotReached {
        boolean framing =
                switch (name.toLowerCase(Locale.ROOT)) {
                    case "content-length", "transfer-encoding", "connection", "upgrade", "expect" ->
                            true;
                    default -> false;
                };
        boolean broken = name.isEmpty() || name.chars().anyMatch(c -> c <= ' ' || c == ':');
        boolean strange = value.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7F);
        if (framing || broken || strange) {
            String shown = Snippet.of(name.getBytes(StandardCharsets.UTF_8));
            throw new NotReached("The header " + shown + " cannot be sent to it", null);
        }
    }

    private static final class SocketAnswer implements Answer {
        private final Origin origin;
        private final WireSocket socket;
        private final AnswerHead head;
        private final AnswerBody body;
        private final Duration rest;
        private boolean isClosed;

        SocketAnswer(Origin origin, WireSocket socket, AnswerHead head) {
            this.origin = origin;
            this.socket = socket;
            this.head = head;
            this.body = new AnswerBody(socket, head);
            this.rest = head.rest();
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
        public InputStream body() {
            return body;
        }

        @Override
        public void finish() {
            if (rest.isZero() || body.isWhole()) {
                return;
            }
            try {
                socket.patience(REST_MILLIS_MAX);
                body.readNBytes(REST_BYTES_MAX);
                socket.patience(0);
            } catch (IOException _) {
                socket.close();
            }
        }

        @Override
        public void close() {
            if (isClosed) {
                return;
            }
            isClosed = true;
            if (body.isWhole() && !rest.isZero()) {
                IDLE.give(origin, socket, rest);
            } else {
                socket.close();
            }
        }
    }
}
