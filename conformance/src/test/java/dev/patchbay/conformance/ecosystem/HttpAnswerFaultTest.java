package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.RawHttpServer.Exchange;
import dev.patchbay.testkit.RawHttpServer.Script;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * What servers over HTTP answer to a call, and how wrong that can be. One call pays for it, with
 * one error; the server stays connected, the call is not sent again, and its neighbour feels
 * nothing.
 */
class HttpAnswerFaultTest {
    private static final String PATIENT = "\"requestTimeoutMs\": 30000, \"maxRetries\": 1";
    private static final String HASTY = "\"requestTimeoutMs\": 2000, \"maxRetries\": 1";
    private static final long MEMORY_GROWTH_BYTES_MAX = 200L << 20;
    private static final String EVENTS = "Content-Type: text/event-stream\r\n";
    private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";

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

    private static String head(String status, String... lines) {
        return "HTTP/1.1 " + status + "\r\n" + String.join("", lines) + "\r\n";
    }

    /** Answers with these bytes and then closes the connection. */
    private static Script bytes(String text) {
        return exchange -> exchange.send(text).close();
    }

    private static Script answer(int status, String body, String... headers) {
        return exchange -> exchange.answer(status, body, headers);
    }

    static Stream<Arguments> wrongAnswers() {
        return Stream.of(
                Arguments.of("HTTP 500", answer(500, "boom")),
                Arguments.of("HTTP 502", answer(502, "<html>bad gateway</html>")),
                Arguments.of("HTTP 503", answer(503, "", "Retry-After: 3600")),
                Arguments.of("HTTP 504", answer(504, "")),
                Arguments.of("HTTP 429", answer(429, "slow down", "Retry-After: soon")),
                Arguments.of("HTTP 401", answer(401, "", "WWW-Authenticate: Basic realm=x")),
                Arguments.of("HTTP 403", answer(403, "no")),
                Arguments.of("text/html", answer(200, "<p>Sign in</p>", "Content-Type: text/html")),
                Arguments.of("content type", answer(200, "")),
                Arguments.of("HTTP 204", bytes(head("204 No Content"))),
                Arguments.of("HTTP 202", answer(202, "")),
                Arguments.of("none", answer(200, "", WebServer.JSON)),
                Arguments.of("none", answer(200, "{\"jsonrpc\":", WebServer.JSON)),
                Arguments.of("none", answer(200, "{\"id\":\"other\"}", WebServer.JSON)),
                Arguments.of("encoded", gzip(1)),
                Arguments.of("encoded", gzip(2)),
                Arguments.of("", bytes("HTTP/1.1 200 OK\r\nContent-Le")),
                Arguments.of("", bytes("this is no HTTP at all\r\n\r\n")),
                Arguments.of("", bytes(head("200 OK", "Content-Length: -5\r\n"))),
                Arguments.of("", bytes(head("200 OK", JSON, "Content-Length: 5000\r\n") + "{}")),
                Arguments.of("", bytes(head("200 OK", JSON, CHUNKED) + "zz\r\n{}")),
                Arguments.of("", bytes(head("200 OK", JSON, CHUNKED) + "ffff\r\n{}")),
                Arguments.of("", bytes("")),
                Arguments.of("", (Script) HttpAnswerFaultTest::reset),
                Arguments.of("before the answer", bytes(head("200 OK", EVENTS))),
                Arguments.of("before the answer", bytes(head("200 OK", EVENTS) + "data: {\"js")),
                Arguments.of("", bytes(head("200 OK", EVENTS, CHUNKED) + "5\r\ndata")));
    }

    private static final String JSON = WebServer.JSON + "\r\n";

    private static Script gzip(int times) {
        return exchange -> {
            byte[] body = exchange.resultText("{}").getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < times; i++) {
                var packed = new ByteArrayOutputStream();
                try (var zip = new GZIPOutputStream(packed)) {
                    zip.write(body);
                }
                body = packed.toByteArray();
            }
            exchange.send(
                    head(
                            "200 OK",
                            JSON,
                            "Content-Encoding: gzip\r\n",
                            "Content-Length: " + body.length + "\r\n"));
            exchange.send(body);
        };
    }

    private static void reset(Exchange exchange) throws IOException {
        exchange.send("HTTP/1.1 200 OK\r\n");
        exchange.socket().setSoLinger(true, 0);
        exchange.close();
    }

    @ParameterizedTest
    @MethodSource("wrongAnswers")
    void aWrongAnswerIsTheErrorOfItsCallAtOnce(String told, Script script) throws Exception {
        try (var server = new WebServer()) {
            String id = around.connect(server, PATIENT);
            server.on("tools/call", script);
            try (Watch _ = around.watch()) {
                var begun = Stopwatch.start();
                JsonTree failure = failedCall(id);
                assertThat(begun.net()).isLessThan(Duration.ofSeconds(20));
                assertThat(failure.at("reason").text()).isEqualTo("INVOCATION_FAILED");
                assertThat(failure.at("execution").text()).isEqualTo("unknown");
                assertThat(failure.at("serverId").text()).isEqualTo(id);
                assertThat(failure.at("message").text()).contains(told).hasSizeLessThan(600);
            }
            worksAgain(id, server);
        }
    }

    /** After the fault: sent once, still connected, and well. */
    private static void worksAgain(String id, WebServer server) throws InterruptedException {
        assertThat(server.count("tools/call")).as("sent once").isEqualTo(1);
        assertThat(host.status(id)).isEqualTo("connected");
        server.heal("tools/call");
        assertThat(host.text(id + ".echo", "{\"a\":1}")).isEqualTo("{\"a\":1}");
        assertThat(server.count("initialize")).isEqualTo(1);
    }

    private static JsonTree failedCall(String id) throws InterruptedException {
        List<String> ids = around.send(1, id + ".echo", "{}");
        return around.failures(ids).getFirst();
    }

    /** What a server says is shown, but not more than a little, and nothing that moves a cursor. */
    @Test
    void aPortalPageIsShownInPart() throws Exception {
        try (var server = new WebServer()) {
            String id = around.connect(server, PATIENT);
            String page = "<h1>Sign in\u001b[2J</h1>" + "x".repeat(100_000);
            server.on("tools/call", answer(200, page, "Content-Type: text/html"));
            String message = failedCall(id).at("message").text();
            assertThat(message).contains("<h1>Sign in").hasSizeLessThan(500);
            assertThat(message).doesNotContain("\u001b");
        }
    }

    /** Each begins an answer that never ends, until the gateway hangs up. */
    static Stream<Arguments> endlessAnswers() {
        return Stream.of(
                Arguments.of("nothing at all", "", ""),
                Arguments.of("slow headers", "HTTP/1.1 200 OK\r\nX-Slow: ", "x"),
                Arguments.of("slow body", head("200 OK", JSON, "Content-Length: 900\r\n"), " "),
                Arguments.of("only comments", head("200 OK", EVENTS), ": still here\n\n"),
                Arguments.of("only events", head("200 OK", EVENTS), "data: {}\n\n"));
    }

    @ParameterizedTest
    @MethodSource("endlessAnswers")
    void anAnswerThatDripsForEverEndsAtTheDeadline(String what, String start, String drop)
            throws Exception {
        try (var server = new WebServer()) {
            String id = around.connect(server, HASTY);
            server.on("tools/call", exchange -> drip(exchange, start, drop));
            try (Watch _ = around.watch()) {
                JsonTree failure = failedCall(id);
                assertThat(failure.at("execution").text()).as(what).isEqualTo("unknown");
                assertThat(failure.at("message").text()).as(what).contains("2000 ms");
            }
            worksAgain(id, server);
        }
    }

    /** Ends with the exception of a write to a client that hung up. */
    private static void drip(Exchange exchange, String start, String drop) throws IOException {
        exchange.send(start);
        if (drop.isEmpty()) {
            assertThat(exchange.awaitHangUp(30_000)).isTrue();
        }
        while (!drop.isEmpty()) {
            exchange.send(drop);
            LockSupport.parkNanos(50_000_000);
        }
    }

    /** Each floods as fast as it can, until the gateway hangs up. */
    static Stream<Arguments> floods() {
        String megabyte = "x".repeat(1 << 20);
        String chunk = "100000\r\n" + megabyte + "\r\n";
        String headers = ("X-Long: " + "y".repeat(1_000) + "\r\n").repeat(1_000);
        String hints = "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n".repeat(1_000);
        return Stream.of(
                Arguments.of("a body", head("200 OK", JSON), megabyte),
                Arguments.of(
                        "a length beyond all",
                        head("200 OK", JSON, "Content-Length: 9000000000000000000\r\n"),
                        megabyte),
                Arguments.of("chunks", head("200 OK", JSON, CHUNKED), chunk),
                Arguments.of("an event", head("200 OK", EVENTS) + "data: ", megabyte),
                Arguments.of("a field", head("200 OK", EVENTS), megabyte),
                Arguments.of("an error", head("500 Oops"), megabyte),
                Arguments.of("headers", "HTTP/1.1 200 OK\r\n", headers),
                Arguments.of("one header", "HTTP/1.1 200 OK\r\nX-Long: ", megabyte),
                Arguments.of("early hints", "", hints));
    }

    @ParameterizedTest
    @MethodSource("floods")
    void anEndlessAnswerIsCutOff(String what, String start, String flood) throws Exception {
        try (var server = new WebServer()) {
            String id = around.connect(server, PATIENT);
            long memory = host.client().residentBytes();
            server.on(
                    "tools/call",
                    exchange -> {
                        exchange.send(start);
                        byte[] bytes = flood.getBytes(StandardCharsets.US_ASCII);
                        while (true) {
                            exchange.send(bytes);
                        }
                    });
            try (Watch _ = around.watch()) {
                var begun = Stopwatch.start();
                failedCall(id);
                assertThat(begun.net()).as(what).isLessThan(Duration.ofSeconds(25));
            }
            assertThat(host.client().residentBytes() - memory)
                    .as(what)
                    .isLessThan(MEMORY_GROWTH_BYTES_MAX);
            worksAgain(id, server);
        }
    }

    /** What is read whole is still more than the client's message has room for. */
    @ParameterizedTest
    @CsvSource({"15, 15728", "17, 16777216"})
    void anAnswerHasSixteenMegabytesAtMost(int megabytes, String told) throws Exception {
        try (var server = new WebServer()) {
            String id = around.connect(server, PATIENT);
            String text = "x".repeat(megabytes << 20);
            server.on(
                    "tools/call",
                    exchange ->
                            exchange.result(
                                    "{\"content\":[{\"type\":\"text\",\"text\":\""
                                            + text
                                            + "\"}]}"));
            String answer = host.client().call(id + ".echo", "{}").write();
            assertThat(answer.replaceAll("(?<=\\d),(?=\\d)", "")).contains(told);
        }
    }

    /** It is told not to pack, so a bomb is not even looked into. */
    @Test
    void aBombIsNotUnpacked() throws Exception {
        byte[] zeros = new byte[1 << 20];
        Arrays.fill(zeros, (byte) '0');
        var packed = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(packed)) {
            for (int i = 0; i < 100; i++) {
                zip.write(zeros);
            }
        }
        try (var server = new WebServer()) {
            String id = around.connect(server, PATIENT);
            server.on(
                    "tools/call",
                    exchange -> {
                        assertThat(exchange.request().header("Accept-Encoding"))
                                .contains("identity");
                        exchange.send(
                                head(
                                        "200 OK",
                                        JSON,
                                        "Content-Encoding: gzip\r\n",
                                        "Content-Length: " + packed.size() + "\r\n"));
                        exchange.send(packed.toByteArray());
                    });
            assertThat(failedCall(id).at("message").text()).contains("encoded");
            worksAgain(id, server);
        }
    }

    /** What is only spelled in another way is right. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "200 Content-Type: Application/JSON",
                "201 Content-Type: application/json;charset=UTF-8",
                "203 content-type: application/json ; x=y",
            })
    void anOddSpellingIsTheSameAnswer(String given) throws Exception {
        int status = Integer.parseInt(given.substring(0, 3));
        try (var server = new WebServer()) {
            String id = around.connect(server, PATIENT);
            server.on(
                    "tools/call",
                    exchange ->
                            exchange.answer(
                                    status,
                                    exchange.resultText(WebServer.echo(exchange)),
                                    given.substring(4)));
            assertThat(host.text(id + ".echo", "{\"b\":2}")).isEqualTo("{\"b\":2}");
        }
    }

    /** A legacy server may name its events; then a stream that breaks is taken up behind one. */
    @Test
    void aCutStreamIsTakenUpOnceWhereTheServerLetsIt() throws Exception {
        try (var server = new WebServer()) {
            String id = around.connect(server, PATIENT);
            server.on(
                    "tools/call",
                    exchange -> {
                        exchange.send(head("200 OK", EVENTS));
                        exchange.send("id: 7\nretry: 0\ndata: \n\nda");
                        String late = exchange.resultText(WebServer.echo(exchange));
                        server.on("GET", again -> takeUp(again, late));
                        exchange.close();
                    });
            assertThat(host.text(id + ".echo", "{\"c\":3}")).isEqualTo("{\"c\":3}");
            assertThat(server.count("tools/call")).isEqualTo(1);
            assertThat(server.received())
                    .filteredOn(request -> request.header("Last-Event-ID").isPresent())
                    .singleElement()
                    .matches(request -> request.header("Last-Event-ID").orElseThrow().equals("7"));
        }
    }

    /** The stream that has no events of before is not this one. */
    private static void takeUp(Exchange exchange, String late) throws IOException {
        if (exchange.request().header("Last-Event-ID").isPresent()) {
            exchange.stream().event(late).close();
        } else {
            exchange.answer(405, "");
        }
    }
}
