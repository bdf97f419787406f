package dev.patchbay.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.RawHttpConnection;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a client learns about access tokens. */
class ProtectedResourceTest {
    private static final ProtectedResource RESOURCE =
            new ProtectedResource(
                    "https://gateway.test",
                    List.of("https://idp.test"),
                    Map.of(AccessScope.MCP, "tools.use"));

    private static HttpServerFixture fixture;

    /** Knows some tokens only after verification. */
    private static final class VerifyingAuthenticator implements TokenAuthenticator {
        @Override
        public @Nullable Principal authenticate(@Nullable String token) {
            return null;
        }

        @Override
        public boolean canVerify(String token) {
            return true;
        }

        @Override
        public TokenVerdict verify(String token) {
            return switch (token) {
                case "good" ->
                        new TokenVerdict.Accepted(new Principal("kim", Set.of(AccessScope.MCP)));
                case "weak" -> new TokenVerdict.Accepted(new Principal("kim", Set.of()));
                case "guest" -> new TokenVerdict.Forbidden("no view");
                case "new" -> new TokenVerdict.Unavailable("no keys");
                default -> new TokenVerdict.Invalid("The token has expired");
            };
        }

        @Override
        public ProtectedResource protectedResource() {
            return RESOURCE;
        }
    }

    @BeforeAll
    static void start() throws IOException {
        fixture =
                HttpServerFixture.start(
                        new VerifyingAuthenticator(),
                        HttpLimits.DEFAULTS,
                        Map.of(ProtectedResource.METADATA_PATH, RESOURCE));
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    private static RawHttpConnection.Response get(String path, String... headers)
            throws IOException {
        String lines = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        String head = "GET %s HTTP/1.1\r\n%s\r\n%s\r\n".formatted(path, fixture.host(), lines);
        return fixture.exchange(head.getBytes(StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @CsvSource({
        "'', /mcp",
        "/mcp, /mcp",
        "/mcp/views/work, /mcp/views/work",
    })
    void metadataNamesIssuerAndScope(String suffix, String resource) throws IOException {
        RawHttpConnection.Response response = get(ProtectedResource.METADATA_PATH + suffix);
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.body())
                .isEqualTo(
                        ("{\"resource\":\"https://gateway.test%s\",\"authorization_servers\":"
                                        + "[\"https://idp.test\"],\"scopes_supported\":"
                                        + "[\"tools.use\"],\"bearer_methods_supported\":"
                                        + "[\"header\"],\"resource_name\":\"Patchbay\"}")
                                .formatted(resource));
    }

    @Test
    void metadataExistsForEndpointOnly() throws IOException {
        assertThat(get(ProtectedResource.METADATA_PATH + "/api").status()).isEqualTo(404);
        assertThat(get(ProtectedResource.METADATA_PATH + "/mcp/views/a%22b").status())
                .isEqualTo(404);
    }

    @Test
    void requestWithoutTokenIsToldWhereToGetOne() throws IOException {
        RawHttpConnection.Response response = get("/mcp/views/work");
        assertThat(response.status()).isEqualTo(401);
        assertThat(response.header("WWW-Authenticate"))
                .contains(
                        "Bearer realm=\"patchbay\", scope=\"tools.use\","
                                + " resource_metadata=\"https://gateway.test/.well-known/"
                                + "oauth-protected-resource/mcp/views/work\"");
    }

    @Test
    void invalidTokenIsRefusedWithReason() throws IOException {
        RawHttpConnection.Response response = get("/mcp", "Authorization: Bearer old");
        assertThat(response.status()).isEqualTo(401);
        assertThat(response.header("WWW-Authenticate").orElseThrow())
                .contains(
                        "error=\"invalid_token\", error_description=\"The token has expired\"",
                        "resource_metadata=\"https://gateway.test/.well-known/"
                                + "oauth-protected-resource/mcp\"");
    }

    @Test
    void missingScopeIsAskedFor() throws IOException {
        RawHttpConnection.Response response =
                fixture.exchange(
                        fixture.modernCall("1", "echo", "{}", "Authorization: Bearer weak"));
        assertThat(response.status()).isEqualTo(403);
        assertThat(response.header("WWW-Authenticate").orElseThrow())
                .contains(
                        "error=\"insufficient_scope\", scope=\"tools.use\"", "resource_metadata=");
    }

    @Test
    void forbiddenPersonIsNotAskedToSignInAgain() throws IOException {
        RawHttpConnection.Response response = get("/mcp", "Authorization: Bearer guest");
        assertThat(response.status()).isEqualTo(403);
        assertThat(response.header("WWW-Authenticate")).isEmpty();
    }

    @Test
    void outageIsNotTheClientsFault() throws IOException {
        RawHttpConnection.Response response = get("/mcp", "Authorization: Bearer new");
        assertThat(response.status()).isEqualTo(503);
        assertThat(response.header("Retry-After")).contains("5");
    }

    @Test
    void verifiedTokenIsServed() throws IOException {
        assertThat(
                        fixture.exchange(
                                        fixture.modernCall(
                                                "1", "echo", "{}", "Authorization: Bearer good"))
                                .status())
                .isEqualTo(200);
    }
}
