package dev.patchbay.conformance.ecosystem;

import dev.patchbay.testkit.RawHttpServer;
import dev.patchbay.testkit.RawHttpServer.Exchange;
import dev.patchbay.testkit.RawHttpServer.Received;
import dev.patchbay.testkit.RawHttpServer.Script;
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
 * An authorization server that lets everybody in, and a server of MCP that takes its tokens. A
 * refresh token is good once. Scripts take the place of its answers where a test wants a fault.
 */
final class AuthorizationServer implements AutoCloseable {
    private static final String WELL_KNOWN = "/.well-known/oauth-authorization-server";
    private static final String RESOURCE = "/.well-known/oauth-protected-resource/mcp";

    private final RawHttpServer server;
    private final WebServer guarded = new WebServer();
    private final Map<String, Script> scripts = new ConcurrentHashMap<>();
    private final Set<String> accessTokens = ConcurrentHashMap.newKeySet();
    private final Set<String> refreshTokens = ConcurrentHashMap.newKeySet();
    private final Set<String> everGiven = ConcurrentHashMap.newKeySet();
    private final AtomicInteger given = new AtomicInteger();

    AuthorizationServer() throws IOException {
        server = RawHttpServer.start(this::serve);
        guarded.guard(this::admit);
        guarded.on("GET", this::publish);
    }

    /** The server of MCP, which lets in who has a token from here. */
    WebServer guarded() {
        return guarded;
    }

    String issuer() {
        return server.url("").toString();
    }

    /** Has a script answer at a path from now on; the server's metadata included. */
    AuthorizationServer on(String path, Script script) {
        scripts.put(path, script);
        return this;
    }

    List<Received> received() {
        return server.received();
    }

    /** How often a path was asked for. */
    long count(String path) {
        return received().stream().filter(it -> path(it).equals(path)).count();
    }

    /** The form of the last request for a token. */
    Map<String, String> lastForm() {
        return pairs(
                received().stream()
                        .filter(it -> path(it).equals("/token"))
                        .reduce((_, next) -> next)
                        .orElseThrow()
                        .body());
    }

    /** No token that was given to show lets anybody in any more. */
    void expireAccess() {
        accessTokens.clear();
    }

    /** No token that was given to renew is good any more. */
    void expireRenewal() {
        refreshTokens.clear();
    }

    /** Every secret that was ever given away. */
    Set<String> everGiven() {
        return Set.copyOf(everGiven);
    }

    static String path(Received request) {
        return request.path().split("\\?", 2)[0];
    }

    static Map<String, String> pairs(String text) {
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

    /** What the guarded server asks before it serves; whether it is to go on. */
    private boolean admit(Exchange exchange) throws IOException {
        Received request = exchange.request();
        String shown = request.header("Authorization").orElse("");
        if (request.method().equals("GET") || accessTokens.contains(shown.replace("Bearer ", ""))) {
            return true;
        }
        exchange.answer(
                401,
                "",
                "WWW-Authenticate: Bearer resource_metadata=\"%s\", scope=\"read\""
                        .formatted(guarded.url().resolve(RESOURCE)));
        return false;
    }

    private void publish(Exchange exchange) throws Exception {
        String path = path(exchange.request());
        if (scripts.containsKey(path)) {
            scripts.get(path).serve(exchange);
        } else if (path.equals(RESOURCE)) {
            exchange.answer(200, resourceMetadata(guarded.url().toString()), WebServer.JSON);
        } else {
            exchange.answer(405, "");
        }
    }

    /** What a server publishes of itself if it calls itself so. */
    String resourceMetadata(String resource) {
        return "{\"resource\":%s,\"authorization_servers\":[%s]}"
                .formatted(StrictJson.quote(resource), StrictJson.quote(issuer()));
    }

    private void serve(Exchange exchange) throws Exception {
        String path = path(exchange.request());
        Script script = scripts.get(path);
        if (script != null) {
            script.serve(exchange);
            return;
        }
        switch (path) {
            case WELL_KNOWN -> exchange.answer(200, metadata(issuer()), WebServer.JSON);
            case "/register" ->
                    exchange.answer(201, "{\"client_id\":\"client-1\"}", WebServer.JSON);
            case "/authorize" -> authorize(exchange, "");
            case "/token" -> token(exchange);
            default -> exchange.answer(404, "");
        }
    }

    /** What an authorization server of that name publishes of itself. */
    String metadata(String issuer) {
        return """
        {"issuer":"%1$s","authorization_endpoint":"%2$s/authorize","token_endpoint":"%2$s/token",
        "registration_endpoint":"%2$s/register","code_challenge_methods_supported":["S256"],
        "token_endpoint_auth_methods_supported":["none","client_secret_basic"],
        "scopes_supported":["read","write","offline_access"]}\
        """
                .formatted(issuer, issuer());
    }

    /** Sends the browser back with a code, and with more. */
    static void authorize(Exchange exchange, String more) throws IOException {
        Map<String, String> query = pairs(exchange.request().path().split("\\?", 2)[1]);
        String back =
                "%s?code=code-1&state=%s%s"
                        .formatted(query.get("redirect_uri"), query.get("state"), more);
        exchange.answer(302, "", "Location: " + back);
    }

    private void token(Exchange exchange) throws IOException {
        Map<String, String> form = pairs(exchange.request().body());
        boolean renewal = "refresh_token".equals(form.get("grant_type"));
        if (renewal && !refreshTokens.remove(form.get("refresh_token"))) {
            exchange.answer(400, "{\"error\":\"invalid_grant\"}", WebServer.JSON);
            return;
        }
        int number = given.incrementAndGet();
        String access = "access-secret-" + number;
        String refresh = "refresh-secret-" + number;
        everGiven.addAll(List.of(access, refresh));
        accessTokens.add(access);
        refreshTokens.add(refresh);
        exchange.answer(
                200,
                "{\"access_token\":\"%s\",\"token_type\":\"Bearer\",\"refresh_token\":\"%s\","
                                .formatted(access, refresh)
                        + "\"expires_in\":3600}",
                WebServer.JSON);
    }

    @Override
    public void close() throws IOException {
        server.close();
        guarded.close();
    }
}
