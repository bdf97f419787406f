package dev.patchbay.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawHttpServer;
import dev.patchbay.testkit.RawHttpServer.Exchange;
import dev.patchbay.testkit.RawHttpServer.Received;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Servers over HTTP that behave, in both eras and over the old transport. */
class ReachTest {
    private static final String CALL = "{\"name\":\"echo\",\"arguments\":{\"a\":1}}";

    private static void assertResult(CallOutcome outcome, String result) {
        assertThat(outcome).isInstanceOf(CallOutcome.Result.class);
        assertThat(((CallOutcome.Result) outcome).value()).hasToString(result);
    }

    @Test
    void modernCallCarriesItsHeaders() throws Exception {
        try (var server = RawHttpServer.start(exchange -> exchange.result("{\"x\":1.0}"));
                var reach = HttpChannelFixture.to(server.url("/mcp?key=k"))) {
            assertResult(reach.modern("tools/call", CALL), "{\"x\":1.0}");
            Received request = server.received().getFirst();
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
    void markedArgumentsGoIntoHeaders() throws Exception {
        try (var server = RawHttpServer.start(exchange -> exchange.result("{}"));
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            reach.modern(
                    "tools/call",
                    "{\"name\":\"query\",\"arguments\":"
                            + "{\"region\":\" Zürich\",\"page\":{\"limit\":42.0}}}");
            reach.modern(
                    "tools/call",
                    "{\"name\":\"query\",\"arguments\":{\"region\":null,\"page\":{}}}");
            reach.modern("resources/read", "{\"uri\":\"file:///ä\"}");
            Received first = server.received().getFirst();
            assertThat(first.header("Mcp-Param-Region")).contains("=?base64?IFrDvHJpY2g=?=");
            assertThat(first.header("Mcp-Param-Limit")).contains("42");
            Received second = server.received().get(1);
            assertThat(second.header("Mcp-Param-Region")).isEmpty();
            assertThat(second.header("Mcp-Param-Limit")).isEmpty();
            assertThat(server.received().get(2).header("Mcp-Name"))
                    .contains("=?base64?ZmlsZTovLy/DpA==?=");
        }
    }

    @Test
    void sessionOfAModernServerIsPassedOver() throws Exception {
        try (var server =
                        RawHttpServer.start(
                                exchange -> exchange.result("{}", "Mcp-Session-Id: mine"));
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            reach.modern("server/discover", "{}");
            reach.modern("tools/list", "{}");
            assertThat(server.received())
                    .allMatch(request -> request.header("Mcp-Session-Id").isEmpty());
        }
    }

    @Test
    void legacySessionIsKeptAndEnded() throws Exception {
        try (var server = RawHttpServer.start(ReachTest::legacy);
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            reach.greet("2025-06-18");
            assertResult(reach.call("tools/call", CALL), "{\"called\":true}");
            reach.channel.close();
            Bench.await(
                    "ended",
                    () -> server.received().stream().anyMatch(r -> r.method().equals("DELETE")));
            List<Received> requests = server.received();
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
                    .extracting(Received::rpcMethod)
                    .containsExactly("initialize", "notifications/initialized", "tools/call");
        }
    }

    /** A plain legacy server with a session and no stream of its own. */
    private static void legacy(Exchange exchange) throws Exception {
        switch (exchange.request().method() + " " + exchange.request().rpcMethod()) {
            case "POST initialize" ->
                    exchange.result("{\"protocolVersion\":\"2025-06-18\"}", "Mcp-Session-Id: s1");
            case "POST tools/call" -> exchange.result("{\"called\":true}", "Mcp-Session-Id: s2");
            case "POST notifications/initialized" -> exchange.answer(202, "");
            default -> exchange.answer(405, "");
        }
    }

    @Test
    void answerMayComeAsAnEventBehindOthers() throws Exception {
        var posted = new LinkedBlockingQueue<Received>();
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    if (exchange.request().rpcMethod().isEmpty()) {
                                        posted.add(exchange.request());
                                        exchange.answer(202, "");
                                        return;
                                    }
                                    exchange.stream();
                                    exchange.send(": hello\n\n");
                                    exchange.event("{\"jsonrpc\":\"2.0\",\"method\":\"n/x\"}");
                                    exchange.event(Messages.request("\"q\"", "roots/list", "{}"));
                                    assertThat(posted.poll(30, TimeUnit.SECONDS)).isNotNull();
                                    exchange.event(exchange.resultText("{\"late\":1}"));
                                    exchange.close();
                                });
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            assertResult(reach.call("tools/call", CALL), "{\"late\":1}");
            assertThat(reach.heard)
                    .containsExactly("n/x for OptionalLong[0]", "roots/list for OptionalLong[0]");
            assertThat(server.received().get(1).body())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":{\"answered\":true}}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n"})
    void eventsMayEndTheirLinesInAnyWay(String end) throws Exception {
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    String text = exchange.resultText("{\"a\":[1,2]}");
                                    int middle = text.indexOf("[");
                                    exchange.stream();
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
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            assertResult(reach.modern("tools/call", CALL), "{\"a\":[1,2]}");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: APPLICATION/JSON",
                "Content-Type: application/json; charset=utf-8",
                "content-type:application/json;charset=\"utf-8\"",
            })
    void typeMayBeSpelledInAnyWay(String type) throws Exception {
        try (var server =
                        RawHttpServer.start(
                                exchange -> exchange.answer(201, exchange.resultText("{}"), type));
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            assertResult(reach.modern("tools/call", CALL), "{}");
        }
    }

    @Test
    void unsolicitedMessagesComeOnTheStreamOfTheServer() throws Exception {
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    if (exchange.request().method().equals("GET")) {
                                        exchange.stream();
                                        exchange.event(
                                                "{\"jsonrpc\":\"2.0\",\"method\":\"n/changed\"}");
                                        exchange.awaitHangUp(60_000);
                                    } else {
                                        legacy(exchange);
                                    }
                                });
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            reach.greet("2025-06-18");
            Bench.await("heard", () -> !reach.heard.isEmpty());
            assertThat(reach.heard).containsExactly("n/changed for OptionalLong.empty");
            Received get =
                    server.received().stream()
                            .filter(request -> request.method().equals("GET"))
                            .findFirst()
                            .orElseThrow();
            assertThat(get.header("Accept")).contains("text/event-stream");
            assertThat(get.header("Mcp-Session-Id")).contains("s1");
        }
    }

    /** As the official suite wants it: not before the time the server names, nor long after. */
    @Test
    void brokenStreamIsTakenUpWhenTheServerSaysSo() throws Exception {
        var closed = new LinkedBlockingQueue<Stopwatch>();
        var pauses = new LinkedBlockingQueue<Duration>();
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    if (exchange.request().method().equals("GET")) {
                                        Stopwatch watch = closed.remove();
                                        pauses.add(watch.elapsed());
                                        pauses.add(watch.net());
                                        exchange.stream();
                                        exchange.event(
                                                "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}");
                                        return;
                                    }
                                    exchange.stream();
                                    exchange.send("id: e1\nretry: 500\ndata: \n\n");
                                    closed.add(Stopwatch.start());
                                    exchange.close();
                                });
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            assertResult(reach.call("tools/call", CALL), "{}");
            assertThat(server.received().getLast().header("Last-Event-ID")).contains("e1");
            assertThat(pauses.remove()).isGreaterThan(Duration.ofMillis(450));
            assertThat(pauses.remove()).isLessThan(Duration.ofMillis(900));
        }
    }

    @Test
    void lostSessionEndsTheChannelOnce() throws Exception {
        var calls = new AtomicInteger();
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    if (exchange.request().rpcMethod().equals("tools/call")) {
                                        calls.incrementAndGet();
                                        exchange.answer(404, "");
                                    } else {
                                        legacy(exchange);
                                    }
                                });
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            reach.greet("2025-06-18");
            assertThat(reach.call("tools/call", CALL)).isInstanceOf(CallOutcome.Lost.class);
            assertEndsSoon(reach);
            assertThat(reach.channel.lastWords()).contains("session").contains("404");
            assertThat(calls).hasValue(1);
        }
    }

    @Test
    void nothingOvertakesTheEndOfTheHandshake() throws Exception {
        var events = new LinkedBlockingQueue<String>();
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    String method = exchange.request().rpcMethod();
                                    if (method.equals("notifications/initialized")) {
                                        exchange.socket().setSoTimeout(200);
                                        exchange.awaitHangUp(200);
                                        exchange.socket().setSoTimeout(0);
                                    }
                                    if (exchange.request().method().equals("POST")) {
                                        events.add(method);
                                    }
                                    legacy(exchange);
                                });
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            reach.greet("2025-06-18");
            assertResult(reach.call("tools/call", CALL), "{\"called\":true}");
            assertThat(events)
                    .containsExactly("initialize", "notifications/initialized", "tools/call");
        }
    }

    private static void assertEndsSoon(HttpChannelFixture reach) throws InterruptedException {
        var watch = Stopwatch.start();
        assertThat(reach.ended.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(watch.net()).isLessThan(Duration.ofSeconds(2));
    }

    private static void old(Exchange exchange, LinkedBlockingQueue<Exchange> streams)
            throws Exception {
        if (exchange.request().method().equals("GET")) {
            exchange.stream();
            exchange.send("event: endpoint\ndata: /messages?session=9\n\n");
            streams.add(exchange);
            exchange.awaitHangUp(60_000);
        } else if (!exchange.request().path().startsWith("/messages")) {
            exchange.answer(405, "");
        } else {
            exchange.answer(202, "");
            Exchange stream = streams.peek();
            if (stream != null && !exchange.request().rpcId().isEmpty()) {
                stream.event(
                        exchange.resultText("{\"protocolVersion\":\"2024-11-05\",\"old\":true}"));
            }
        }
    }

    @Test
    void oldTransportIsFoundByItself() throws Exception {
        var streams = new LinkedBlockingQueue<Exchange>();
        try (var server = RawHttpServer.start(exchange -> old(exchange, streams));
                var reach = HttpChannelFixture.to(server.url("/sse"))) {
            assertThat(reach.modern("server/discover", "{}"))
                    .isInstanceOf(CallOutcome.Refused.class);
            assertThat(reach.greet("2024-11-05")).isInstanceOf(CallOutcome.Result.class);
            assertThat(reach.call("tools/call", CALL)).isInstanceOf(CallOutcome.Result.class);
            assertThat(server.received().getLast().path()).isEqualTo("/messages?session=9");
            assertThat(server.received().getLast().header("X-Key")).contains("of-the-server");
            streams.remove().close();
            assertEndsSoon(reach);
        }
    }

    @Test
    void oldTransportIsSpokenAtOnceWhereItIsConfigured() throws Exception {
        var streams = new LinkedBlockingQueue<Exchange>();
        try (var server = RawHttpServer.start(exchange -> old(exchange, streams));
                var reach = HttpChannelFixture.to(new HttpChannel.Target(server.url("/sse"), Map.of(), true))) {
            assertThat(reach.greet("2024-11-05")).isInstanceOf(CallOutcome.Result.class);
            assertThat(server.received().getFirst().method()).isEqualTo("GET");
        }
    }

    /** Threat B7. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://evil.example/x",
                "//evil.example/x",
                "https://127.0.0.1/x",
                "http://127.0.0.1:1/x",
                "http://127.0.0.1:PORT@evil.example/x",
                "http://user@127.0.0.1:PORT/x",
                "http:// bad",
                "file:///etc/passwd",
            })
    void oldTransportPostsToNobodyElse(String endpoint) throws Exception {
        var port = new AtomicInteger();
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    exchange.stream();
                                    String told = endpoint.replace("PORT", port.toString());
                                    exchange.send("event: endpoint\ndata: " + told + "\n\n");
                                    exchange.awaitHangUp(60_000);
                                });
                var reach = HttpChannelFixture.to(new HttpChannel.Target(server.url("/sse"), Map.of(), true))) {
            port.set(server.port());
            CallOutcome outcome = reach.call("initialize", "{}", 30_000);
            assertThat(outcome).isInstanceOfAny(CallOutcome.Lost.class, CallOutcome.NotSent.class);
            assertThat(server.received()).hasSize(1);
        }
    }
}
