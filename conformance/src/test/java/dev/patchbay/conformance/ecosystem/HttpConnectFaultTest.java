package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.FreePort;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.RawHttpServer.Exchange;
import dev.patchbay.testkit.RawHttpServer.Received;
import dev.patchbay.testkit.RawHttpServer.Script;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Servers over HTTP that cannot be connected, or are lost: closed ports, redirects, refusals, lost
 * sessions. The state tells it, attempts are bounded, and nobody else is asked in their place.
 */
class HttpConnectFaultTest {
    private static final String TWICE = "\"connectionTimeoutMs\": 20000, \"maxRetries\": 1";
    private static final String QUICK = "\"connectionTimeoutMs\": 1000, \"maxRetries\": 1";

    @TempDir private static Path folder;
    private static Neighbourhood around;
    private static Host host;

    @BeforeAll
    static void open() throws Exception {
        around = new Neighbourhood(folder);
        host = around.host();
    }

    @AfterEach
    void clear() throws Exception {
        around.clear();
    }

    @AfterAll
    static void close() {
        around.close();
    }

    /** Waits until a server is given up; what is told of it then. */
    private static JsonTree awaitGivenUp(String id, int attempts) throws InterruptedException {
        host.awaitError(id, "could not be connected in " + attempts + " attempt");
        JsonTree server = host.server(id);
        assertThat(server.at("status").text()).isEqualTo("error");
        assertThat(server.at("attempts").toString()).isEqualTo(Integer.toString(attempts));
        assertThat(server.at("lastError").text()).contains(id).doesNotContain("Exception", "\tat ");
        return server;
    }

    @Test
    void aClosedPortIsAnErrorAfterTheAttempts() throws Exception {
        URI closed = URI.create("http://127.0.0.1:%d/mcp".formatted(FreePort.find()));
        try (Watch _ = around.watch()) {
            String id = around.join(closed, TWICE);
            assertThat(awaitGivenUp(id, 2).at("lastError").text())
                    .startsWith("CONNECTION_FAILED")
                    .contains("refuses the connection");
            assertThat(host.failure(id + ".echo", "{}").at("execution").text())
                    .isEqualTo("not_sent");
        }
    }

    @Test
    void aNameThatNobodyKnowsIsAnErrorAfterTheAttempts() throws Exception {
        try (Watch _ = around.watch()) {
            awaitGivenUp(around.join(URI.create("http://no.such.invalid/"), TWICE), 2);
        }
    }

    /** A port whose queue is full lets nobody in, and says nothing. */
    @Test
    void aPortThatTakesNoConnectionTimesOut() throws Exception {
        var loopback = InetAddress.getLoopbackAddress();
        var queued = new ArrayList<Socket>();
        try (var listener = new ServerSocket(0, 1, loopback);
                Watch _ = around.watch()) {
            var address = new InetSocketAddress(loopback, listener.getLocalPort());
            while (fills(queued, address)) {
                assertThat(queued).hasSizeLessThan(100);
            }
            URI hole = URI.create("http://127.0.0.1:%d/mcp".formatted(listener.getLocalPort()));
            assertThat(awaitGivenUp(around.join(hole, QUICK), 2).at("lastError").text())
                    .startsWith("CONNECTION_TIMEOUT");
        } finally {
            for (Socket socket : queued) {
                socket.close();
            }
        }
    }

    private static boolean fills(List<Socket> queued, InetSocketAddress address)
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
    void aRedirectIsNotFollowed() throws Exception {
        try (var target = new WebServer();
                var server = new WebServer()) {
            String location = "Location: " + target.url();
            var status = new AtomicInteger(300);
            server.onAll(exchange -> exchange.answer(status.get(), "", location));
            String id = around.join(server, "\"maxRetries\": 0");
            awaitGivenUp(id, 1);
            int before = server.hits();
            var redirects = List.of(301, 302, 303, 307, 308);
            for (int given : redirects) {
                status.set(given);
                host.discover(true, id);
                assertThat(host.lastError(id)).contains("HTTP " + given, "redirect");
            }
            assertThat(server.hits() - before).isEqualTo(redirects.size());
            assertThat(target.hits()).isZero();
        }
    }

    @Test
    void aRedirectOfACallIsItsErrorAndNotFollowed() throws Exception {
        try (var target = new WebServer();
                var server = new WebServer()) {
            String id = around.connect(server, TWICE);
            String location = "Location: " + target.url();
            server.on("tools/call", exchange -> exchange.answer(307, "", location));
            assertThat(host.failure(id + ".echo", "{}").at("message").text()).contains("redirect");
            assertThat(server.count("tools/call")).isEqualTo(1);
            assertThat(target.hits()).isZero();
        }
    }

    /** Somebody has to sign in: until then no attempt can do better than the first. */
    @Test
    void aServerThatWantsASignInIsAskedOnceAndSaysSo() throws Exception {
        try (var metadata = new WebServer();
                var server = new WebServer();
                Watch _ = around.watch()) {
            server.onAll(exchange -> exchange.answer(401, "", challenge(metadata)));
            String id = around.join(server, TWICE);
            host.awaitError(id, "SIGN_IN_NEEDED");
            assertThat(host.server(id).at("status").text()).isEqualTo("error");
            assertThat(host.lastError(id)).contains("patchbay login " + id);
            assertThat(server.hits()).isEqualTo(1);
            JsonTree failure = host.failure(id + ".echo", "{}");
            assertThat(failure.at("reason").text()).isEqualTo("SIGN_IN_NEEDED");
            assertThat(failure.at("execution").text()).isEqualTo("not_sent");
            assertThat(metadata.hits()).as("only a sign-in asks there").isZero();
        }
    }

    private static String challenge(WebServer metadata) {
        return "WWW-Authenticate: Bearer resource_metadata=\"%s\"".formatted(metadata.url());
    }

    /** What a refusal says about where to get a token is not looked at. */
    @ParameterizedTest
    @CsvSource({"401, '\"headers\": {\"Authorization\": \"Bearer x\"}, '", "403, ''"})
    void aRefusalIsNotAskedAgainForEver(int status, String credential) throws Exception {
        try (var metadata = new WebServer();
                var server = new WebServer();
                Watch _ = around.watch()) {
            server.onAll(exchange -> exchange.answer(status, "", challenge(metadata)));
            String id = around.join(server, credential + TWICE);
            assertThat(awaitGivenUp(id, 2).at("lastError").text()).contains("HTTP " + status);
            assertThat(server.hits()).as("one request for each attempt").isEqualTo(2);
            assertThat(server.received())
                    .extracting(it -> it.header("Authorization").orElse(""))
                    .containsOnly(credential.isEmpty() ? "" : "Bearer x");
            assertThat(metadata.hits()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"503,2", "429,3"})
    void aServerThatAsksForTimeGetsIt(int status, int seconds) throws Exception {
        var times = new LinkedBlockingQueue<Long>();
        try (var server = new WebServer()) {
            server.on(
                    "server/discover",
                    exchange -> {
                        times.add(System.nanoTime());
                        server.heal("server/discover");
                        exchange.answer(status, "busy", "Retry-After: " + seconds);
                    });
            String id = around.connect(server, TWICE);
            long again = System.nanoTime();
            assertThat(Duration.ofNanos(again - times.remove()))
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(seconds));
            assertThat(host.text(id + ".echo", "{}")).isEqualTo("{}");
            assertThat(server.count("server/discover")).isEqualTo(2);
        }
    }

    /** Nonsense asks for nothing: the usual wait of about a second is enough. */
    @Test
    void aSenselessWishForTimeIsPassedOver() throws Exception {
        try (var server = new WebServer()) {
            server.on(
                    "server/discover",
                    exchange -> {
                        server.heal("server/discover");
                        exchange.answer(503, "", "Retry-After: soon");
                    });
            var begun = Stopwatch.start();
            around.connect(server, TWICE);
            assertThat(begun.net()).isLessThan(Duration.ofSeconds(25));
        }
    }

    @Test
    void aLostSessionIsOpenedAgainOnceAndTheCallIsNotSentAgain() throws Exception {
        try (var server = new WebServer()) {
            String id = around.connect(server, "\"maxRetries\": 3");
            var sent = new CountDownLatch(5);
            server.on(
                    "tools/call",
                    exchange -> {
                        sent.countDown(); // else the last might come in the next session
                        sent.await();
                        WEARY.serve(exchange);
                    });
            try (Watch _ = around.watch()) {
                List<String> ids = around.send(5, id + ".echo", "{}");
                for (JsonTree failure : around.failures(ids)) {
                    assertThat(failure.at("serverId").text()).isEqualTo(id);
                    assertThat(failure.at("message").text()).contains("session");
                }
                server.heal("tools/call");
                host.awaitStatus(id, "connected");
                assertThat(host.text(id + ".echo", "{\"a\":1}")).isEqualTo("{\"a\":1}");
            }
            assertThat(server.count("tools/call")).as("each at most once").isLessThanOrEqualTo(6);
            assertThat(server.count("initialize")).isEqualTo(2);
            Received last = server.received().getLast();
            assertThat(last.header("Mcp-Session-Id")).contains("s2");
        }
    }

    /** Started anew, many servers say so of a session that they do not know. */
    @Test
    void aSessionThatAServerTakesForABadRequestIsOpenedAgain() throws Exception {
        try (var server = new WebServer()) {
            String id = around.connect(server, "\"maxRetries\": 3");
            String words = "{\"code\":-32000,\"message\":\"No valid session ID provided\"}";
            String body = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":" + words + "}";
            server.on("tools/call", exchange -> exchange.answer(400, body));
            assertThat(host.failure(id + ".echo", "{}").at("message").text()).contains("session");
            server.heal("tools/call");
            host.awaitStatus(id, "connected");
            assertThat(host.text(id + ".echo", "{\"a\":1}")).isEqualTo("{\"a\":1}");
            assertThat(server.count("initialize")).isEqualTo(2);
            assertThat(server.count("tools/call")).isEqualTo(2);
        }
    }

    private static final Script WEARY = exchange -> exchange.answer(404, "");

    /** A server that loses each session as soon as it is used is not greeted for ever. */
    @Test
    void aServerThatLosesEverySessionIsGivenUp() throws Exception {
        try (var server = new WebServer()) {
            server.on("tools/list", WEARY);
            String id = around.join(server, "\"maxRetries\": 1");
            host.awaitError(id, "too often");
            assertThat(server.count("initialize")).isEqualTo(2);
            assertThat(host.status(id)).isEqualTo("error");
        }
    }

    private static void old(Exchange exchange, String endpoint, List<Exchange> streams)
            throws Exception {
        Received request = exchange.request();
        if (request.method().equals("GET")) {
            exchange.stream();
            streams.add(exchange); // whoever knows the endpoint is answered here
            exchange.send("event: endpoint\ndata: " + endpoint + "\n\n");
            exchange.awaitHangUp(60_000);
        } else if (!request.path().equals("/messages")) {
            exchange.answer(405, "");
        } else {
            exchange.answer(202, "");
            Exchange stream = streams.getLast();
            switch (request.rpcMethod()) {
                case "initialize" ->
                        stream.event(
                                exchange.resultText(
                                        "{\"protocolVersion\":\"2024-11-05\",\"capabilities\":"
                                                + "{\"tools\":{}},\"serverInfo\":"
                                                + "{\"name\":\"old\",\"version\":\"1\"}}"));
                case "tools/list" ->
                        stream.event(
                                exchange.resultText(
                                        "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":"
                                                + "{\"type\":\"object\"}}]}"));
                case "tools/call" -> stream.event(exchange.resultText(WebServer.echo(exchange)));
                default -> {
                    // A notification.
                }
            }
        }
    }

    @Test
    void aServerOfTheOldTransportIsFoundUsedAndFoundAgain() throws Exception {
        var streams = new CopyOnWriteArrayList<Exchange>();
        try (var server = new WebServer()) {
            server.onAll(exchange -> old(exchange, "/messages", streams));
            String id = around.connect(server, "\"maxRetries\": 3");
            assertThat(host.text(id + ".echo", "{\"a\":1}")).isEqualTo("{\"a\":1}");
            streams.getLast().close();
            assertThat(Host.await(Host.PATIENCE, () -> streams.size() == 2)).isTrue();
            host.awaitStatus(id, "connected");
            assertThat(host.text(id + ".echo", "{\"b\":2}")).isEqualTo("{\"b\":2}");
        }
    }

    @Test
    void anOldServerThatWantsPostsElsewhereGetsNone() throws Exception {
        var streams = new CopyOnWriteArrayList<Exchange>();
        var told = new AtomicInteger();
        try (var target = new WebServer();
                var server = new WebServer()) {
            server.onAll(
                    exchange -> {
                        told.incrementAndGet();
                        old(exchange, target.url().toString(), streams);
                    });
            String id = around.join(server, "\"type\": \"sse\", \"maxRetries\": 0");
            assertThat(awaitGivenUp(id, 1).at("lastError").text()).contains("another server");
            assertThat(told).hasPositiveValue();
            assertThat(target.hits()).isZero();
        }
    }
}
