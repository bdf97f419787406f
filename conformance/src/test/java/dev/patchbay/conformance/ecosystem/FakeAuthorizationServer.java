package dev.patchbay.conformance.ecosystem;

import dev.patchbay.testkit.RawHttpServer;
import dev.patchbay.testkit.RawHttpServer.Exchange;
import dev.patchbay.testkit.RawHttpServer.ReceivedRequest;
import dev.patchbay.testkit.RawHttpServer.RequestHandler;
import dev.patchbay.testkit.StrictJson;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An authorization server that accepts everyone, and an MCP server that accepts its tokens. A
 * refresh token works once. Tests replace responses with scripts.
 */
final class FakeAuthorizationServer implements AutoCloseable {
    private static final String SERVER_METADATA_PATH = "/.well-known/oauth-authorization-server";
    private static final String RESOURCE_METADATA_PATH =
            "/.well-known/oauth-protected-resource/mcp";

    private final RawHttpServer server;
    private final HttpEchoServer mcpServer = new HttpEchoServer();
    private final Map<String, RequestHandler> scripts = new ConcurrentHashMap<>();
    private final Set<String> accessTokens = ConcurrentHashMap.newKeySet();
    private final Set<String> refreshTokens = ConcurrentHashMap.newKeySet();
    private final Set<String> issuedSecrets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger issuedCount = new AtomicInteger();

    FakeAuthorizationServer() throws IOException {
        server = RawHttpServer.start(this::serve);
        mcpServer.requestFilter(this::isAuthorized);
        mcpServer.on("GET", this::serveResourceMetadata);
    }

    /** The MCP server that accepts the tokens of this authorization server. */
    HttpEchoServer mcpServer() {
        return mcpServer;
    }

    String issuer() {
        return server.url("").toString();
    }

    /** Lets a script answer requests to a path. */
    FakeAuthorizationServer on(String path, RequestHandler script) {
        scripts.put(path, script);
        return this;
    }

    List<ReceivedRequest> received() {
        return server.receivedRequests();
    }

    /** How often a path was requested. */
    long count(String path) {
        return received().stream().filter(it -> path(it).equals(path)).count();
    }

    /** The form of the last request for a token. */
    Map<String, String> lastTokenForm() {
        return parseForm(
                received().stream()
                        .filter(it -> path(it).equals("/token"))
                        .reduce((_, next) -> next)
                        .orElseThrow()
                        .body());
    }

    /** The tokens that were revoked, in order. */
    List<String> revoked() {
        return received().stream()
                .filter(it -> path(it).equals("/revoke"))
                .map(it -> parseForm(it.body()).get("token"))
                .toList();
    }

    /** Invalidates all access tokens. */
    void expireAccessTokens() {
        accessTokens.clear();
    }

    /** Invalidates all refresh tokens. */
    void expireRefreshTokens() {
        refreshTokens.clear();
    }

    /** Every secret that was ever issued. */
    Set<String> issuedSecrets() {
        return Set.copyOf(issuedSecrets);
    }

    static String path(ReceivedRequest request) {
        return request.path().split("\\?", 2)[0];
    }

    static Map<String, String> parseForm(String text) {
        var pairs = new HashMap<String, String>();
        for (String pair : text.split("&", -1)) {
            String[] sides = pair.split("=", 2);
            if (sides.length == 2) {
                pairs.put(
                        URLDecoder.decode(sides[0], StandardCharsets.UTF_8),
                        URLDecoder.decode(sides[1], StandardCharsets.UTF_8));
            }
        }
        return pairs;
    }

    /**
     * Checks the token of a request to the MCP server; answers 401 and returns false without one.
     */
    private boolean isAuthorized(Exchange exchange) throws IOException {
        ReceivedRequest request = exchange.request();
        String shown = request.header("Authorization").orElse("");
        if (request.method().equals("GET") || accessTokens.contains(shown.replace("Bearer ", ""))) {
            return true;
        }
        exchange.respond(
                401,
                "",
                "WWW-Authenticate: Bearer resource_metadata=\"%s\", scope=\"read\""
                        .formatted(mcpServer.url().resolve(RESOURCE_METADATA_PATH)));
        return false;
    }

    private void serveResourceMetadata(Exchange exchange) throws Exception {
        String path = path(exchange.request());
        if (scripts.containsKey(path)) {
            scripts.get(path).handle(exchange);
        } else if (path.equals(RESOURCE_METADATA_PATH)) {
            exchange.respond(
                    200, resourceMetadata(mcpServer.url().toString()), HttpEchoServer.JSON_HEADER);
        } else {
            exchange.respond(405, "");
        }
    }

    /** The protected resource metadata with this resource identifier. */
    String resourceMetadata(String resource) {
        return "{\"resource\":%s,\"authorization_servers\":[%s]}"
                .formatted(StrictJson.quote(resource), StrictJson.quote(issuer()));
    }

    private void serve(Exchange exchange) throws Exception {
        String path = path(exchange.request());
        RequestHandler script = scripts.get(path);
        if (script != null) {
            script.handle(exchange);
            return;
        }
        switch (path) {
            case SERVER_METADATA_PATH ->
                    exchange.respond(200, serverMetadata(issuer()), HttpEchoServer.JSON_HEADER);
            case "/register" ->
                    exchange.respond(
                            201, "{\"client_id\":\"client-1\"}", HttpEchoServer.JSON_HEADER);
            case "/authorize" -> authorize(exchange, "");
            case "/token" -> issueToken(exchange);
            case "/revoke" -> exchange.respond(200, "");
            default -> exchange.respond(404, "");
        }
    }

    /** The authorization server metadata with this issuer. */
    String serverMetadata(String issuer) {
        return """
        {"issuer":"%1$s","authorization_endpoint":"%2$s/authorize","token_endpoint":"%2$s/token",
        "registration_endpoint":"%2$s/register","revocation_endpoint":"%2$s/revoke",
        "code_challenge_methods_supported":["S256"],
        "token_endpoint_auth_methods_supported":["none","client_secret_basic"],
        "scopes_supported":["read","write","offline_access"]}\
        """
                .formatted(issuer, issuer());
    }

    /** Redirects the browser with a code and further parameters. */
    static void authorize(Exchange exchange, String more) throws IOException {
        Map<String, String> query = parseForm(exchange.request().path().split("\\?", 2)[1]);
        String back =
                "%s?code=code-1&state=%s%s"
                        .formatted(query.get("redirect_uri"), query.get("state"), more);
        exchange.respond(302, "", "Location: " + back);
    }

    private void issueToken(Exchange exchange) throws IOException {
        Map<String, String> form = parseForm(exchange.request().body());
        boolean renewal = "refresh_token".equals(form.get("grant_type"));
        if (renewal && !refreshTokens.remove(form.get("refresh_token"))) {
            exchange.respond(400, "{\"error\":\"invalid_grant\"}", HttpEchoServer.JSON_HEADER);
            return;
        }
        int number = issuedCount.incrementAndGet();
        String access = "access-secret-" + number;
        String refresh = "refresh-secret-" + number;
        issuedSecrets.addAll(List.of(access, refresh));
        accessTokens.add(access);
        refreshTokens.add(refresh);
        exchange.respond(
                200,
                "{\"access_token\":\"%s\",\"token_type\":\"Bearer\",\"refresh_token\":\"%s\","
                                .formatted(access, refresh)
                        + "\"expires_in\":3600}",
                HttpEchoServer.JSON_HEADER);
    }

    @Override
    public void close() throws IOException {
        server.close();
        mcpServer.close();
    }
}
