package dev.patchbay.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.front.Front;
import dev.patchbay.jsonrpc.Handler;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.Method;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawHttp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A server on a port of its own, and the requests that raw clients send to it. */
final class Bench implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    final BenchService service = new BenchService();
    final HttpServer server;

    private Bench(HttpSettings settings, Map<String, WebPart> parts) throws IOException {
        server = HttpServer.start(settings, new BenchDoors(service), parts);
    }

    static Bench start() throws IOException {
        return start(Access.OPEN, HttpLimits.DEFAULTS);
    }

    static Bench start(Access access, HttpLimits limits) throws IOException {
        return start(access, limits, Map.of());
    }

    static Bench start(Access access, HttpLimits limits, Map<String, WebPart> parts)
            throws IOException {
        var listen = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new Bench(
                new HttpSettings(listen, access, Set.of("gateway.test"), Set.of(), limits), parts);
    }

    RawHttp connect() throws IOException {
        return connect(PATIENCE);
    }

    RawHttp connect(Duration patience) throws IOException {
        return RawHttp.connect(server.address(), patience);
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
        return RawHttp.post("/mcp", headers(more), body);
    }

    RawHttp.Reply ask(byte[] request) throws IOException {
        try (RawHttp client = connect()) {
            return client.send(request).reply();
        }
    }

    RawHttp.Reply ask(String body, String... more) throws IOException {
        return ask(post(body, more));
    }

    /** The head of a request without a body. */
    String bare(String method, String... more) {
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
                Messages.request(rawId, method, Messages.modernParams(params)),
                lines.toArray(String[]::new));
    }

    /** A modern call of a tool. */
    byte[] modernCall(String rawId, String tool, String arguments, String... more) {
        var lines = new ArrayList<>(List.of("Mcp-Name: " + tool));
        lines.addAll(List.of(more));
        return modern(
                rawId,
                "tools/call",
                Messages.callParams(tool, arguments),
                lines.toArray(String[]::new));
    }

    static String initialize(String version) {
        return Messages.request("0", "initialize", Messages.initializeParams(version));
    }

    /** Opens a session and returns the line that names it. */
    String session(String version, String... more) throws IOException {
        RawHttp.Reply reply = ask(initialize(version), more);
        assertThat(reply.status()).isEqualTo(200);
        String line = "Mcp-Session-Id: " + reply.header("Mcp-Session-Id").orElseThrow();
        var lines = new ArrayList<>(List.of(more));
        lines.add(line);
        String ready = Messages.notification("notifications/initialized", "");
        assertThat(ask(ready, lines.toArray(String[]::new)).status()).isEqualTo(202);
        return line;
    }

    static String call(String rawId, String tool, String arguments) {
        return Messages.request(rawId, "tools/call", Messages.callParams(tool, arguments));
    }

    /** Waits for something to become true. */
    static void await(String what, BooleanSupplier condition) throws InterruptedException {
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
    private record BenchDoors(BenchService service) implements Doors {
        @Override
        public Handler modern(String principal) {
            return new Front(principal, service, _ -> {});
        }

        @Override
        public Session legacy(String principal, Consumer<Notification> unsolicited) {
            var front = new Front(principal, service, unsolicited);
            return new Session(front, front::close);
        }

        @Override
        public boolean serves(String method) {
            return service.serves(Method.of(method), ProtocolVersion.NEWEST_MODERN);
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
