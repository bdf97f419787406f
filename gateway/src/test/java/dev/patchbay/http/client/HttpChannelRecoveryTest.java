package dev.patchbay.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.http.server.HttpServerFixture;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.RawHttpServer;
import dev.patchbay.testkit.RawHttpServer.Exchange;
import dev.patchbay.testkit.RawHttpServer.ReceivedRequest;
import dev.patchbay.testkit.RawHttpServer.RequestHandler;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Servers over HTTP behind what cuts, restarts and stands in for them now and then. */
@Tag("slow")
class HttpChannelRecoveryTest {
    private static final String CALL = "{\"name\":\"echo\",\"arguments\":{}}";
    private static final String CHANGED = "{\"jsonrpc\":\"2.0\",\"method\":\"n/changed\"}";

    /** A legacy server with a session; what it says to calls and on its stream is given. */
    private static RawHttpServer startLegacyServer(RequestHandler call, RequestHandler stream)
            throws Exception {
        return RawHttpServer.start(
                exchange -> {
                    ReceivedRequest request = exchange.request();
                    switch (request.method() + " " + request.rpcMethod()) {
                        case "POST initialize" ->
                                exchange.respondWithResult(
                                        "{\"protocolVersion\":\"2025-06-18\"}",
                                        "Mcp-Session-Id: s1");
                        case "POST notifications/initialized" -> exchange.respond(202, "");
                        case "POST tools/call" -> call.handle(exchange);
                        case "GET " -> stream.handle(exchange);
                        default -> exchange.respond(405, "");
                    }
                });
    }

    private static void refuseStream(Exchange exchange) throws Exception {
        exchange.respond(405, "");
    }

    private static void assertResult(CallOutcome outcome, String result) {
        assertThat(outcome).isInstanceOf(CallOutcome.Result.class);
        assertThat(((CallOutcome.Result) outcome).value()).hasToString(result);
    }

    private static List<ReceivedRequest> streamRequests(RawHttpServer server) {
        return server.receivedRequests().stream().filter(r -> r.method().equals("GET")).toList();
    }

    /** The id of an event counts when the event is there, not when its first line is. */
    @Test
    void truncatedResponseIsResumedFromEventBeforeIt() throws Exception {
        try (var server =
                        startLegacyServer(
                                exchange -> {
                                    exchange.startEventStream();
                                    exchange.send("id: e1\nretry: 100\ndata: \n\n");
                                    exchange.send("id: e2\ndata: {\"jsonrpc\":\"2.0\",\"id\"");
                                    exchange.close();
                                },
                                exchange -> {
                                    exchange.startEventStream();
                                    String last =
                                            exchange.request().header("Last-Event-ID").orElse("");
                                    if (last.equals("e1")) {
                                        exchange.sendEvent(
                                                "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}");
                                    }
                                    exchange.close();
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            assertResult(reach.call("tools/call", CALL), "{}");
            assertThat(streamRequests(server).getFirst().header("Last-Event-ID")).contains("e1");
        }
    }

    /** The client of the call may then be told to come back, too. */
    @Test
    void streamThatTheServerHasEndedIsReportedBeforeItIsResumed() throws Exception {
        try (var server =
                        startLegacyServer(
                                exchange -> {
                                    exchange.startEventStream();
                                    exchange.send("id: e1\nretry: 100\ndata: \n\n");
                                    exchange.close();
                                },
                                exchange -> {
                                    exchange.startEventStream();
                                    exchange.sendEvent(
                                            "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}");
                                    exchange.close();
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            assertResult(reach.call("tools/call", CALL), "{}");
            assertThat(reach.received).containsExactly("stream ended for 0");
        }
    }

    /** An answer that only a stream can bring is worth more than one try. */
    @ParameterizedTest
    @ValueSource(ints = {502, 503, 429, 0})
    void responseIsResumedAfterOneProxyFailure(int status) throws Exception {
        var tries = new AtomicInteger();
        try (var server =
                        startLegacyServer(
                                exchange -> {
                                    exchange.startEventStream();
                                    exchange.send("id: e1\nretry: 100\ndata: \n\n");
                                    exchange.close();
                                },
                                exchange -> {
                                    if (tries.incrementAndGet() > 1) {
                                        exchange.startEventStream();
                                        exchange.sendEvent(
                                                "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}");
                                    } else if (status > 0) {
                                        exchange.respond(status, "<html>wait</html>");
                                    }
                                    exchange.close();
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            assertResult(reach.call("tools/call", CALL), "{}");
        }
    }

    /** As the servers of several SDKs answer that were started anew. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,"
                        + "\"message\":\"Bad Request: No valid session ID provided\"},\"id\":null}",
                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,"
                        + "\"message\":\"Bad Request: Server not initialized\"},\"id\":null}",
                "Invalid session ID\n",
                "Invalid or missing session ID",
                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,"
                        + "\"message\":\"Session not found\"},\"id\":null}",
            })
    void unknownSessionClosesChannel(String body) throws Exception {
        try (var server =
                        startLegacyServer(
                                exchange -> exchange.respond(400, body),
                                HttpChannelRecoveryTest::refuseStream);
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            reach.initialize("2025-06-18");
            assertThat(reach.call("tools/call", CALL))
                    .isInstanceOf(CallOutcome.ConnectionLost.class);
            assertThat(reach.closed.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(reach.channel.closeReason()).contains("session").contains("400");
        }
    }

    /** What else is wrong with a request costs the request alone. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32602,"
                        + "\"message\":\"The session of 3 o'clock is full\"},\"id\":null}",
                "Bad request",
                "",
            })
    void otherBadRequestsDoNotEndSession(String body) throws Exception {
        try (var server =
                        startLegacyServer(
                                exchange -> exchange.respond(400, body),
                                HttpChannelRecoveryTest::refuseStream);
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            reach.initialize("2025-06-18");
            assertThat(reach.call("tools/call", CALL))
                    .isInstanceOf(CallOutcome.ErrorResponse.class);
            assertThat(reach.call("tools/call", CALL))
                    .isInstanceOf(CallOutcome.ErrorResponse.class);
            assertThat(reach.channel.closeReason()).isEmpty();
        }
    }

    @Test
    void unknownSessionOnStreamClosesChannel() throws Exception {
        var tries = new AtomicInteger();
        try (var server =
                        startLegacyServer(
                                HttpChannelRecoveryTest::refuseStream,
                                exchange -> {
                                    if (tries.incrementAndGet() == 1) {
                                        exchange.startEventStream()
                                                .send("retry: 100\n: hello\n\n")
                                                .close();
                                    } else {
                                        exchange.respond(400, "Invalid or missing session ID");
                                    }
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            reach.initialize("2025-06-18");
            assertThat(reach.closed.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(reach.channel.closeReason()).contains("session");
        }
    }

    /** A stream that was there is not given up for what a proxy says in its place. */
    @ParameterizedTest
    @CsvSource({"429, ''", "408, ''", "403, ''", "400, 'Bad'", "200, '<html>back soon</html>'"})
    void streamThatWasOpenIsReopened(int status, String body) throws Exception {
        var tries = new AtomicInteger();
        try (var server =
                        startLegacyServer(
                                HttpChannelRecoveryTest::refuseStream,
                                exchange -> {
                                    switch (tries.incrementAndGet()) {
                                        case 1 ->
                                                exchange.startEventStream()
                                                        .send("retry: 100\n\n")
                                                        .close();
                                        case 2, 3 ->
                                                exchange.respond(
                                                        status, body, "Content-Type: text/html");
                                        default -> {
                                            exchange.startEventStream().sendEvent(CHANGED);
                                            exchange.awaitDisconnect(60_000);
                                        }
                                    }
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            reach.initialize("2025-06-18");
            HttpServerFixture.awaitTrue("heard", () -> !reach.received.isEmpty());
            assertThat(reach.received).containsExactly("n/changed for OptionalLong.empty");
        }
    }

    /** Too many at once is no word about what the server has. */
    @Test
    void streamRefusedTemporarilyIsOpenedLater() throws Exception {
        var tries = new AtomicInteger();
        try (var server =
                        startLegacyServer(
                                HttpChannelRecoveryTest::refuseStream,
                                exchange -> {
                                    if (tries.incrementAndGet() == 1) {
                                        exchange.respond(429, "");
                                    } else {
                                        exchange.startEventStream().sendEvent(CHANGED);
                                        exchange.awaitDisconnect(60_000);
                                    }
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            reach.initialize("2025-06-18");
            HttpServerFixture.awaitTrue("heard", () -> !reach.received.isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 405, 501})
    void serverWithoutStreamIsNotPolled(int status) throws Exception {
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    switch (exchange.request().rpcMethod()) {
                                        case "initialize" -> exchange.respondWithResult("{}");
                                        case "notifications/initialized" ->
                                                exchange.respond(202, "");
                                        case "tools/call" -> exchange.respondWithResult("{}");
                                        default -> exchange.respond(status, "");
                                    }
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            reach.initialize("2025-06-18");
            HttpServerFixture.awaitTrue("asked", () -> streamRequests(server).size() == 1);
            var watch = Stopwatch.start();
            while (watch.elapsed().toMillis() < 1_700) {
                assertResult(reach.call("tools/call", CALL), "{}");
            }
            assertThat(streamRequests(server)).hasSize(1);
        }
    }

    /** Some servers serve nothing before they have heard this. */
    @ParameterizedTest
    @ValueSource(ints = {502, 503, 504, 429, 0})
    void initializedNotificationIsRetriedAfterProxyFailure(int status) throws Exception {
        var told = new AtomicInteger();
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    switch (exchange.request().rpcMethod()) {
                                        case "initialize" -> exchange.respondWithResult("{}");
                                        case "notifications/initialized" -> {
                                            if (told.incrementAndGet() > 1) {
                                                exchange.respond(202, "");
                                            } else if (status > 0) {
                                                exchange.respond(status, "<html>");
                                            } else {
                                                exchange.close();
                                            }
                                        }
                                        case "tools/call" ->
                                                exchange.respondWithResult(
                                                        "{\"told\":" + told + "}");
                                        default -> exchange.respond(405, "");
                                    }
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            reach.initialize("2025-06-18");
            assertResult(reach.call("tools/call", CALL), "{\"told\":2}");
        }
    }

    /** A server that has its own view of notices is used as before. */
    @Test
    void serverThatRefusesInitializedNotificationIsStillUsed() throws Exception {
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    switch (exchange.request().rpcMethod()) {
                                        case "initialize", "tools/call" ->
                                                exchange.respondWithResult("{}");
                                        default -> exchange.respond(500, "");
                                    }
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            reach.initialize("2025-06-18");
            assertResult(reach.call("tools/call", CALL), "{}");
        }
    }

    /** A person may have taken minutes for it, and the server asks but once. */
    @ParameterizedTest
    @ValueSource(ints = {503, 0})
    void responseToServerRequestIsRetriedAfterProxyFailure(int status) throws Exception {
        var posted = new AtomicInteger();
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    if (exchange.request().rpcMethod().equals("tools/call")) {
                                        exchange.startEventStream();
                                        exchange.sendEvent(
                                                ClientMessages.request(
                                                        "\"q\"", "roots/list", "{}"));
                                        HttpServerFixture.awaitTrue(
                                                "answered", () -> posted.get() == 2);
                                        exchange.sendEvent(exchange.resultMessage("{}"));
                                        exchange.close();
                                    } else if (posted.incrementAndGet() > 1) {
                                        exchange.respond(202, "");
                                    } else if (status > 0) {
                                        exchange.respond(status, "<html>");
                                    } else {
                                        exchange.close();
                                    }
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            assertResult(reach.call("tools/call", CALL), "{}");
            assertThat(server.receivedRequests().getLast().body())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":{\"answered\":true}}");
        }
    }
}
