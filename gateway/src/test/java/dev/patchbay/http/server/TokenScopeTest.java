package dev.patchbay.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.RawHttpConnection;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/** Finding 12: a token opens only the paths of its scopes. */
class TokenScopeTest {
    private static HttpServerFixture fixture;

    private record ScopedRoute(AccessScope scope) implements HttpRoute {
        @Override
        public Response serve(Request request) {
            Principal principal = request.principal();
            return Response.text(200, principal == null ? "" : principal.name());
        }
    }

    @BeforeAll
    static void start() throws IOException {
        Map<String, Principal> principals =
                Map.of(
                        "m", new Principal("m", Set.of(AccessScope.MCP)),
                        "d", new Principal("d", Set.of(AccessScope.DASHBOARD)),
                        "x", new Principal("x", Set.of(AccessScope.METRICS)),
                        "n", new Principal("n", Set.of()),
                        "o", Principal.withAllScopes("o"));
        HttpRoute unscoped = _ -> HttpRoute.Response.text(200, "unscoped");
        fixture =
                HttpServerFixture.start(
                        token -> token == null ? null : principals.get(token),
                        HttpLimits.DEFAULTS,
                        Map.of(
                                "/api", new ScopedRoute(AccessScope.DASHBOARD),
                                "/metrics", new ScopedRoute(AccessScope.METRICS),
                                "/other", unscoped));
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource({
        "m, 200, 403, 403, 403",
        "d, 403, 200, 403, 403",
        "x, 403, 403, 200, 403",
        "n, 403, 403, 403, 403",
        "o, 200, 200, 200, 200",
        "unknown, 401, 401, 401, 401",
    })
    void tokenOpensPathsOfItsScopes(String token, int mcp, int api, int metrics, int other)
            throws IOException {
        String bearer = "Authorization: Bearer " + token;
        assertThat(fixture.exchange(fixture.modernCall("1", "echo", "{}", bearer)).status())
                .isEqualTo(mcp);
        assertThat(get("/api/calls", bearer).status()).isEqualTo(api);
        assertThat(get("/metrics", bearer).status()).isEqualTo(metrics);
        assertThat(get("/other", bearer).status()).isEqualTo(other);
        if (api == 200) {
            assertThat(get("/api/calls", bearer).body()).isEqualTo(token);
        } else if (api == 403) {
            assertThat(get("/api/calls", bearer).header("WWW-Authenticate").orElseThrow())
                    .contains("insufficient_scope", "dashboard");
        }
    }

    private static RawHttpConnection.Response get(String path, String bearer) throws IOException {
        String head = "GET %s HTTP/1.1\r\n%s\r\n%s\r\n\r\n".formatted(path, fixture.host(), bearer);
        return fixture.exchange(head.getBytes(StandardCharsets.US_ASCII));
    }
}
