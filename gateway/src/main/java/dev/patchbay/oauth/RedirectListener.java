package dev.patchbay.oauth;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A local port for the redirect of one sign-in. Requests without the expected state are rejected,
 * and waiting continues.
 */
final class RedirectListener implements AutoCloseable {
    private static final String PATH = "/callback";
    private static final int HEAD_BYTES_MAX = 32 * 1024;
    private static final int READ_MILLIS_MAX = 5_000;

    private static final String SUCCESS_PAGE =
            "Patchbay has received the response. You can close this page; see your terminal"
                    + " for the result.";

    private static final String FAILURE_PAGE =
            "The sign-in was not completed. See your terminal for the reason.";

    private final ServerSocket listener;
    private final String state;
    private final AtomicBoolean isRedirectReceived = new AtomicBoolean();
    private final CompletableFuture<Map<String, String>> redirectParameters =
            new CompletableFuture<>();

    private RedirectListener(ServerSocket listener, String state) {
        this.listener = listener;
        this.state = state;
    }

    /** Listens on a port, 0 for any free one, for a request with this state. */
    static RedirectListener open(int port, String state) throws IOException {
        var loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        var callback = new RedirectListener(new ServerSocket(port, 10, loopback), state);
        Thread.ofVirtual().name("callback").start(callback::acceptConnections);
        return callback;
    }

    String redirectUri() {
        return "http://127.0.0.1:" + listener.getLocalPort() + PATH;
    }

    /** Waits for the parameters of the redirect. */
    Map<String, String> await(Duration patience) throws SignInFailed, InterruptedException {
        try {
            return redirectParameters.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            throw new SignInFailed(
                    "The sign-in was not completed within %d s".formatted(patience.toSeconds()));
        } catch (ExecutionException e) {
            throw new IllegalStateException("Nothing completes it with a failure", e);
        }
    }

    private void acceptConnections() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                Thread.ofVirtual().name("callback visit").start(() -> serve(socket));
            } catch (IOException _) {
                // Closed, or the peer was gone before it was accepted.
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setSoTimeout(READ_MILLIS_MAX);
            handleRequest(socket, readRequestLine(socket.getInputStream()));
        } catch (IOException _) {
            // The peer is gone or sent nothing useful.
        }
    }

    private void handleRequest(Socket socket, String line) throws IOException {
        String[] words = line.split(" ", -1);
        String target = words.length == 3 && words[0].equals("GET") ? words[1] : "";
        if (!target.startsWith(PATH + "?")) {
            sendPage(socket, "404 Not Found", "Not found.");
            return;
        }
        Map<String, String> query = parseQuery(target.substring(PATH.length() + 1));
        boolean ours =
                MessageDigest.isEqual(
                        query.getOrDefault("state", "").getBytes(StandardCharsets.UTF_8),
                        state.getBytes(StandardCharsets.UTF_8));
        if (!ours || !isRedirectReceived.compareAndSet(false, true)) {
            sendPage(
                    socket,
                    "400 Bad Request",
                    "This is not the response that Patchbay is waiting for.");
            return;
        }
        try {
            sendPage(socket, "200 OK", query.containsKey("code") ? SUCCESS_PAGE : FAILURE_PAGE);
        } finally {
            redirectParameters.complete(query); // only now: the process may end right afterwards
        }
    }

    /** The parameters; empty if one is duplicated or malformed. */
    private static Map<String, String> parseQuery(String text) {
        var query = new HashMap<String, String>();
        for (String pair : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals <= 0) {
                continue;
            }
            try {
                String name = URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8);
                String value =
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
                if (query.put(name, value) != null) {
                    return Map.of();
                }
            } catch (IllegalArgumentException _) {
                return Map.of();
            }
        }
        return query;
    }

    /** Reads the head of a request and returns its first line, in linear time. */
    static String readRequestLine(InputStream in) throws IOException {
        var buffered = new BufferedInputStream(in);
        var line = new StringBuilder();
        boolean isFirstLine = true;
        int lineLength = 0;
        for (int read = 0; read < HEAD_BYTES_MAX; read++) {
            int c = buffered.read();
            if (c < 0) {
                break;
            }
            if (c == '\n') {
                if (lineLength == 0 && !isFirstLine) {
                    return line.toString();
                }
                isFirstLine = false;
                lineLength = 0;
            } else if (c != '\r') {
                lineLength++;
                if (isFirstLine) {
                    line.append((char) c);
                }
            }
        }
        throw new IOException("The request is incomplete or too long");
    }

    private static void sendPage(Socket socket, String status, String text) throws IOException {
        String page =
                "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Patchbay</title>"
                        + "<h1>Patchbay</h1><p>"
                        + text
                        + "</p></html>";
        String head =
                "HTTP/1.1 %s\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n"
                                .formatted(status, page.length())
                        + "Content-Security-Policy: default-src 'none'\r\n"
                        + "Referrer-Policy: no-referrer\r\nCache-Control: no-store\r\n"
                        + "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write((head + page).getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
