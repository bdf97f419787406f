package dev.patchbay.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One connection to an HTTP server on which exactly the bytes given are sent, right or wrong. What
 * comes back is read strictly: a length that does not fit or a bad chunk is an error.
 */
public final class RawHttpConnection implements AutoCloseable {
    /** The status line and the headers of a response. */
    public record ResponseHead(int status, List<String> headerLines) {
        public ResponseHead {
            headerLines = List.copyOf(headerLines);
        }

        /** The value of the first header of that name. */
        public Optional<String> header(String name) {
            String start = name.toLowerCase(Locale.ROOT) + ":";
            return headerLines.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
                    .map(line -> line.substring(start.length()).strip())
                    .findFirst();
        }
    }

    /** A whole response. */
    public record Response(ResponseHead head, String body) {
        public int status() {
            return head.status();
        }

        public Optional<String> header(String name) {
            return head.header(name);
        }

        /** The body, which must be one JSON value. */
        public JsonTree json() {
            return StrictJson.parse(body);
        }

        /** The code of the JSON-RPC error in the body, or 0 if there is none. */
        public int errorCode() {
            return json().member("error")
                    .flatMap(error -> error.member("code"))
                    .map(code -> Integer.parseInt(code.toString()))
                    .orElse(0);
        }
    }

    /** One server-sent event; parts that did not come are empty. */
    public record SseEvent(String id, String name, String data, String retry) {
        public JsonTree json() {
            return StrictJson.parse(data);
        }
    }

    /** Who is told of what crosses a connection. */
    public interface TrafficListener {
        /** Bytes that were sent. */
        void sent(byte[] bytes);

        /** A whole body of JSON, or the data of one event, that came back. */
        void received(String json);
    }

    private static final int LINE_BYTES_MAX = 64 * 1024 * 1024;

    private final Socket socket;
    private final InputStream in;
    private InputStream body = InputStream.nullInputStream();
    private boolean hasJsonBody;
    private Optional<TrafficListener> listener = Optional.empty();

    private RawHttpConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
    }

    /** Connects. Whoever reads waits so long at most for the next byte. */
    public static RawHttpConnection connect(InetSocketAddress address, Duration patience)
            throws IOException {
        var socket = new Socket();
        socket.connect(address, (int) patience.toMillis());
        socket.setSoTimeout((int) patience.toMillis());
        socket.setTcpNoDelay(true);
        return new RawHttpConnection(socket);
    }

    /** Tells this watcher from now on. */
    public RawHttpConnection withListener(TrafficListener someone) {
        listener = Optional.of(someone);
        return this;
    }

    public Socket socket() {
        return socket;
    }

    public RawHttpConnection send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.UTF_8));
    }

    public RawHttpConnection send(byte[] bytes) throws IOException {
        listener.ifPresent(it -> it.sent(bytes));
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    /** A request with a body and its length; the headers are whole lines. */
    public static byte[] postRequest(String path, List<String> headers, byte[] body) {
        var head = new StringBuilder("POST ").append(path).append(" HTTP/1.1\r\n");
        headers.forEach(line -> head.append(line).append("\r\n"));
        head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head.toString().getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes(body);
        return bytes.toByteArray();
    }

    public static byte[] postRequest(String path, List<String> headers, String body) {
        return postRequest(path, headers, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads one whole response. */
    public Response readResponse() throws IOException {
        ResponseHead head = readResponseHead();
        return new Response(head, readRemainingBody());
    }

    /** Reads the head of a response; its body is then read event by event, or with rest(). */
    public ResponseHead readResponseHead() throws IOException {
        ResponseHead head;
        do {
            head = readHead();
        } while (head.status() == 100);
        body = bodyStream(head);
        hasJsonBody = head.header("Content-Type").orElse("").startsWith("application/json");
        return head;
    }

    /** What is left of the body. */
    public String readRemainingBody() throws IOException {
        String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
        if (hasJsonBody && !text.isEmpty()) {
            listener.ifPresent(it -> it.received(text));
        }
        return text;
    }

    /** The next event of a stream; empty at its end. Comments are passed over. */
    public Optional<SseEvent> readEvent() throws IOException {
        String id = "";
        String name = "";
        String data = "";
        String retry = "";
        boolean any = false;
        while (true) {
            Optional<String> read = readLine(body);
            if (read.isEmpty()) {
                if (any) {
                    throw new EOFException("The stream ends inside an event");
                }
                return Optional.empty();
            }
            String line = read.get();
            if (line.isEmpty() && any) {
                return Optional.of(reportEvent(new SseEvent(id, name, data, retry)));
            }
            any |= !line.isEmpty() && !line.startsWith(":");
            if (line.startsWith("id: ")) {
                id = line.substring(4);
            } else if (line.startsWith("event: ")) {
                name = line.substring(7);
            } else if (line.startsWith("data: ")) {
                data += line.substring(6);
            } else if (line.startsWith("retry: ")) {
                retry = line.substring(7);
            }
        }
    }

    private SseEvent reportEvent(SseEvent event) {
        if (!event.data().isEmpty()) {
            listener.ifPresent(it -> it.received(event.data()));
        }
        return event;
    }

    /** The next line of a stream, whatever it is; empty at its end. */
    public Optional<String> readStreamLine() throws IOException {
        return readLine(body);
    }

    /** Whether the server closes the connection, within the patience of this client. */
    public boolean isClosedByServer() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketTimeoutException _) {
            return false;
        } catch (SocketException _) {
            return true;
        }
    }

    /** Ends the connection abruptly, as a machine does that crashes. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private ResponseHead readHead() throws IOException {
        String status = readLine(in).orElseThrow(() -> new EOFException("No response"));
        if (!status.matches("HTTP/1\\.1 \\d{3}( .*)?")) {
            throw new IOException("No status line: " + status);
        }
        var lines = new ArrayList<String>();
        while (true) {
            String line = readLine(in).orElseThrow(() -> new EOFException("The head is cut"));
            if (line.isEmpty()) {
                return new ResponseHead(Integer.parseInt(status.substring(9, 12)), lines);
            }
            lines.add(line);
        }
    }

    private InputStream bodyStream(ResponseHead head) {
        if (head.status() == 204 || head.status() == 304) {
            return InputStream.nullInputStream();
        }
        if (head.header("Transfer-Encoding").isPresent()) {
            return new HttpBodyStreams.Chunked(in);
        }
        return head.header("Content-Length")
                .<InputStream>map(
                        length -> new HttpBodyStreams.FixedLength(in, Long.parseLong(length)))
                .orElse(in);
    }

    private static Optional<String> readLine(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        while (true) {
            int c = in.read();
            if (c < 0) {
                if (line.size() > 0) {
                    throw new EOFException("A line is cut: " + line);
                }
                return Optional.empty();
            }
            if (c == '\n') {
                String text = line.toString(StandardCharsets.UTF_8);
                return Optional.of(
                        text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
            }
            if (line.size() >= LINE_BYTES_MAX) {
                throw new IOException("A line without end");
            }
            line.write(c);
        }
    }
}
