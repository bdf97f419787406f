package dev.patchbay.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.clients.ClientHandler;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RpcHandler;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.RawHttpConnection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A server on a port of its own, and the requests that raw clients send to it. */
public final class HttpServerFixture implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    final TransportTestService service = new TransportTestService();
    final HttpServer server;

    private HttpServerFixture(
            HttpSettings settings, Map<String, HttpRoute> parts, Path sessionFolder)
            throws IOException {
        server =
                HttpServer.start(
                        settings, new FixtureHandlerFactory(service), parts, sessionFolder);
    }

    static HttpServerFixture start() throws IOException {
        return start(TokenAuthenticator.ALLOW_ALL, HttpLimits.DEFAULTS);
    }

    static HttpServerFixture start(TokenAuthenticator access, HttpLimits limits)
            throws IOException {
        return start(access, limits, Map.of());
    }

    static HttpServerFixture start(
            TokenAuthenticator access, HttpLimits limits, Map<String, HttpRoute> parts)
            throws IOException {
        return start(access, limits, parts, null);
    }

    /** A server that keeps its sessions in a folder. */
    static HttpServerFixture start(TokenAuthenticator access, Path sessionFolder)
            throws IOException {
        return start(access, HttpLimits.DEFAULTS, Map.of(), sessionFolder);
    }

    private static HttpServerFixture start(
            TokenAuthenticator access,
            HttpLimits limits,
            Map<String, HttpRoute> parts,
            Path sessionFolder)
            throws IOException {
        var listen = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var hosts = Set.of("gateway.test");
        return new HttpServerFixture(
                new HttpSettings(listen, access, hosts, Set.of(), limits), parts, sessionFolder);
    }

    RawHttpConnection connect() throws IOException {
        return connect(PATIENCE);
    }

    RawHttpConnection connect(Duration patience) throws IOException {
        return RawHttpConnection.connect(server.address(), patience);
    }

    String host() {
        return "Host: localhost:" + server.address().getPort();
    }

    /** The headers that every good request has. */
    List<String> headers(String... more) {
        var lines =
                new ArrayList<>(
                        List.of(
                                host(),
                                "Content-Type: application/json",
                                "Accept: application/json, text/event-stream"));
        lines.addAll(List.of(more));
        return lines;
    }

    byte[] post(String body, String... more) {
        return RawHttpConnection.postRequest("/mcp", headers(more), body);
    }

    RawHttpConnection.Response exchange(byte[] request) throws IOException {
        try (RawHttpConnection client = connect()) {
            return client.send(request).readResponse();
        }
    }

    RawHttpConnection.Response exchange(String body, String... more) throws IOException {
        return exchange(post(body, more));
    }

    /** The head of a request without a body. */
    String requestHead(String method, String... more) {
        var text = new StringBuilder(method).append(" /mcp HTTP/1.1\r\n").append(host());
        for (String line : more) {
            text.append("\r\n").append(line);
        }
        return text.append("\r\n\r\n").toString();
    }

    /** A modern request with the headers it needs. */
    byte[] modern(String rawId, String method, String params, String... more) {
        var lines = new ArrayList<>(List.of("MCP-Protocol-Version: 2026-07-28"));
        lines.add("Mcp-Method: " + method);
        lines.addAll(List.of(more));
        return post(
                ClientMessages.request(rawId, method, ClientMessages.modernParams(params)),
                lines.toArray(String[]::new));
    }

    /** A modern call of a tool. */
    byte[] modernCall(String rawId, String tool, String arguments, String... more) {
        var lines = new ArrayList<>(List.of("Mcp-Name: " + tool));
        lines.addAll(List.of(more));
        return modern(
                rawId,
                "tools/call",
                ClientMessages.callParams(tool, arguments),
                lines.toArray(String[]::new));
    }

    static String initialize(String version) {
        return ClientMessages.request("0", "initialize", ClientMessages.initializeParams(version));
    }

    /** Opens a session and returns the line that names it. */
    String openSession(String version, String... more) throws IOException {
        RawHttpConnection.Response reply = exchange(initialize(version), more);
        assertThat(reply.status()).isEqualTo(200);
        String line = "Mcp-Session-Id: " + reply.header("Mcp-Session-Id").orElseThrow();
        var lines = new ArrayList<>(List.of(more));
        lines.add(line);
        String ready = ClientMessages.notification("notifications/initialized", "");
        assertThat(exchange(ready, lines.toArray(String[]::new)).status()).isEqualTo(202);
        return line;
    }

    static String call(String rawId, String tool, String arguments) {
        return ClientMessages.request(
                rawId, "tools/call", ClientMessages.callParams(tool, arguments));
    }

    /** Waits for something to become true. */
    public static void awaitTrue(String what, BooleanSupplier condition)
            throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        var pause = new Object();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
            synchronized (pause) {
                pause.wait(5);
            }
        }
    }

    @Override
    public void close() {
        service.released.countDown();
        server.close(Duration.ofSeconds(2));
    }

    /** Fronts of the real kind over the service. */
    private record FixtureHandlerFactory(TransportTestService service) implements HandlerFactory {
        @Override
        public RpcHandler modernHandler(String principal) {
            return new ClientHandler(principal, service, _ -> {});
        }

        @Override
        public SessionHandler newLegacyHandler(
                String principal, Consumer<Notification> unsolicited) {
            var front = new ClientHandler(principal, service, unsolicited);
            return new SessionHandler(front, front::close);
        }

        @Override
        public boolean servesMethod(String method) {
            return service.supports(McpMethod.of(method), ProtocolVersion.NEWEST_MODERN);
        }

        @Override
        public List<HeaderParam> headerParams(String tool) {
            return tool.equals("query")
                    ? List.of(
                            new HeaderParam("Region", List.of("region")),
                            new HeaderParam("Limit", List.of("page", "limit")))
                    : List.of();
        }
    }
}
