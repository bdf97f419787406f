package dev.patchbay.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.testkit.RawHttpConnection;

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
class RootHandlerAccessTest {
    private static final String TOKEN = "a-token-of-the-test";
    private static final String BEARER = "Authorization: Bearer " + TOKEN;

    private static HttpServerFixture fixture;
    private static int port;

    @BeforeAll
    static void start() throws IOException {
        var health =
                new HttpRoute() {
                    @Override
                    public Response serve(Request ask) {
                        return Response.text(200, "well");
                    }

                    @Override
                    public boolean isPublic() {
                        return true;
                    }
                };
        fixture =
                HttpServerFixture.start(
                        TokenAuthenticator.ofToken(TOKEN),
                        HttpLimits.DEFAULTS,
                        Map.of(
                                "/healthz",
                                health,
                                "/card",
                                new CardRoute(),
                                "/metrics",
                                ask -> HttpRoute.Response.text(200, ask.path()),
                                "/",
                                ask -> HttpRoute.Response.text(200, "root " + ask.path())));
        port = fixture.server.address().getPort();
    }

    /** A public route that pages of other sites may read. */
    private static final class CardRoute implements HttpRoute {
        @Override
        public Response serve(Request ask) {
            return Response.text(200, "card").withHeaders(Map.of("ETag", "\"1\""));
        }

        @Override
        public boolean isPublic() {
            return true;
        }

        @Override
        public boolean isForAnyOrigin() {
            return true;
        }
    }

    @Test
    void onlyARouteForAnyOriginCanBeReadByOtherPages() throws IOException {
        String host = withPort("Host: localhost:PORT");
        List<String> page = List.of(host, "Origin: https://example.com");
        assertThat(send("GET /card", page).body()).isEqualTo("card");
        assertThat(send("GET /healthz", page).status()).isEqualTo(403);
        assertThat(send("GET /card", List.of("Host: evil.com")).status()).isEqualTo(403);
    }

    @Test
    void unchangedResponseIsNotSentAgain() throws IOException {
        String host = withPort("Host: localhost:PORT");
        RawHttpConnection.Response same = send("GET /card", List.of(host, "If-None-Match: \"1\""));
        assertThat(same.status()).isEqualTo(304);
        assertThat(same.body()).isEmpty();
        assertThat(send("GET /card", List.of(host, "If-None-Match: \"2\"")).body())
                .isEqualTo("card");
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    private static RawHttpConnection.Response send(String start, List<String> headers)
            throws IOException {
        try (RawHttpConnection client = fixture.connect()) {
            String body =
                    start.startsWith("POST") ? HttpServerFixture.initialize("2025-11-25") : "";
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
                    .readResponse();
        }
    }

    private static String withPort(String text) {
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
            RawHttpConnection.Response reply =
                    send(method + " /mcp", List.of("Host: " + withPort(host), BEARER));
            assertThat(reply.status()).as(method).isIn(400, 403);
            assertRevealsNothing(reply);
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
            RawHttpConnection.Response reply =
                    send(
                            method + " /mcp",
                            List.of(
                                    withPort("Host: localhost:PORT"),
                                    "Origin: " + withPort(origin),
                                    BEARER));
            assertThat(reply.status()).as(method).isEqualTo(403);
            assertRevealsNothing(reply);
        }
    }

    private static void assertRevealsNothing(RawHttpConnection.Response reply) {
        assertThat(reply.head().headerLines())
                .noneMatch(line -> line.toLowerCase(Locale.ROOT).startsWith("access-control"));
        assertThat(reply.header("Mcp-Session-Id")).isEmpty();
        assertThat(fixture.service.calls).hasValue(0);
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
    void ownHostNamesAreAccepted(String host, String origin) throws IOException {
        var headers = new ArrayList<>(List.of("Host: " + withPort(host), BEARER));
        if (origin != null) {
            headers.add("Origin: " + withPort(origin));
        }
        RawHttpConnection.Response reply = send("POST /mcp", headers);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.head().headerLines())
                .noneMatch(line -> line.toLowerCase(Locale.ROOT).startsWith("access-control"));
    }

    @Test
    void duplicateHostsAndForeignTargetsAreRefused() throws IOException {
        String host = withPort("Host: localhost:PORT");
        assertThat(send("POST /mcp", List.of(host, "Host: evil.com", BEARER)).status())
                .isEqualTo(400);
        assertThat(send("POST /mcp", List.of(BEARER)).status()).isEqualTo(400);
        assertThat(send("POST http://evil.com/mcp", List.of(host, BEARER)).status()).isEqualTo(400);
        assertThat(send("POST http://evil.com/mcp", List.of("Host: evil.com", BEARER)).status())
                .isEqualTo(403);
        String origin = withPort("Origin: http://localhost:PORT");
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
    void requestWithoutTokenIsUnauthorized(String line) throws IOException {
        RawHttpConnection.Response reply =
                send("POST /mcp", List.of(withPort("Host: localhost:PORT"), line));
        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.header("WWW-Authenticate").orElseThrow()).startsWith("Bearer");
        assertThat(reply.header("Mcp-Session-Id")).isEmpty();
        assertThat(reply.body()).doesNotContain(TOKEN);
    }

    @Test
    void bearerSchemeIsCaseInsensitive() throws IOException {
        RawHttpConnection.Response reply =
                send(
                        "POST /mcp",
                        List.of(
                                withPort("Host: localhost:PORT"),
                                "authorization: bearer " + TOKEN));
        assertThat(reply.status()).isEqualTo(200);
    }

    @Test
    void routesHaveTheSameAccessChecks() throws IOException {
        List<String> host = List.of(withPort("Host: localhost:PORT"));
        assertThat(send("GET /healthz", host).body()).isEqualTo("well");
        assertThat(send("GET /healthz", List.of("Host: evil.com")).status()).isEqualTo(403);
        assertThat(send("GET /metrics", host).status()).isEqualTo(401);
        assertThat(send("GET /", host).status()).isEqualTo(401);
        List<String> known = List.of(withPort("Host: localhost:PORT"), BEARER);
        assertThat(send("GET /metrics", known).body()).isEqualTo("/metrics");
        assertThat(send("GET /app/x.js?y=1", known).body()).isEqualTo("root /app/x.js");
        assertThat(send("GET /a/../healthz", known).body()).isEqualTo("well");
    }

    @Test
    void serverWithoutTokenStartsOnLoopbackOnly() {
        var listen = new InetSocketAddress("0.0.0.0", 0);
        assertThatThrownBy(
                        () ->
                                HttpServer.start(
                                        HttpSettings.of(listen, TokenAuthenticator.ALLOW_ALL),
                                        null,
                                        Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("loopback");
    }

    /** Fault 68. */
    @Test
    void portInUseIsReportedInOneLine() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var listen =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), taken.getLocalPort());
            assertThatThrownBy(
                            () ->
                                    HttpServer.start(
                                            HttpSettings.of(listen, TokenAuthenticator.ALLOW_ALL),
                                            null,
                                            Map.of()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(":" + taken.getLocalPort())
                    .hasMessageContaining("in use");
        }
    }
}
