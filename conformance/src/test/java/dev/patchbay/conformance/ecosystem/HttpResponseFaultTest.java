package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.RawHttpServer.Exchange;
import dev.patchbay.testkit.RawHttpServer.RequestHandler;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * Invalid responses of HTTP servers to a call. The call fails with one error and is not sent again,
 * the server stays connected, and other servers are not affected.
 */
class HttpResponseFaultTest {
    private static final String LONG_TIMEOUT = "\"requestTimeoutMs\": 30000, \"maxRetries\": 1";
    private static final String SHORT_TIMEOUT = "\"requestTimeoutMs\": 2000, \"maxRetries\": 1";
    private static final long MEMORY_GROWTH_BYTES_MAX = 200L << 20;
    private static final String EVENT_STREAM = "Content-Type: text/event-stream\r\n";
    private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";

    @RegisterExtension static final SharedGateway SHARED = new SharedGateway();

    private static String responseHead(String status, String... lines) {
        return "HTTP/1.1 " + status + "\r\n" + String.join("", lines) + "\r\n";
    }

    /** Sends these bytes and closes the connection. */
    private static RequestHandler rawResponse(String text) {
        return exchange -> exchange.send(text).close();
    }

    private static RequestHandler response(int status, String body, String... headers) {
        return exchange -> exchange.respond(status, body, headers);
    }

    static Stream<Arguments> wrongAnswers() {
        return Stream.of(
                Arguments.of("HTTP 500", response(500, "boom")),
                Arguments.of("HTTP 502", response(502, "<html>bad gateway</html>")),
                Arguments.of("HTTP 503", response(503, "", "Retry-After: 3600")),
                Arguments.of("HTTP 504", response(504, "")),
                Arguments.of("HTTP 429", response(429, "slow down", "Retry-After: soon")),
                Arguments.of("HTTP 401", response(401, "", "WWW-Authenticate: Basic realm=x")),
                Arguments.of("HTTP 403", response(403, "no")),
                Arguments.of(
                        "text/html", response(200, "<p>Sign in</p>", "Content-Type: text/html")),
                Arguments.of("content type", response(200, "")),
                Arguments.of("HTTP 204", rawResponse(responseHead("204 No Content"))),
                Arguments.of("HTTP 202", response(202, "")),
                Arguments.of("JSON", response(200, "", HttpEchoServer.JSON_HEADER)),
                Arguments.of("JSON", response(200, "{\"jsonrpc\":", HttpEchoServer.JSON_HEADER)),
                Arguments.of(
                        "JSON", response(200, "{\"id\":\"other\"}", HttpEchoServer.JSON_HEADER)),
                Arguments.of("compressed", gzipResponse(1)),
                Arguments.of("compressed", gzipResponse(2)),
                Arguments.of("", rawResponse("HTTP/1.1 200 OK\r\nContent-Le")),
                Arguments.of("", rawResponse("this is no HTTP at all\r\n\r\n")),
                Arguments.of("", rawResponse(responseHead("200 OK", "Content-Length: -5\r\n"))),
                Arguments.of(
                        "",
                        rawResponse(
                                responseHead("200 OK", JSON, "Content-Length: 5000\r\n") + "{}")),
                Arguments.of("", rawResponse(responseHead("200 OK", JSON, CHUNKED) + "zz\r\n{}")),
                Arguments.of("", rawResponse(responseHead("200 OK", JSON, CHUNKED) + "ffff\r\n{}")),
                Arguments.of("", rawResponse("")),
                Arguments.of("", (RequestHandler) HttpResponseFaultTest::resetConnection),
                Arguments.of(
                        "before the response", rawResponse(responseHead("200 OK", EVENT_STREAM))),
                Arguments.of(
                        "before the response",
                        rawResponse(responseHead("200 OK", EVENT_STREAM) + "data: {\"js")),
                Arguments.of(
                        "",
                        rawResponse(responseHead("200 OK", EVENT_STREAM, CHUNKED) + "5\r\ndata")));
    }

    private static final String JSON = HttpEchoServer.JSON_HEADER + "\r\n";

    private static RequestHandler gzipResponse(int times) {
        return exchange -> {
            byte[] body = exchange.resultMessage("{}").getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < times; i++) {
                var packed = new ByteArrayOutputStream();
                try (var zip = new GZIPOutputStream(packed)) {
                    zip.write(body);
                }
                body = packed.toByteArray();
            }
            exchange.send(
                    responseHead(
                            "200 OK",
                            JSON,
                            "Content-Encoding: gzip\r\n",
                            "Content-Length: " + body.length + "\r\n"));
            exchange.send(body);
        };
    }

    private static void resetConnection(Exchange exchange) throws IOException {
        exchange.send("HTTP/1.1 200 OK\r\n");
        exchange.socket().setSoLinger(true, 0);
        exchange.close();
    }

    @ParameterizedTest
    @MethodSource("wrongAnswers")
    void wrongResponseFailsItsCallImmediately(String reported, RequestHandler script)
            throws Exception {
        try (var server = new HttpEchoServer()) {
            String id = SHARED.gateway().connect(server, LONG_TIMEOUT);
            server.on("tools/call", script);
            try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
                var begun = Stopwatch.start();
                JsonTree failure = failedCall(id);
                assertThat(begun.activeTime()).isLessThan(Duration.ofSeconds(20));
                assertThat(failure.at("reason").asText()).isEqualTo("INVOCATION_FAILED");
                assertThat(failure.at("execution").asText()).isEqualTo("unknown");
                assertThat(failure.at("serverId").asText()).isEqualTo(id);
                assertThat(failure.at("message").asText()).contains(reported).hasSizeLessThan(600);
            }
            assertWorksAgain(id, server);
        }
    }

    /** After the fault: the call was sent once, and the server is connected and works. */
    private static void assertWorksAgain(String id, HttpEchoServer server)
            throws InterruptedException {
        assertThat(server.count("tools/call")).as("sent once").isEqualTo(1);
        assertThat(SHARED.host().status(id)).isEqualTo("connected");
        server.restore("tools/call");
        assertThat(SHARED.host().callForText(id + ".echo", "{\"a\":1}")).isEqualTo("{\"a\":1}");
        assertThat(server.count("initialize")).isEqualTo(1);
    }

    private static JsonTree failedCall(String id) throws InterruptedException {
        List<String> ids = SHARED.gateway().sendCalls(1, id + ".echo", "{}");
        return SHARED.gateway().awaitFailures(ids).getFirst();
    }

    /** A part of the server's text is shown, without control characters. */
    @Test
    void captivePortalPageIsQuotedInPart() throws Exception {
        try (var server = new HttpEchoServer()) {
            String id = SHARED.gateway().connect(server, LONG_TIMEOUT);
            String page = "<h1>Sign in\u001b[2J</h1>" + "x".repeat(100_000);
            server.on("tools/call", response(200, page, "Content-Type: text/html"));
            String message = failedCall(id).at("message").asText();
            assertThat(message).contains("<h1>Sign in").hasSizeLessThan(500);
            assertThat(message).doesNotContain("\u001b");
        }
    }

    /** Each sends a response that never ends, until the gateway disconnects. */
    static Stream<Arguments> endlessAnswers() {
        return Stream.of(
                Arguments.of("nothing at all", "", ""),
                Arguments.of("slow headers", "HTTP/1.1 200 OK\r\nX-Slow: ", "x"),
                Arguments.of(
                        "slow body", responseHead("200 OK", JSON, "Content-Length: 900\r\n"), " "),
                Arguments.of(
                        "only comments", responseHead("200 OK", EVENT_STREAM), ": still here\n\n"),
                Arguments.of("only events", responseHead("200 OK", EVENT_STREAM), "data: {}\n\n"));
    }

    @ParameterizedTest
    @MethodSource("endlessAnswers")
    void trickledResponseEndsAtTheTimeout(String what, String start, String drop) throws Exception {
        try (var server = new HttpEchoServer()) {
            String id = SHARED.gateway().connect(server, SHORT_TIMEOUT);
            server.on("tools/call", exchange -> trickle(exchange, start, drop));
            try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
                JsonTree failure = failedCall(id);
                assertThat(failure.at("execution").asText()).as(what).isEqualTo("unknown");
                assertThat(failure.at("message").asText()).as(what).contains("2000 ms");
            }
            assertWorksAgain(id, server);
        }
    }

    /** Ends with an exception when the gateway disconnects. */
    private static void trickle(Exchange exchange, String start, String drop) throws IOException {
        exchange.send(start);
        if (drop.isEmpty()) {
            assertThat(exchange.awaitDisconnect(30_000)).isTrue();
        }
        while (!drop.isEmpty()) {
            exchange.send(drop);
            LockSupport.parkNanos(50_000_000);
        }
    }

    /** Each sends as fast as it can, until the gateway disconnects. */
    static Stream<Arguments> floods() {
        String megabyte = "x".repeat(1 << 20);
        String chunk = "100000\r\n" + megabyte + "\r\n";
        String headers = ("X-Long: " + "y".repeat(1_000) + "\r\n").repeat(1_000);
        String hints = "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n".repeat(1_000);
        return Stream.of(
                Arguments.of("a body", responseHead("200 OK", JSON), megabyte),
                Arguments.of(
                        "a length beyond all",
                        responseHead("200 OK", JSON, "Content-Length: 9000000000000000000\r\n"),
                        megabyte),
                Arguments.of("chunks", responseHead("200 OK", JSON, CHUNKED), chunk),
                Arguments.of("an event", responseHead("200 OK", EVENT_STREAM) + "data: ", megabyte),
                Arguments.of("a field", responseHead("200 OK", EVENT_STREAM), megabyte),
                Arguments.of("an error", responseHead("500 Oops"), megabyte),
                Arguments.of("headers", "HTTP/1.1 200 OK\r\n", headers),
                Arguments.of("one header", "HTTP/1.1 200 OK\r\nX-Long: ", megabyte),
                Arguments.of("early hints", "", hints));
    }

    @ParameterizedTest
    @MethodSource("floods")
    void endlessResponseIsCutOff(String what, String start, String flood) throws Exception {
        try (var server = new HttpEchoServer()) {
            String id = SHARED.gateway().connect(server, LONG_TIMEOUT);
            long memory = SHARED.host().client().residentBytes();
            server.on(
                    "tools/call",
                    exchange -> {
                        exchange.send(start);
                        byte[] bytes = flood.getBytes(StandardCharsets.US_ASCII);
                        while (true) {
                            exchange.send(bytes);
                        }
                    });
            try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
                var begun = Stopwatch.start();
                failedCall(id);
                assertThat(begun.activeTime()).as(what).isLessThan(Duration.ofSeconds(25));
            }
            assertThat(SHARED.host().client().residentBytes() - memory)
                    .as(what)
                    .isLessThan(MEMORY_GROWTH_BYTES_MAX);
            assertWorksAgain(id, server);
        }
    }

    /** A response of the maximum size exceeds the client's line limit. */
    @ParameterizedTest
    @CsvSource({"15, 15728", "17, 16777216"})
    void responseHasSixteenMegabytesAtMost(int megabytes, String reported) throws Exception {
        try (var server = new HttpEchoServer()) {
            String id = SHARED.gateway().connect(server, LONG_TIMEOUT);
            String text = "x".repeat(megabytes << 20);
            server.on(
                    "tools/call",
                    exchange ->
                            exchange.respondWithResult(
                                    "{\"content\":[{\"type\":\"text\",\"text\":\""
                                            + text
                                            + "\"}]}"));
            String answer = SHARED.host().client().callTool(id + ".echo", "{}").write();
            assertThat(answer.replaceAll("(?<=\\d),(?=\\d)", "")).contains(reported);
        }
    }

    /** Compression is not requested, so a compressed response is not decompressed. */
    @Test
    void compressionBombIsNotDecompressed() throws Exception {
        byte[] zeros = new byte[1 << 20];
        Arrays.fill(zeros, (byte) '0');
        var packed = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(packed)) {
            for (int i = 0; i < 100; i++) {
                zip.write(zeros);
            }
        }
        try (var server = new HttpEchoServer()) {
            String id = SHARED.gateway().connect(server, LONG_TIMEOUT);
            server.on(
                    "tools/call",
                    exchange -> {
                        assertThat(exchange.request().header("Accept-Encoding"))
                                .contains("identity");
                        exchange.send(
                                responseHead(
                                        "200 OK",
                                        JSON,
                                        "Content-Encoding: gzip\r\n",
                                        "Content-Length: " + packed.size() + "\r\n"));
                        exchange.send(packed.toByteArray());
                    });
            assertThat(failedCall(id).at("message").asText()).contains("compressed");
            assertWorksAgain(id, server);
        }
    }

    /** Different spelling of a valid response is accepted. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "200 Content-Type: Application/JSON",
                "201 Content-Type: application/json;charset=UTF-8",
                "203 content-type: application/json ; x=y",
            })
    void unusualButValidResponseIsAccepted(String given) throws Exception {
        int status = Integer.parseInt(given.substring(0, 3));
        try (var server = new HttpEchoServer()) {
            String id = SHARED.gateway().connect(server, LONG_TIMEOUT);
            server.on(
                    "tools/call",
                    exchange ->
                            exchange.respond(
                                    status,
                                    exchange.resultMessage(HttpEchoServer.echo(exchange)),
                                    given.substring(4)));
            assertThat(SHARED.host().callForText(id + ".echo", "{\"b\":2}")).isEqualTo("{\"b\":2}");
        }
    }

    /** If a legacy server sends event ids, a broken stream is resumed after the last one. */
    @Test
    void brokenStreamIsResumedOnceIfTheServerSupportsIt() throws Exception {
        try (var server = new HttpEchoServer()) {
            String id = SHARED.gateway().connect(server, LONG_TIMEOUT);
            server.on(
                    "tools/call",
                    exchange -> {
                        exchange.send(responseHead("200 OK", EVENT_STREAM));
                        exchange.send("id: 7\nretry: 0\ndata: \n\nda");
                        String late = exchange.resultMessage(HttpEchoServer.echo(exchange));
                        server.on("GET", again -> resumeStream(again, late));
                        exchange.close();
                    });
            assertThat(SHARED.host().callForText(id + ".echo", "{\"c\":3}")).isEqualTo("{\"c\":3}");
            assertThat(server.count("tools/call")).isEqualTo(1);
            assertThat(server.received())
                    .filteredOn(request -> request.header("Last-Event-ID").isPresent())
                    .singleElement()
                    .matches(request -> request.header("Last-Event-ID").orElseThrow().equals("7"));
        }
    }

    /** Answers a stream that resumes with the last event id. */
    private static void resumeStream(Exchange exchange, String late) throws IOException {
        if (exchange.request().header("Last-Event-ID").isPresent()) {
            exchange.startEventStream().sendEvent(late).close();
        } else {
            exchange.respond(405, "");
        }
    }
}
