package dev.patchbay.conformance.ecosystem;

import dev.patchbay.testkit.RawHttpServer;
import dev.patchbay.testkit.RawHttpServer.Exchange;
import dev.patchbay.testkit.RawHttpServer.Received;
import dev.patchbay.testkit.RawHttpServer.Script;
import dev.patchbay.testkit.StrictJson;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A legacy server over Streamable HTTP with one tool, {@code echo}. It behaves, except where a
 * script takes the place of its answer to a method; {@code GET} and {@code DELETE} are methods too.
 */
final class WebServer implements AutoCloseable {
    private static final String SESSION = "Mcp-Session-Id";

    static final String JSON = "Content-Type: application/json";

    private static final String TOOLS =
            "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}";

    private static final String NO_SESSION =
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"No"
                    + " session\"}}";

    private final RawHttpServer server;
    private final Map<String, Script> scripts = new ConcurrentHashMap<>();
    private final AtomicInteger sessions = new AtomicInteger();
    private volatile Guard guard = _ -> true;

    /** Looks at what comes before it is served; whether it is to be served still. */
    interface Guard {
        boolean admits(Exchange exchange) throws IOException;
    }

    WebServer() throws IOException {
        server = RawHttpServer.start(this::serve);
    }

    /** Has a script answer a method from now on. */
    WebServer on(String method, Script script) {
        scripts.put(method, script);
        return this;
    }

    /** Has somebody look first at whatever is asked. */
    WebServer guard(Guard watchful) {
        guard = watchful;
        return this;
    }

    /** Has the server behave again at a method. */
    WebServer heal(String method) {
        scripts.remove(method);
        return this;
    }

    /** Has a script answer whatever is asked. */
    WebServer onAll(Script script) {
        return on("*", script);
    }

    URI url() {
        return server.url("/mcp");
    }

    /** Its entry in a configuration, with these members more. */
    String config(String members) {
        return config(url(), members);
    }

    /** The entry of whatever is at a URL. */
    static String config(URI url, String members) {
        return "{\"url\": " + StrictJson.quote(url.toString()) + ", " + members + "}";
    }

    List<Received> received() {
        return server.received();
    }

    /** How often a method was asked. */
    int count(String method) {
        return (int) received().stream().filter(it -> name(it).equals(method)).count();
    }

    /** How many requests came. */
    int hits() {
        return received().size();
    }

    private static String name(Received request) {
        return request.method().equals("POST") ? request.rpcMethod() : request.method();
    }

    private void serve(Exchange exchange) throws Exception {
        if (!guard.admits(exchange)) {
            return;
        }
        String name = name(exchange.request());
        Script script = scripts.getOrDefault(name, scripts.get("*"));
        if (script != null) {
            script.serve(exchange);
        } else {
            behave(exchange, name);
        }
    }

    private void behave(Exchange exchange, String name) throws IOException {
        switch (name) {
            case "initialize" ->
                    exchange.result(
                            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                                    + "\"serverInfo\":{\"name\":\"web\",\"version\":\"1\"}}",
                            SESSION + ": s" + sessions.incrementAndGet());
            case "tools/list" -> exchange.result(TOOLS);
            case "tools/call" -> exchange.result(echo(exchange));
            case "server/discover" -> exchange.answer(400, NO_SESSION, JSON);
            case "GET", "DELETE" -> exchange.answer(405, "");
            default -> {
                if (exchange.request().rpcId().isEmpty()) {
                    exchange.answer(202, "");
                } else {
                    exchange.result("{}");
                }
            }
        }
    }

    /** The result of a call of echo: its arguments as text. */
    static String echo(Exchange exchange) {
        String arguments = exchange.request().json().at("params", "arguments").toString();
        return "{\"content\":[{\"type\":\"text\",\"text\":" + StrictJson.quote(arguments) + "}]}";
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
