package dev.patchbay.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.http.server.HttpServerFixture;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.RawHttpServer;
import dev.patchbay.testkit.RawHttpServer.Exchange;
import dev.patchbay.testkit.RawHttpServer.ReceivedRequest;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Servers over HTTP that behave, in both eras and over the old transport. */
class HttpChannelTest {
    private static final String CALL = "{\"name\":\"echo\",\"arguments\":{\"a\":1}}";

    private static void assertResult(CallOutcome outcome, String result) {
        assertThat(outcome).isInstanceOf(CallOutcome.Result.class);
        assertThat(((CallOutcome.Result) outcome).value()).hasToString(result);
    }

    @Test
    void refusedConnectionIsReportedAsUnreachable() throws Exception {
        URI url;
        try (var server = RawHttpServer.start(exchange -> exchange.respondWithResult("{}"))) {
            url = server.url("/mcp");
        }
        try (var reach = HttpChannelFixture.open(url)) {
            assertThat(reach.callModern("tools/call", CALL))
                    .isEqualTo(new CallOutcome.Unreachable("connection refused"));
        }
    }

    @Test
    void modernCallCarriesItsHeaders() throws Exception {
        try (var server =
                        RawHttpServer.start(exchange -> exchange.respondWithResult("{\"x\":1.0}"));
                var reach = HttpChannelFixture.open(server.url("/mcp?key=k"))) {
            assertResult(reach.callModern("tools/call", CALL), "{\"x\":1.0}");
            ReceivedRequest request = server.receivedRequests().getFirst();
            assertThat(request.method()).isEqualTo("POST");
            assertThat(request.path()).isEqualTo("/mcp?key=k");
            assertThat(request.header("MCP-Protocol-Version")).contains("2026-07-28");
            assertThat(request.header("Mcp-Method")).contains("tools/call");
            assertThat(request.header("Mcp-Name")).contains("echo");
            assertThat(request.header("Content-Type")).contains("application/json");
            assertThat(request.header("Accept")).contains("application/json, text/event-stream");
            assertThat(request.header("Accept-Encoding")).contains("identity");
            assertThat(request.header("X-Key")).contains("of-the-server");
            assertThat(request.header("Upgrade")).isEmpty();
            assertThat(request.header("Mcp-Session-Id")).isEmpty();
        }
    }

    @Test
    void markedArgumentsAreCopiedToHeaders() throws Exception {
        try (var server = RawHttpServer.start(exchange -> exchange.respondWithResult("{}"));
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            reach.callModern(
                    "tools/call",
                    "{\"name\":\"query\",\"arguments\":"
                            + "{\"region\":\" Zürich\",\"page\":{\"limit\":42.0}}}");
            reach.callModern(
                    "tools/call",
                    "{\"name\":\"query\",\"arguments\":{\"region\":null,\"page\":{}}}");
            reach.callModern("resources/read", "{\"uri\":\"file:///ä\"}");
            ReceivedRequest first = server.receivedRequests().getFirst();
            assertThat(first.header("Mcp-Param-Region")).contains("=?base64?IFrDvHJpY2g=?=");
            assertThat(first.header("Mcp-Param-Limit")).contains("42");
            ReceivedRequest second = server.receivedRequests().get(1);
            assertThat(second.header("Mcp-Param-Region")).isEmpty();
            assertThat(second.header("Mcp-Param-Limit")).isEmpty();
            assertThat(server.receivedRequests().get(2).header("Mcp-Name"))
                    .contains("=?base64?ZmlsZTovLy/DpA==?=");
        }
    }

    @Test
    void sessionIdOfModernServerIsIgnored() throws Exception {
        try (var server =
                        RawHttpServer.start(
                                exchange ->
                                        exchange.respondWithResult("{}", "Mcp-Session-Id: mine"));
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            reach.callModern("server/discover", "{}");
            reach.callModern("tools/list", "{}");
            assertThat(server.receivedRequests())
                    .allMatch(request -> request.header("Mcp-Session-Id").isEmpty());
        }
    }

    @Test
    void legacySessionIsUsedAndDeleted() throws Exception {
        try (var server = RawHttpServer.start(HttpChannelTest::serveLegacy);
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            reach.initialize("2025-06-18");
            assertResult(reach.call("tools/call", CALL), "{\"called\":true}");
            reach.channel.close();
            HttpServerFixture.awaitTrue(
                    "ended",
                    () ->
                            server.receivedRequests().stream()
                                    .anyMatch(r -> r.method().equals("DELETE")));
            List<ReceivedRequest> requests = server.receivedRequests();
            assertThat(requests.getFirst().header("Mcp-Session-Id")).isEmpty();
            assertThat(requests.getFirst().header("MCP-Protocol-Version")).isEmpty();
            assertThat(requests.subList(1, requests.size()))
                    .allMatch(request -> request.header("Mcp-Session-Id").orElse("").equals("s1"))
                    .allMatch(
                            request ->
                                    request.header("MCP-Protocol-Version")
                                            .orElse("")
                                            .equals("2025-06-18"));
            assertThat(requests.stream().filter(r -> r.method().equals("POST")))
                    .extracting(ReceivedRequest::rpcMethod)
                    .containsExactly("initialize", "notifications/initialized", "tools/call");
        }
    }

    /** A plain legacy server with a session and no stream of its own. */
    private static void serveLegacy(Exchange exchange) throws Exception {
        switch (exchange.request().method() + " " + exchange.request().rpcMethod()) {
            case "POST initialize" ->
                    exchange.respondWithResult(
                            "{\"protocolVersion\":\"2025-06-18\"}", "Mcp-Session-Id: s1");
            case "POST tools/call" ->
                    exchange.respondWithResult("{\"called\":true}", "Mcp-Session-Id: s2");
            case "POST notifications/initialized" -> exchange.respond(202, "");
            default -> exchange.respond(405, "");
        }
    }

    @Test
    void responseMayFollowOtherEventsOnStream() throws Exception {
        var posted = new LinkedBlockingQueue<ReceivedRequest>();
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    if (exchange.request().rpcMethod().isEmpty()) {
                                        posted.add(exchange.request());
                                        exchange.respond(202, "");
                                        return;
                                    }
                                    exchange.startEventStream();
                                    exchange.send(": hello\n\n");
                                    exchange.sendEvent("{\"jsonrpc\":\"2.0\",\"method\":\"n/x\"}");
                                    exchange.sendEvent(
                                            ClientMessages.request("\"q\"", "roots/list", "{}"));
                                    assertThat(posted.poll(30, TimeUnit.SECONDS)).isNotNull();
                                    exchange.sendEvent(exchange.resultMessage("{\"late\":1}"));
                                    exchange.close();
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            assertResult(reach.call("tools/call", CALL), "{\"late\":1}");
            assertThat(reach.received)
                    .containsExactly("n/x for OptionalLong[0]", "roots/list for OptionalLong[0]");
            assertThat(server.receivedRequests().get(1).body())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":{\"answered\":true}}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n"})
    void anyLineEndingIsAcceptedInEvents(String end) throws Exception {
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    String text = exchange.resultMessage("{\"a\":[1,2]}");
                                    int middle = text.indexOf("[");
                                    exchange.startEventStream();
                                    exchange.send(
                                            "\uFEFFid:7"
                                                    + end
                                                    + "data: "
                                                    + text.substring(0, middle)
                                                    + end
                                                    + "data:"
                                                    + text.substring(middle)
                                                    + end
                                                    + end);
                                    exchange.close();
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            assertResult(reach.callModern("tools/call", CALL), "{\"a\":[1,2]}");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: APPLICATION/JSON",
                "Content-Type: application/json; charset=utf-8",
                "content-type:application/json;charset=\"utf-8\"",
            })
    void contentTypeIsAcceptedInAnySpelling(String type) throws Exception {
        try (var server =
                        RawHttpServer.start(
                                exchange ->
                                        exchange.respond(201, exchange.resultMessage("{}"), type));
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            assertResult(reach.callModern("tools/call", CALL), "{}");
        }
    }

    @Test
    void unsolicitedMessagesArriveOnServerStream() throws Exception {
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    if (exchange.request().method().equals("GET")) {
                                        exchange.startEventStream();
                                        exchange.sendEvent(
                                                "{\"jsonrpc\":\"2.0\",\"method\":\"n/changed\"}");
                                        exchange.awaitDisconnect(60_000);
                                    } else {
                                        serveLegacy(exchange);
                                    }
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            reach.initialize("2025-06-18");
            HttpServerFixture.awaitTrue("heard", () -> !reach.received.isEmpty());
            assertThat(reach.received).containsExactly("n/changed for OptionalLong.empty");
            ReceivedRequest get =
                    server.receivedRequests().stream()
                            .filter(request -> request.method().equals("GET"))
                            .findFirst()
                            .orElseThrow();
            assertThat(get.header("Accept")).contains("text/event-stream");
            assertThat(get.header("Mcp-Session-Id")).contains("s1");
        }
    }

    /** As the official suite wants it: not before the time the server names, nor long after. */
    @Test
    void brokenStreamIsResumedAfterRetryDelay() throws Exception {
        var closed = new LinkedBlockingQueue<Stopwatch>();
        var pauses = new LinkedBlockingQueue<Duration>();
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    if (exchange.request().method().equals("GET")) {
                                        Stopwatch watch = closed.remove();
                                        pauses.add(watch.elapsed());
                                        pauses.add(watch.activeTime());
                                        exchange.startEventStream();
                                        exchange.sendEvent(
                                                "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}");
                                        return;
                                    }
                                    exchange.startEventStream();
                                    exchange.send("id: e1\nretry: 500\ndata: \n\n");
                                    closed.add(Stopwatch.start());
                                    exchange.close();
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            assertResult(reach.call("tools/call", CALL), "{}");
            assertThat(server.receivedRequests().getLast().header("Last-Event-ID")).contains("e1");
            assertThat(pauses.remove()).isGreaterThan(Duration.ofMillis(450));
            assertThat(pauses.remove()).isLessThan(Duration.ofMillis(900));
        }
    }

    @Test
    void lostSessionClosesChannelOnce() throws Exception {
        var calls = new AtomicInteger();
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    if (exchange.request().rpcMethod().equals("tools/call")) {
                                        calls.incrementAndGet();
                                        exchange.respond(404, "");
                                    } else {
                                        serveLegacy(exchange);
                                    }
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            reach.initialize("2025-06-18");
            assertThat(reach.call("tools/call", CALL))
                    .isInstanceOf(CallOutcome.ConnectionLost.class);
            assertClosesSoon(reach);
            assertThat(reach.channel.closeReason()).contains("session").contains("404");
            assertThat(calls).hasValue(1);
        }
    }

    @Test
    void noMessageOvertakesInitializedNotification() throws Exception {
        var events = new LinkedBlockingQueue<String>();
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    String method = exchange.request().rpcMethod();
                                    if (method.equals("notifications/initialized")) {
                                        exchange.socket().setSoTimeout(200);
                                        exchange.awaitDisconnect(200);
                                        exchange.socket().setSoTimeout(0);
                                    }
                                    if (exchange.request().method().equals("POST")) {
                                        events.add(method);
                                    }
                                    serveLegacy(exchange);
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            reach.initialize("2025-06-18");
            assertResult(reach.call("tools/call", CALL), "{\"called\":true}");
            assertThat(events)
                    .containsExactly("initialize", "notifications/initialized", "tools/call");
        }
    }

    private static void assertClosesSoon(HttpChannelFixture reach) throws InterruptedException {
        var watch = Stopwatch.start();
        assertThat(reach.closed.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(2));
    }

    /** Spring AI's stateless server answers a method that it does not know with 500. */
    @ParameterizedTest
    @CsvSource({"500, true", "502, false", "503, false", "504, false"})
    void discoverAnsweredWith500IsAnErrorResponse(int status, boolean isResponse) throws Exception {
        try (var server = RawHttpServer.start(exchange -> exchange.respond(status, "<html>"));
                var channel = HttpChannelFixture.open(server.url("/mcp"))) {
            CallOutcome outcome = channel.callModern("server/discover", "{}");
            assertThat(outcome)
                    .isInstanceOf(
                            isResponse
                                    ? CallOutcome.ErrorResponse.class
                                    : CallOutcome.ConnectionLost.class);
            assertThat(channel.call("initialize", "{}"))
                    .isInstanceOf(CallOutcome.ConnectionLost.class);
        }
    }
}
