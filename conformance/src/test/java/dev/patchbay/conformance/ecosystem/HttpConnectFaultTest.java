package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.FreePort;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.RawHttpServer.Exchange;
import dev.patchbay.testkit.RawHttpServer.ReceivedRequest;
import dev.patchbay.testkit.RawHttpServer.RequestHandler;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * HTTP servers that cannot be connected or are lost: closed ports, redirects, refusals, lost
 * sessions. The state reports it, attempts are bounded, and no other address is contacted.
 */
class HttpConnectFaultTest {
    private static final String TWO_ATTEMPTS = "\"connectionTimeoutMs\": 20000, \"maxRetries\": 1";
    private static final String SHORT_TIMEOUT = "\"connectionTimeoutMs\": 1000, \"maxRetries\": 1";

    @RegisterExtension static final SharedGateway SHARED = new SharedGateway();

    /** Waits until all attempts have failed, and returns the report of the server. */
    private static JsonTree awaitFinalError(String id, int attempts) throws InterruptedException {
        SHARED.host().awaitError(id, "could not be connected in " + attempts + " attempt");
        JsonTree server = SHARED.host().server(id);
        assertThat(server.at("status").asText()).isEqualTo("error");
        assertThat(server.at("attempts").toString()).isEqualTo(Integer.toString(attempts));
        assertThat(server.at("lastError").asText())
                .contains(id)
                .doesNotContain("Exception", "\tat ");
        return server;
    }

    @Test
    void closedPortIsAnErrorAfterAllAttempts() throws Exception {
        URI closed = URI.create("http://127.0.0.1:%d/mcp".formatted(FreePort.find()));
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            String id = SHARED.gateway().add(closed, TWO_ATTEMPTS);
            assertThat(awaitFinalError(id, 2).at("lastError").asText())
                    .startsWith("CONNECTION_FAILED")
                    .contains("connection refused");
            assertThat(SHARED.host().failureDetails(id + ".echo", "{}").at("execution").asText())
                    .isEqualTo("not_sent");
        }
    }

    @Test
    void unknownHostNameIsAnErrorAfterAllAttempts() throws Exception {
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            awaitFinalError(
                    SHARED.gateway().add(URI.create("http://no.such.invalid/"), TWO_ATTEMPTS), 2);
        }
    }

    /** A port with a full backlog neither accepts nor refuses connections. */
    @Test
    void portThatAcceptsNoConnectionTimesOut() throws Exception {
        var loopback = InetAddress.getLoopbackAddress();
        var queued = new ArrayList<Socket>();
        try (var listener = new ServerSocket(0, 1, loopback);
                HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            var address = new InetSocketAddress(loopback, listener.getLocalPort());
            while (connectsToBacklog(queued, address)) {
                assertThat(queued).hasSizeLessThan(100);
            }
            URI hole = URI.create("http://127.0.0.1:%d/mcp".formatted(listener.getLocalPort()));
            assertThat(
                            awaitFinalError(SHARED.gateway().add(hole, SHORT_TIMEOUT), 2)
                                    .at("lastError")
                                    .asText())
                    .startsWith("CONNECTION_TIMEOUT");
        } finally {
            for (Socket socket : queued) {
                socket.close();
            }
        }
    }

    private static boolean connectsToBacklog(List<Socket> queued, InetSocketAddress address)
            throws IOException {
        var socket = new Socket();
        queued.add(socket);
        try {
            socket.connect(address, 200);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    @Test
    void redirectIsNotFollowed() throws Exception {
        try (var target = new HttpEchoServer();
                var server = new HttpEchoServer()) {
            String location = "Location: " + target.url();
            var status = new AtomicInteger(300);
            server.onEveryRequest(exchange -> exchange.respond(status.get(), "", location));
            String id = SHARED.gateway().add(server, "\"maxRetries\": 0");
            awaitFinalError(id, 1);
            int before = server.requestCount();
            var redirects = List.of(301, 302, 303, 307, 308);
            for (int given : redirects) {
                status.set(given);
                SHARED.host().discover(true, id);
                assertThat(SHARED.host().lastError(id)).contains("HTTP " + given, "redirect");
            }
            assertThat(server.requestCount() - before).isEqualTo(redirects.size());
            assertThat(target.requestCount()).isZero();
        }
    }

    @Test
    void redirectOfACallIsItsErrorAndNotFollowed() throws Exception {
        try (var target = new HttpEchoServer();
                var server = new HttpEchoServer()) {
            String id = SHARED.gateway().connect(server, TWO_ATTEMPTS);
            String location = "Location: " + target.url();
            server.on("tools/call", exchange -> exchange.respond(307, "", location));
            assertThat(SHARED.host().failureDetails(id + ".echo", "{}").at("message").asText())
                    .contains("redirect");
            assertThat(server.count("tools/call")).isEqualTo(1);
            assertThat(target.requestCount()).isZero();
        }
    }

    /** Without a sign-in, further attempts cannot succeed. */
    @Test
    void serverThatRequiresSignInIsTriedOnceAndReportsIt() throws Exception {
        try (var metadata = new HttpEchoServer();
                var server = new HttpEchoServer();
                HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            server.onEveryRequest(exchange -> exchange.respond(401, "", challenge(metadata)));
            String id = SHARED.gateway().add(server, TWO_ATTEMPTS);
            SHARED.host().awaitError(id, "SIGN_IN_NEEDED");
            assertThat(SHARED.host().server(id).at("status").asText()).isEqualTo("error");
            assertThat(SHARED.host().lastError(id)).contains("patchbay login " + id);
            assertThat(server.requestCount()).isEqualTo(1);
            JsonTree failure = SHARED.host().failureDetails(id + ".echo", "{}");
            assertThat(failure.at("reason").asText()).isEqualTo("SIGN_IN_NEEDED");
            assertThat(failure.at("execution").asText()).isEqualTo("not_sent");
            assertThat(metadata.requestCount()).as("only a sign-in asks there").isZero();
        }
    }

    private static String challenge(HttpEchoServer metadata) {
        return "WWW-Authenticate: Bearer resource_metadata=\"%s\"".formatted(metadata.url());
    }

    /** The address in the challenge is not contacted. */
    @ParameterizedTest
    @CsvSource({"401, '\"headers\": {\"Authorization\": \"Bearer x\"}, '", "403, ''"})
    void refusedConnectionIsNotRetriedForever(int status, String credential) throws Exception {
        try (var metadata = new HttpEchoServer();
                var server = new HttpEchoServer();
                HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            server.onEveryRequest(exchange -> exchange.respond(status, "", challenge(metadata)));
            String id = SHARED.gateway().add(server, credential + TWO_ATTEMPTS);
            assertThat(awaitFinalError(id, 2).at("lastError").asText()).contains("HTTP " + status);
            assertThat(server.requestCount()).as("one request for each attempt").isEqualTo(2);
            assertThat(server.received())
                    .extracting(it -> it.header("Authorization").orElse(""))
                    .containsOnly(credential.isEmpty() ? "" : "Bearer x");
            assertThat(metadata.requestCount()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"503,2", "429,3"})
    void retryAfterIsHonored(int status, int seconds) throws Exception {
        var times = new LinkedBlockingQueue<Long>();
        try (var server = new HttpEchoServer()) {
            server.on(
                    "server/discover",
                    exchange -> {
                        times.add(System.nanoTime());
                        server.restore("server/discover");
                        exchange.respond(status, "busy", "Retry-After: " + seconds);
                    });
            String id = SHARED.gateway().connect(server, TWO_ATTEMPTS);
            long again = System.nanoTime();
            assertThat(Duration.ofNanos(again - times.remove()))
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(seconds));
            assertThat(SHARED.host().callForText(id + ".echo", "{}")).isEqualTo("{}");
            assertThat(server.count("server/discover")).isEqualTo(2);
        }
    }

    /** An invalid value is ignored: the default delay of about a second applies. */
    @Test
    void invalidRetryAfterIsIgnored() throws Exception {
        try (var server = new HttpEchoServer()) {
            server.on(
                    "server/discover",
                    exchange -> {
                        server.restore("server/discover");
                        exchange.respond(503, "", "Retry-After: soon");
                    });
            var begun = Stopwatch.start();
            SHARED.gateway().connect(server, TWO_ATTEMPTS);
            assertThat(begun.activeTime()).isLessThan(Duration.ofSeconds(25));
        }
    }

    @Test
    void lostSessionIsReopenedOnceAndTheCallIsNotResent() throws Exception {
        try (var server = new HttpEchoServer()) {
            String id = SHARED.gateway().connect(server, "\"maxRetries\": 3");
            var sent = new CountDownLatch(5);
            server.on(
                    "tools/call",
                    exchange -> {
                        sent.countDown(); // else the last might come in the next session
                        sent.await();
                        NOT_FOUND.handle(exchange);
                    });
            try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
                List<String> ids = SHARED.gateway().sendCalls(5, id + ".echo", "{}");
                for (JsonTree failure : SHARED.gateway().awaitFailures(ids)) {
                    assertThat(failure.at("serverId").asText()).isEqualTo(id);
                    assertThat(failure.at("message").asText()).contains("session");
                }
                server.restore("tools/call");
                SHARED.host().awaitStatus(id, "connected");
                assertThat(SHARED.host().callForText(id + ".echo", "{\"a\":1}"))
                        .isEqualTo("{\"a\":1}");
            }
            assertThat(server.count("tools/call")).as("each at most once").isLessThanOrEqualTo(6);
            assertThat(server.count("initialize")).isEqualTo(2);
            ReceivedRequest last = server.received().getLast();
            assertThat(last.header("Mcp-Session-Id")).contains("s2");
        }
    }

    /** Many restarted servers answer 400 to an unknown session. */
    @Test
    void sessionRejectedAsBadRequestIsReopened() throws Exception {
        try (var server = new HttpEchoServer()) {
            String id = SHARED.gateway().connect(server, "\"maxRetries\": 3");
            String words = "{\"code\":-32000,\"message\":\"No valid session ID provided\"}";
            String body = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":" + words + "}";
            server.on("tools/call", exchange -> exchange.respond(400, body));
            assertThat(SHARED.host().failureDetails(id + ".echo", "{}").at("message").asText())
                    .contains("session");
            server.restore("tools/call");
            SHARED.host().awaitStatus(id, "connected");
            assertThat(SHARED.host().callForText(id + ".echo", "{\"a\":1}")).isEqualTo("{\"a\":1}");
            assertThat(server.count("initialize")).isEqualTo(2);
            assertThat(server.count("tools/call")).isEqualTo(2);
        }
    }

    private static final RequestHandler NOT_FOUND = exchange -> exchange.respond(404, "");

    /** A server that loses each session on first use is not initialized forever. */
    @Test
    void serverThatLosesEverySessionIsGivenUp() throws Exception {
        try (var server = new HttpEchoServer()) {
            server.on("tools/list", NOT_FOUND);
            String id = SHARED.gateway().add(server, "\"maxRetries\": 1");
            SHARED.host().awaitError(id, "too often");
            assertThat(server.count("initialize")).isEqualTo(2);
            assertThat(SHARED.host().status(id)).isEqualTo("error");
        }
    }

    private static void serveSseTransport(
            Exchange exchange, String endpoint, List<Exchange> streams) throws Exception {
        ReceivedRequest request = exchange.request();
        if (request.method().equals("GET")) {
            exchange.startEventStream();
            streams.add(exchange); // responses to posts are sent here
            exchange.send("event: endpoint\ndata: " + endpoint + "\n\n");
            exchange.awaitDisconnect(60_000);
        } else if (!request.path().equals("/messages")) {
            exchange.respond(405, "");
        } else {
            exchange.respond(202, "");
            Exchange stream = streams.getLast();
            switch (request.rpcMethod()) {
                case "initialize" ->
                        stream.sendEvent(
                                exchange.resultMessage(
                                        "{\"protocolVersion\":\"2024-11-05\",\"capabilities\":"
                                                + "{\"tools\":{}},\"serverInfo\":"
                                                + "{\"name\":\"old\",\"version\":\"1\"}}"));
                case "tools/list" ->
                        stream.sendEvent(
                                exchange.resultMessage(
                                        "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":"
                                                + "{\"type\":\"object\"}}]}"));
                case "tools/call" ->
                        stream.sendEvent(exchange.resultMessage(HttpEchoServer.echo(exchange)));
                default -> {
                    // A notification.
                }
            }
        }
    }

    @Test
    void sseTransportServerIsDetectedUsedAndReconnected() throws Exception {
        var streams = new CopyOnWriteArrayList<Exchange>();
        try (var server = new HttpEchoServer()) {
            server.onEveryRequest(exchange -> serveSseTransport(exchange, "/messages", streams));
            String id = SHARED.gateway().connect(server, "\"maxRetries\": 3");
            assertThat(SHARED.host().callForText(id + ".echo", "{\"a\":1}")).isEqualTo("{\"a\":1}");
            streams.getLast().close();
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> streams.size() == 2)).isTrue();
            SHARED.host().awaitStatus(id, "connected");
            assertThat(SHARED.host().callForText(id + ".echo", "{\"b\":2}")).isEqualTo("{\"b\":2}");
        }
    }

    @Test
    void sseServerWithForeignEndpointGetsNoPosts() throws Exception {
        var streams = new CopyOnWriteArrayList<Exchange>();
        var reported = new AtomicInteger();
        try (var target = new HttpEchoServer();
                var server = new HttpEchoServer()) {
            server.onEveryRequest(
                    exchange -> {
                        reported.incrementAndGet();
                        serveSseTransport(exchange, target.url().toString(), streams);
                    });
            String id = SHARED.gateway().add(server, "\"type\": \"sse\", \"maxRetries\": 0");
            assertThat(awaitFinalError(id, 1).at("lastError").asText()).contains("another server");
            assertThat(reported).hasPositiveValue();
            assertThat(target.requestCount()).isZero();
        }
    }
}
