package dev.patchbay.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawHttpServer;
import dev.patchbay.testkit.RawHttpServer.Exchange;
import dev.patchbay.testkit.RawHttpServer.Received;
import dev.patchbay.testkit.RawHttpServer.Script;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Servers over HTTP behind what cuts, restarts and stands in for them now and then. */
class BrokenReachTest {
    private static final String CALL = "{\"name\":\"echo\",\"arguments\":{}}";
    private static final String CHANGED = "{\"jsonrpc\":\"2.0\",\"method\":\"n/changed\"}";

    /** A legacy server with a session; what it says to calls and on its stream is given. */
    private static RawHttpServer legacy(Script call, Script stream) throws Exception {
        return RawHttpServer.start(
                exchange -> {
                    Received request = exchange.request();
                    switch (request.method() + " " + request.rpcMethod()) {
                        case "POST initialize" ->
                                exchange.result(
                                        "{\"protocolVersion\":\"2025-06-18\"}",
                                        "Mcp-Session-Id: s1");
                        case "POST notifications/initialized" -> exchange.answer(202, "");
                        case "POST tools/call" -> call.serve(exchange);
                        case "GET " -> stream.serve(exchange);
                        default -> exchange.answer(405, "");
                    }
                });
    }

    private static void none(Exchange exchange) throws Exception {
        exchange.answer(405, "");
    }

    private static void assertResult(CallOutcome outcome, String result) {
        assertThat(outcome).isInstanceOf(CallOutcome.Result.class);
        assertThat(((CallOutcome.Result) outcome).value()).hasToString(result);
    }

    private static List<Received> streams(RawHttpServer server) {
        return server.received().stream().filter(r -> r.method().equals("GET")).toList();
    }

    /** The id of an event counts when the event is there, not when its first line is. */
    @Test
    void answerThatWasCutIsFetchedFromBeforeIt() throws Exception {
        try (var server =
                        legacy(
                                exchange -> {
                                    exchange.stream();
                                    exchange.send("id: e1\nretry: 100\ndata: \n\n");
                                    exchange.send("id: e2\ndata: {\"jsonrpc\":\"2.0\",\"id\"");
                                    exchange.close();
                                },
                                exchange -> {
                                    exchange.stream();
                                    String last =
                                            exchange.request().header("Last-Event-ID").orElse("");
                                    if (last.equals("e1")) {
                                        exchange.event(
                                                "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}");
                                    }
                                    exchange.close();
                                });
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            assertResult(reach.call("tools/call", CALL), "{}");
            assertThat(streams(server).getFirst().header("Last-Event-ID")).contains("e1");
        }
    }

    /** An answer that only a stream can bring is worth more than one try. */
    @ParameterizedTest
    @ValueSource(ints = {502, 503, 429, 0})
    void answerIsFetchedPastAProxyThatFailsOnce(int status) throws Exception {
        var tries = new AtomicInteger();
        try (var server =
                        legacy(
                                exchange -> {
                                    exchange.stream();
                                    exchange.send("id: e1\nretry: 100\ndata: \n\n");
                                    exchange.close();
                                },
                                exchange -> {
                                    if (tries.incrementAndGet() > 1) {
                                        exchange.stream();
                                        exchange.event(
                                                "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}");
                                    } else if (status > 0) {
                                        exchange.answer(status, "<html>wait</html>");
                                    }
                                    exchange.close();
                                });
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
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
    void sessionThatTheServerDoesNotKnowIsLost(String body) throws Exception {
        try (var server = legacy(exchange -> exchange.answer(400, body), BrokenReachTest::none);
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            reach.greet("2025-06-18");
            assertThat(reach.call("tools/call", CALL)).isInstanceOf(CallOutcome.Lost.class);
            assertThat(reach.ended.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(reach.channel.lastWords()).contains("session").contains("400");
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
    void otherBadRequestsDoNotEndTheSession(String body) throws Exception {
        try (var server = legacy(exchange -> exchange.answer(400, body), BrokenReachTest::none);
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            reach.greet("2025-06-18");
            assertThat(reach.call("tools/call", CALL)).isInstanceOf(CallOutcome.Refused.class);
            assertThat(reach.call("tools/call", CALL)).isInstanceOf(CallOutcome.Refused.class);
            assertThat(reach.channel.lastWords()).isEmpty();
        }
    }

    @Test
    void streamOfASessionThatTheServerDoesNotKnowEndsTheChannel() throws Exception {
        var tries = new AtomicInteger();
        try (var server =
                        legacy(
                                BrokenReachTest::none,
                                exchange -> {
                                    if (tries.incrementAndGet() == 1) {
                                        exchange.stream().send("retry: 100\n: hello\n\n").close();
                                    } else {
                                        exchange.answer(400, "Invalid or missing session ID");
                                    }
                                });
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            reach.greet("2025-06-18");
            assertThat(reach.ended.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(reach.channel.lastWords()).contains("session");
        }
    }

    /** A stream that was there is not given up for what a proxy says in its place. */
    @ParameterizedTest
    @CsvSource({"429, ''", "408, ''", "403, ''", "400, 'Bad'", "200, '<html>back soon</html>'"})
    void streamThatWasThereIsTakenUpAgain(int status, String body) throws Exception {
        var tries = new AtomicInteger();
        try (var server =
                        legacy(
                                BrokenReachTest::none,
                                exchange -> {
                                    switch (tries.incrementAndGet()) {
                                        case 1 -> exchange.stream().send("retry: 100\n\n").close();
                                        case 2, 3 ->
                                                exchange.answer(
                                                        status, body, "Content-Type: text/html");
                                        default -> {
                                            exchange.stream().event(CHANGED);
                                            exchange.awaitHangUp(60_000);
                                        }
                                    }
                                });
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            reach.greet("2025-06-18");
            Bench.await("heard", () -> !reach.heard.isEmpty());
            assertThat(reach.heard).containsExactly("n/changed for OptionalLong.empty");
        }
    }

    /** Too many at once is no word about what the server has. */
    @Test
    void streamThatIsPutOffAtFirstIsOpenedLater() throws Exception {
        var tries = new AtomicInteger();
        try (var server =
                        legacy(
                                BrokenReachTest::none,
                                exchange -> {
                                    if (tries.incrementAndGet() == 1) {
                                        exchange.answer(429, "");
                                    } else {
                                        exchange.stream().event(CHANGED);
                                        exchange.awaitHangUp(60_000);
                                    }
                                });
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            reach.greet("2025-06-18");
            Bench.await("heard", () -> !reach.heard.isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 405, 501})
    void serverWithoutAStreamIsNotAskedForEver(int status) throws Exception {
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    switch (exchange.request().rpcMethod()) {
                                        case "initialize" -> exchange.result("{}");
                                        case "notifications/initialized" ->
                                                exchange.answer(202, "");
                                        case "tools/call" -> exchange.result("{}");
                                        default -> exchange.answer(status, "");
                                    }
                                });
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            reach.greet("2025-06-18");
            Bench.await("asked", () -> streams(server).size() == 1);
            var watch = Stopwatch.start();
            while (watch.elapsed().toMillis() < 1_700) {
                assertResult(reach.call("tools/call", CALL), "{}");
            }
            assertThat(streams(server)).hasSize(1);
        }
    }

    /** Some servers serve nothing before they have heard this. */
    @ParameterizedTest
    @ValueSource(ints = {502, 503, 504, 429, 0})
    void endOfTheHandshakeIsSaidAgainIfAProxyDropsIt(int status) throws Exception {
        var told = new AtomicInteger();
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    switch (exchange.request().rpcMethod()) {
                                        case "initialize" -> exchange.result("{}");
                                        case "notifications/initialized" -> {
                                            if (told.incrementAndGet() > 1) {
                                                exchange.answer(202, "");
                                            } else if (status > 0) {
                                                exchange.answer(status, "<html>");
                                            } else {
                                                exchange.close();
                                            }
                                        }
                                        case "tools/call" ->
                                                exchange.result("{\"told\":" + told + "}");
                                        default -> exchange.answer(405, "");
                                    }
                                });
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            reach.greet("2025-06-18");
            assertResult(reach.call("tools/call", CALL), "{\"told\":2}");
        }
    }

    /** A server that has its own view of notices is used as before. */
    @Test
    void serverThatRefusesTheEndOfTheHandshakeIsUsedAllTheSame() throws Exception {
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    switch (exchange.request().rpcMethod()) {
                                        case "initialize", "tools/call" -> exchange.result("{}");
                                        default -> exchange.answer(500, "");
                                    }
                                });
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            reach.greet("2025-06-18");
            assertResult(reach.call("tools/call", CALL), "{}");
        }
    }

    /** A person may have taken minutes for it, and the server asks but once. */
    @ParameterizedTest
    @ValueSource(ints = {503, 0})
    void answerToAQuestionIsSentAgainIfAProxyDropsIt(int status) throws Exception {
        var posted = new AtomicInteger();
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    if (exchange.request().rpcMethod().equals("tools/call")) {
                                        exchange.stream();
                                        exchange.event(
                                                Messages.request("\"q\"", "roots/list", "{}"));
                                        Bench.await("answered", () -> posted.get() == 2);
                                        exchange.event(exchange.resultText("{}"));
                                        exchange.close();
                                    } else if (posted.incrementAndGet() > 1) {
                                        exchange.answer(202, "");
                                    } else if (status > 0) {
                                        exchange.answer(status, "<html>");
                                    } else {
                                        exchange.close();
                                    }
                                });
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            assertResult(reach.call("tools/call", CALL), "{}");
            assertThat(server.received().getLast().body())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":{\"answered\":true}}");
        }
    }
}
