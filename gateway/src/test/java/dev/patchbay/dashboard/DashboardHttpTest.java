package dev.patchbay.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.Environment;
import dev.patchbay.doctor.Doctor;
import dev.patchbay.http.server.HandlerFactory;
import dev.patchbay.http.server.HttpServer;
import dev.patchbay.http.server.HttpSettings;
import dev.patchbay.http.server.TokenAuthenticator;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RpcHandler;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.server.SecretResolver;
import dev.patchbay.server.ServerState.Status;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The dashboard over HTTP: who is let in, what is told, what can be done. */
class DashboardHttpTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final CallStatisticsFixture fixture = new CallStatisticsFixture();
    private Dashboard dashboard;
    private HttpServer server;
    private HttpClient http;

    /** Nobody comes to the endpoint here. */
    private static final class UnusedHandlerFactory implements HandlerFactory {
        @Override
        public RpcHandler modernHandler(String principal) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SessionHandler newLegacyHandler(
                String principal, Consumer<Notification> unsolicited) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean servesMethod(String method) {
            return false;
        }

        @Override
        public List<HeaderParam> headerParams(String tool) {
            return List.of();
        }
    }

    @BeforeEach
    void open() throws Exception {
        Path home = Path.of("").toAbsolutePath();
        var surroundings = new Environment(Environment.Platform.LINUX, home, home, Map.of());
        dashboard =
                new Dashboard(
                        fixture.gateway,
                        InstantSource.system(),
                        new Doctor(surroundings, Duration.ofSeconds(1), SecretResolver.NONE),
                        Set::of,
                        () -> 0);
        var listen = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        server =
                HttpServer.start(
                        HttpSettings.of(listen, TokenAuthenticator.ofToken("right")),
                        new UnusedHandlerFactory(),
                        dashboard.routes());
        http = HttpClient.newHttpClient();
    }

    @AfterEach
    void close() {
        http.shutdownNow();
        server.close(Duration.ofSeconds(1));
        dashboard.close();
        fixture.close();
    }

    private HttpRequest.Builder request(String path) {
        var url = "http://127.0.0.1:" + server.address().getPort() + path;
        return HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT);
    }

    private HttpResponse<String> get(String path) throws Exception {
        var request = request(path).header("Authorization", "Bearer right").build();
        return http.send(request, BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path) throws Exception {
        var request =
                request(path)
                        .header("Authorization", "Bearer right")
                        .POST(BodyPublishers.noBody())
                        .build();
        return http.send(request, BodyHandlers.ofString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/overview", "/api/tools", "/api/calls", "/api/events", "/metrics"})
    void apiRequiresToken(String path) throws Exception {
        var bare = http.send(request(path).build(), BodyHandlers.ofString());
        var wrong = request(path).header("Authorization", "Bearer wrong").build();
        assertThat(bare.statusCode()).isEqualTo(401);
        assertThat(http.send(wrong, BodyHandlers.ofString()).statusCode()).isEqualTo(401);
    }

    @Test
    void pageIsServedWithStrictContentSecurityPolicy() throws Exception {
        var page = http.send(request("/").build(), BodyHandlers.ofString());
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                .contains("require-trusted-types-for 'script'", "trusted-types 'none'")
                .doesNotContain("unsafe");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(page.headers().allValues("Set-Cookie")).isEmpty();
        assertThat(get("/api/overview").headers().allValues("Set-Cookie")).isEmpty();
        for (String path : List.of("/assets/..%2findex.html", "/assets/", "/index.html", "/x")) {
            var other = http.send(request(path).build(), BodyHandlers.ofString());
            assertThat(other.statusCode()).as(path).isIn(400, 404);
        }
    }

    @Test
    void overviewListsEveryServer() throws Exception {
        Json overview = Json.of(get("/api/overview").body());
        Json files = overview.member("servers").elements().getFirst();
        assertThat(files.memberText("serverId")).isEqualTo("files");
        assertThat(files.memberText("status")).isEqualTo("disabled");
        assertThat(files.member("history").member("calls")).isNotNull();
        long shown =
                overview.member("stepMillis").asLong(0) * overview.member("stepsMax").asLong(0);
        assertThat(Duration.ofMillis(shown)).isEqualTo(Duration.ofMinutes(10));
        assertThat(Json.of(get("/api/tools").body()).elements()).isEmpty();
        assertThat(get("/api/calls/7").statusCode()).isEqualTo(404);
        assertThat(get("/api/doctor/files").body()).contains("DISABLED");
        assertThat(get("/metrics").body()).contains("patchbay_server_state{");
    }

    @Test
    void serverCanBeEnabledAndDisabled() throws Exception {
        var bare = request("/api/servers/files/enable").POST(BodyPublishers.noBody()).build();
        assertThat(http.send(bare, BodyHandlers.ofString()).statusCode()).isEqualTo(401);
        assertThat(fixture.gateway.servers().getFirst().enabled()).isFalse();
        assertThat(post("/api/servers/files/enable").statusCode()).isEqualTo(200);
        assertThat(fixture.gateway.servers().getFirst().enabled()).isTrue();
        Json after = Json.of(post("/api/servers/files/disable").body());
        assertThat(after.memberText("status")).isEqualTo("disabled");
        assertThat(fixture.gateway.servers().getFirst().state().status())
                .isEqualTo(Status.DISABLED);
        assertThat(post("/api/servers/nobody/enable").statusCode()).isEqualTo(404);
        assertThat(post("/api/servers/files/explode").statusCode()).isEqualTo(404);
        assertThat(get("/api/servers/files/enable").statusCode()).isEqualTo(404);
    }

    @Test
    void changesAreSentAsEvents() throws Exception {
        var request = request("/api/events").header("Authorization", "Bearer right").build();
        var response = http.send(request, BodyHandlers.ofInputStream());
        assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
        try (var events =
                new BufferedReader(
                        new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            assertThat(nextEvent(events, "hello")).isNotNull();
            assertThat(nextEvent(events, "\"status\":\"disabled\"")).isNotNull();
            fixture.gateway.enable(CallStatisticsFixture.FILES);
            assertThat(nextEvent(events, "\"status\":\"error\"")).contains("CONNECTION_FAILED");
            fixture.gateway.unregister(CallStatisticsFixture.FILES);
            assertThat(nextEvent(events, "\"removed\":[\"files\"]")).isNotNull();
        }
    }

    /** The next event with that in it; the deadline is the one of the request. */
    private static String nextEvent(BufferedReader events, String wanted) throws Exception {
        String line = events.readLine();
        while (!line.contains(wanted)) {
            line = events.readLine();
        }
        return line;
    }
}
