package dev.patchbay.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An HTTP server on a port of its own that answers with exactly the bytes a script writes, right or
 * wrong. Requests are read strictly and kept.
 */
public final class RawHttpServer implements AutoCloseable {
    /** Answers one request. What it throws closes the connection. */
    public interface RequestHandler {
        void handle(Exchange exchange) throws Exception;
    }

    /** A request as it came; the header lines without their ends. */
    public record ReceivedRequest(
            String method, String path, List<String> headerLines, String body) {
        public ReceivedRequest {
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

        /** The body, which must be one JSON value. */
        public JsonTree json() {
            return StrictJson.parse(body);
        }

        /** The method of the message in the body; empty if it has none. */
        public String rpcMethod() {
            return body.isEmpty()
                    ? ""
                    : json().member("method")
                            .map(method -> ((JsonTree.Str) method).value())
                            .orElse("");
        }

        /** The id of the message in the body, as it is spelled; empty if it has none. */
        public String rpcId() {
            return body.isEmpty() ? "" : json().member("id").map(Object::toString).orElse("");
        }
    }

    /** One request and the way back. */
    public static final class Exchange {
        private final ReceivedRequest request;
        private final Socket socket;

        Exchange(ReceivedRequest request, Socket socket) {
            this.request = request;
            this.socket = socket;
        }

        public ReceivedRequest request() {
            return request;
        }

        public Socket socket() {
            return socket;
        }

        /** Sends bytes as they are. */
        public Exchange send(String text) throws IOException {
            return send(text.getBytes(StandardCharsets.UTF_8));
        }

        public Exchange send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return this;
        }

        /** Sends a whole response with its length; the headers are whole lines. */
        public void respond(int status, String body, String... headers) throws IOException {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            var text = new StringBuilder("HTTP/1.1 " + status + " X\r\n");
            for (String line : headers) {
                text.append(line).append("\r\n");
            }
            text.append("Content-Length: ").append(bytes.length).append("\r\n\r\n");
            var whole = new ByteArrayOutputStream();
            whole.writeBytes(text.toString().getBytes(StandardCharsets.UTF_8));
            whole.writeBytes(bytes);
            send(whole.toByteArray());
        }

        /** Answers the request in the body with a result. */
        public void respondWithResult(String result, String... headers) throws IOException {
            var lines = new ArrayList<>(List.of(headers));
            lines.add("Content-Type: application/json");
            respond(200, resultMessage(result), lines.toArray(String[]::new));
        }

        /** The response to the request in the body. */
        public String resultMessage(String result) {
            return "{\"jsonrpc\":\"2.0\",\"id\":" + request.rpcId() + ",\"result\":" + result + "}";
        }

        /** Begins a stream of events that ends with the connection. */
        public Exchange startEventStream(String... headers) throws IOException {
            var text = new StringBuilder("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n");
            for (String line : headers) {
                text.append(line).append("\r\n");
            }
            return send(text.append("Connection: close\r\n\r\n").toString());
        }

        public Exchange sendEvent(String data) throws IOException {
            return send("event: message\ndata: " + data + "\n\n");
        }

        /** Waits until the client hangs up, and so long at most; whether it did. */
        public boolean awaitDisconnect(int millis) throws IOException {
            socket.setSoTimeout(millis);
            try {
                return socket.getInputStream().read() < 0;
            } catch (SocketTimeoutException _) {
                return false;
            } catch (IOException _) {
                return true;
            }
        }

        public void close() throws IOException {
            socket.close();
        }
    }

    private final ServerSocket listener;
    private final RequestHandler handler;
    private final List<ReceivedRequest> receivedRequests = new CopyOnWriteArrayList<>();
    private final Set<Socket> openSockets = ConcurrentHashMap.newKeySet();

    private RawHttpServer(ServerSocket listener, RequestHandler script) {
        this.listener = listener;
        this.handler = script;
    }

    public static RawHttpServer start(RequestHandler script) throws IOException {
        var server =
                new RawHttpServer(
                        new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress()), script);
        Thread.ofVirtual().name("raw http server").start(server::acceptConnections);
        return server;
    }

    public URI url(String path) {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + path);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** The requests so far, in the order of their arrival. */
    public List<ReceivedRequest> receivedRequests() {
        return List.copyOf(receivedRequests);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : openSockets) {
            socket.close();
        }
    }

    private void acceptConnections() {
        try {
            while (true) {
                Socket socket = listener.accept();
                openSockets.add(socket);
                if (listener.isClosed()) {
                    socket.close(); // close() may have gone by without it
                }
                Thread.ofVirtual().name("raw http connection").start(() -> serve(socket));
            }
        } catch (IOException _) {
            // The server was closed.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            var in = new BufferedInputStream(socket.getInputStream());
            while (!socket.isClosed()) {
                ReceivedRequest request = readRequest(in);
                receivedRequests.add(request);
                handler.handle(new Exchange(request, socket));
            }
        } catch (Exception _) {
            // The client is gone, or the script wants the connection closed.
        } finally {
            openSockets.remove(socket);
        }
    }

    private static ReceivedRequest readRequest(InputStream in) throws IOException {
        String[] start = readLine(in).split(" ", 3);
        var lines = new ArrayList<String>();
        for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
            lines.add(line);
        }
        var head = new ReceivedRequest(start[0], start[1], lines, "");
        long length = head.header("Content-Length").map(Long::parseLong).orElse(0L);
        InputStream body =
                head.header("Transfer-Encoding").isPresent()
                        ? new HttpBodyStreams.Chunked(in)
                        : new HttpBodyStreams.FixedLength(in, length);
        return new ReceivedRequest(
                start[0], start[1], lines, new String(body.readAllBytes(), StandardCharsets.UTF_8));
    }

    private static String readLine(InputStream in) throws IOException {
        var line = new StringBuilder();
        while (true) {
            int c = in.read();
            if (c < 0) {
                throw new EOFException("The client is gone");
            }
            if (c == '\n') {
                return line.toString().strip();
            }
            line.append((char) c);
        }
    }
}
