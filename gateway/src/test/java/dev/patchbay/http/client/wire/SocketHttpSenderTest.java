package dev.patchbay.http.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.testkit.RawHttpServer;
import dev.patchbay.testkit.RawHttpServer.RequestHandler;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The bytes of HTTP/1.1 towards a server: what is an answer, where it ends, what is used again. */
class SocketHttpSenderTest {
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String CHUNKED = OK + "Transfer-Encoding: Chunked\r\n\r\n";
    private static final String HINTS =
            "HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 103 Hint\r\nLink: <x>\r\n\r\n";

    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();

    private RawHttpServer server(RequestHandler script) throws IOException {
        return RawHttpServer.start(
                exchange -> {
                    connections.add(exchange.socket());
                    script.handle(exchange);
                });
    }

    /** A server that answers each request with these bytes. */
    private RawHttpServer serverSending(String bytes) throws IOException {
        return server(exchange -> exchange.send(bytes));
    }

    private static String sendAndRead(RawHttpServer server) throws Exception {
        try (HttpSender.Response answer = new SocketHttpSender().send(post(server, Map.of()))) {
            return new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static HttpSender.Request post(RawHttpServer server, Map<String, String> headers) {
        var body = new HttpSender.RequestBody("{}".getBytes(StandardCharsets.UTF_8));
        return new HttpSender.Request("POST", server.url("/mcp"), headers, body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 200\r\ncontent-length:5\r\n\r\nhello",
                "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
                "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nX-Folded: a\r\n b\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
                CHUNKED + "2;a=b\r\nhe\r\n003\r\nllo\r\n0\r\nX-Trailer: 1\r\n\r\n",
                HINTS + OK + "Content-Length: 5\r\n\r\nhello",
            })
    void responseEndsAsFramedAndConnectionIsReused(String bytes) throws Exception {
        try (var server = serverSending(bytes)) {
            assertThat(sendAndRead(server)).isEqualTo("hello");
            assertThat(sendAndRead(server)).isEqualTo("hello");
            assertThat(connections).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                OK
                        + "Content-Length: 9\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n"
                        + "5\r\n"
                        + "hello\r\n"
                        + "0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more",
            })
    void nonReusableConnectionIsNotReused(String bytes) throws Exception {
        try (var server = serverSending(bytes)) {
            assertThat(sendAndRead(server)).isEqualTo("hello");
            assertThat(sendAndRead(server)).isEqualTo("hello");
            assertThat(connections).hasSize(2);
        }
    }

    @Test
    void responseWithoutLengthEndsWithConnection() throws Exception {
        try (var server = server(exchange -> exchange.send(OK + "\r\nhello").close())) {
            assertThat(sendAndRead(server)).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"204 No Content", "304 Not Modified"})
    void bodilessStatusIgnoresContentLength(String status) throws Exception {
        try (var server = serverSending("HTTP/1.1 " + status + "\r\nContent-Length: 7\r\n\r\n")) {
            assertThat(sendAndRead(server)).isEmpty();
            assertThat(sendAndRead(server)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/2 200 OK\r\n\r\n",
                "HTTP/1.1 20 OK\r\n\r\n",
                "HTTP/1.1 2000 OK\r\n\r\n",
                "HTTP/1.1 099 Low\r\n\r\n",
                "ICY 200 OK\r\n\r\n",
                OK + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
                OK + "Content-Length: 5, 6\r\n\r\nhello",
                OK + "Content-Length: +5\r\n\r\nhello",
                OK + "Content-Length: 5x\r\n\r\nhello",
                OK + "Content-Length:\r\n\r\nhello",
                OK + "Content-Length: 9000000000000000000\r\n\r\nhello",
                OK + "Transfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: identity\r\n\r\nhello",
                OK + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello0\r\n\r\n",
                OK + "Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: chunked\r\n\r\n\r\nhello\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nhello",
                OK + " folded: at the start\r\n\r\n",
                OK + "No colon\r\n\r\n",
                OK + ": no name\r\n\r\n",
                OK + "Space : before\r\n\r\n",
                OK + "Nul: \0\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
            })
    void ambiguousResponseIsRejected(String bytes) throws Exception {
        try (var server = server(exchange -> exchange.send(bytes).close())) {
            assertThatThrownBy(() -> sendAndRead(server)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void truncatedResponseIsRejected() throws Exception {
        try (var server =
                server(exchange -> exchange.send(OK + "Content-Length: 9\r\n\r\nhello").close())) {
            assertThatThrownBy(() -> sendAndRead(server)).isInstanceOf(EOFException.class);
        }
    }

    /** A server hangs up on connections that rest; the next request must not be lost for that. */
    @Test
    void connectionClosedByServerIsNotReused() throws Exception {
        try (var server = server(exchange -> exchange.send(OK + "Content-Length: 0\r\n\r\n"))) {
            for (int i = 1; i <= 5; i++) {
                assertThat(sendAndRead(server)).isEmpty();
                assertThat(connections).hasSize(i);
                for (Socket socket : connections) {
                    socket.close();
                }
            }
            assertThat(server.receivedRequests()).hasSize(5);
        }
    }

    @Test
    void closingResponseEarlyClosesConnection() throws Exception {
        try (var server = server(exchange -> exchange.send(OK + "Content-Length: 5\r\n\r\nhe"))) {
            for (int i = 1; i <= 2; i++) {
                HttpSender.Response answer = new SocketHttpSender().send(post(server, Map.of()));
                assertThat(answer.status()).isEqualTo(200);
                answer.close();
                assertThat(connections).hasSize(i);
            }
        }
    }

    /** A stream of events is left at the answer, and its end follows. */
    @Test
    void shortRestIsDrainedSoThatConnectionIsReused() throws Exception {
        String stream = OK + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
        try (var server = serverSending(stream)) {
            for (int i = 0; i < 2; i++) {
                try (HttpSender.Response answer =
                        new SocketHttpSender().send(post(server, Map.of()))) {
                    assertThat(answer.body().readNBytes(2)).hasSize(2);
                    answer.drain();
                }
            }
            assertThat(connections).hasSize(1);
        }
    }

    /** Threat: what a configuration or a server says must not become a second request. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Key: a\r\nX-Other: b",
                "X-Key: a\nb",
                "X-Key: a\0",
                "X Key: a",
                "Content-Length: 0",
                "transfer-encoding: chunked",
                "Connection: upgrade",
            })
    void headerThatWouldAlterRequestIsNotSent(String line) throws Exception {
        int colon = line.indexOf(':');
        var headers = Map.of(line.substring(0, colon), line.substring(colon + 2));
        try (var server = serverSending(OK + "Content-Length: 0\r\n\r\n")) {
            assertThatThrownBy(() -> new SocketHttpSender().send(post(server, headers)))
                    .isInstanceOf(HttpSender.NotSentException.class);
            assertThat(server.receivedRequests()).isEmpty();
        }
    }

    @Test
    void requestIsComplete() throws Exception {
        try (var server = serverSending(OK + "Content-Length: 0\r\n\r\n")) {
            sendAndRead(server);
            var request = server.receivedRequests().getFirst();
            assertThat(request.header("Host")).contains("127.0.0.1:" + server.port());
            assertThat(request.header("Content-Length")).contains("2");
            assertThat(request.header("User-Agent")).contains("patchbay");
            assertThat(request.body()).isEqualTo("{}");
        }
    }
}
