package dev.patchbay.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.testkit.RawHttp;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Threats A1 to A4: who comes through the front door, and who does not. */
class GuardTest {
    private static final String TOKEN = "a-token-of-the-test";
    private static final String BEARER = "Authorization: Bearer " + TOKEN;

    private static Bench bench;
    private static int port;

    @BeforeAll
    static void start() throws IOException {
        var health =
                new WebPart() {
                    @Override
                    public Answer serve(Ask ask) {
                        return Answer.text(200, "well");
                    }

                    @Override
                    public boolean isPublic() {
                        return true;
                    }
                };
        bench =
                Bench.start(
                        Access.token(TOKEN),
                        HttpLimits.DEFAULTS,
                        Map.of(
                                "/healthz",
                                health,
                                "/metrics",
                                ask -> WebPart.Answer.text(200, ask.path()),
                                "/",
                                ask -> WebPart.Answer.text(200, "root " + ask.path())));
        port = bench.server.address().getPort();
    }

    @AfterAll
    static void stop() {
        bench.close();
    }

    private static RawHttp.Reply send(String start, List<String> headers) throws IOException {
        try (RawHttp client = bench.connect()) {
            String body = start.startsWith("POST") ? Bench.initialize("2025-11-25") : "";
            var lines = new ArrayList<>(headers);
            lines.add("Content-Type: application/json");
            lines.add("Accept: application/json, text/event-stream");
            lines.add("Content-Length: " + body.length());
            return client.send(
                            start
                                    + " HTTP/1.1\r\n"
                                    + String.join("\r\n", lines)
                                    + "\r\n\r\n"
                                    + body)
                    .reply();
        }
    }

    private static String own(String text) {
        return text.replace("PORT", Integer.toString(port));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.com",
                "evil.com:PORT",
                "127.0.0.1.evil.com",
                "localhost.evil.com:PORT",
                "localhost:PORT@evil.com",
                "localhost@evil.com",
                "127.0.0.2",
                "[::2]:PORT",
                "[::1",
                "localhost:",
                "localhost:x",
                "localhost:123456",
                "",
            })
    void foreignHostIsForbidden(String host) throws IOException {
        for (String method : List.of("POST", "GET", "OPTIONS", "DELETE")) {
            RawHttp.Reply reply = send(method + " /mcp", List.of("Host: " + own(host), BEARER));
            assertThat(reply.status()).as(method).isIn(400, 403);
            assertKeepsToItself(reply);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "http://evil.com",
                "http://evil.com:PORT",
                "http://localhost.evil.com:PORT",
                "https://localhost:PORT",
                "http://localhost:1",
                "http://localhost",
                "http://localhost:PORT/",
                "http://localhost:PORT@evil.com",
                "ftp://localhost:PORT",
                "localhost:PORT",
                "",
            })
    void foreignOriginIsForbidden(String origin) throws IOException {
        for (String method : List.of("POST", "GET", "OPTIONS")) {
            RawHttp.Reply reply =
                    send(
                            method + " /mcp",
                            List.of(own("Host: localhost:PORT"), "Origin: " + own(origin), BEARER));
            assertThat(reply.status()).as(method).isEqualTo(403);
            assertKeepsToItself(reply);
        }
    }

    private static void assertKeepsToItself(RawHttp.Reply reply) {
        assertThat(reply.head().lines())
                .noneMatch(line -> line.toLowerCase(Locale.ROOT).startsWith("access-control"));
        assertThat(reply.header("Mcp-Session-Id")).isEmpty();
        assertThat(bench.service.calls).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:PORT,    ",
        "LocalHost:PORT,    ",
        "127.0.0.1:PORT,    ",
        "[::1]:PORT,        ",
        "localhost,         ",
        "gateway.test,      ",
        "localhost:PORT,    http://localhost:PORT",
        "127.0.0.1:PORT,    http://localhost:PORT",
        "gateway.test,      https://gateway.test",
    })
    void ownNamesAreTaken(String host, String origin) throws IOException {
        var headers = new ArrayList<>(List.of("Host: " + own(host), BEARER));
        if (origin != null) {
            headers.add("Origin: " + own(origin));
        }
        RawHttp.Reply reply = send("POST /mcp", headers);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.head().lines())
                .noneMatch(line -> line.toLowerCase(Locale.ROOT).startsWith("access-control"));
    }

    @Test
    void twoHostsAndForeignTargetsAreRefused() throws IOException {
        String host = own("Host: localhost:PORT");
        assertThat(send("POST /mcp", List.of(host, "Host: evil.com", BEARER)).status())
                .isEqualTo(400);
        assertThat(send("POST /mcp", List.of(BEARER)).status()).isEqualTo(400);
        assertThat(send("POST http://evil.com/mcp", List.of(host, BEARER)).status()).isEqualTo(400);
        assertThat(send("POST http://evil.com/mcp", List.of("Host: evil.com", BEARER)).status())
                .isEqualTo(403);
        String origin = own("Origin: http://localhost:PORT");
        assertThat(send("POST /mcp", List.of(host, origin, BEARER)).status()).isEqualTo(200);
        for (String second : List.of(origin, "Origin: http://evil.com")) {
            assertThat(send("POST /mcp", List.of(host, origin, second, BEARER)).status())
                    .as(second)
                    .isIn(400, 403);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X: none",
                "Authorization: Bearer wrong",
                "Authorization: Bearer",
                "Authorization: Bearer ",
                "Authorization: a-token-of-the-test",
                "Authorization: Basic a-token-of-the-test",
                "Authorization: Bearer a-token-of-the-tesT",
                "Authorization: Bearer a-token-of-the-test\r\nAuthorization: Bearer x",
                "Cookie: token=a-token-of-the-test",
            })
    void withoutTheTokenNothingIsServed(String line) throws IOException {
        RawHttp.Reply reply = send("POST /mcp", List.of(own("Host: localhost:PORT"), line));
        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.header("WWW-Authenticate").orElseThrow()).startsWith("Bearer");
        assertThat(reply.header("Mcp-Session-Id")).isEmpty();
        assertThat(reply.body()).doesNotContain(TOKEN);
    }

    @Test
    void schemeOfTheTokenIsTakenInAnyCase() throws IOException {
        RawHttp.Reply reply =
                send(
                        "POST /mcp",
                        List.of(own("Host: localhost:PORT"), "authorization: bearer " + TOKEN));
        assertThat(reply.status()).isEqualTo(200);
    }

    @Test
    void whatIsMountedBesideHasTheSameGuard() throws IOException {
        List<String> host = List.of(own("Host: localhost:PORT"));
        assertThat(send("GET /healthz", host).body()).isEqualTo("well");
        assertThat(send("GET /healthz", List.of("Host: evil.com")).status()).isEqualTo(403);
        assertThat(send("GET /metrics", host).status()).isEqualTo(401);
        assertThat(send("GET /", host).status()).isEqualTo(401);
        List<String> known = List.of(own("Host: localhost:PORT"), BEARER);
        assertThat(send("GET /metrics", known).body()).isEqualTo("/metrics");
        assertThat(send("GET /app/x.js?y=1", known).body()).isEqualTo("root /app/x.js");
        assertThat(send("GET /a/../healthz", known).body()).isEqualTo("well");
    }

    @Test
    void openServerIsNotStartedBeyondLoopback() {
        var listen = new InetSocketAddress("0.0.0.0", 0);
        assertThatThrownBy(
                        () ->
                                HttpServer.start(
                                        HttpSettings.of(listen, Access.OPEN), null, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("loopback");
    }

    /** Fault 68. */
    @Test
    void portInUseIsSaidInOneLine() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var listen =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), taken.getLocalPort());
            assertThatThrownBy(
                            () ->
                                    HttpServer.start(
                                            HttpSettings.of(listen, Access.OPEN), null, Map.of()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(":" + taken.getLocalPort())
                    .hasMessageContaining("in use");
        }
    }
}
