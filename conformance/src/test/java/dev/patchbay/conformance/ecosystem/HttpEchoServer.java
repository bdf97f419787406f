package dev.patchbay.conformance.ecosystem;

import dev.patchbay.testkit.RawHttpServer;
import dev.patchbay.testkit.RawHttpServer.Exchange;
import dev.patchbay.testkit.RawHttpServer.ReceivedRequest;
import dev.patchbay.testkit.RawHttpServer.RequestHandler;
import dev.patchbay.testkit.StrictJson;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A legacy server over Streamable HTTP with one tool, {@code echo}. Scripts can replace its
 * response to a method; {@code GET} and {@code DELETE} count as methods.
 */
final class HttpEchoServer implements AutoCloseable {
    private static final String SESSION_HEADER = "Mcp-Session-Id";

    static final String JSON_HEADER = "Content-Type: application/json";

    private static final String TOOLS =
            "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}";

    private static final String NO_SESSION =
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"No"
                    + " session\"}}";

    private final RawHttpServer server;
    private final Map<String, RequestHandler> scripts = new ConcurrentHashMap<>();
    private final AtomicInteger sessions = new AtomicInteger();
    private volatile RequestFilter requestFilter = _ -> true;

    /** Inspects a request first; returns whether to serve it. */
    interface RequestFilter {
        boolean allows(Exchange exchange) throws IOException;
    }

    HttpEchoServer() throws IOException {
        server = RawHttpServer.start(this::serve);
    }

    /** Lets a script answer a method. */
    HttpEchoServer on(String method, RequestHandler script) {
        scripts.put(method, script);
        return this;
    }

    /** Sets a filter for all requests. */
    HttpEchoServer requestFilter(RequestFilter watchful) {
        requestFilter = watchful;
        return this;
    }

    /** Restores the normal response to a method. */
    HttpEchoServer restore(String method) {
        scripts.remove(method);
        return this;
    }

    /** Lets a script answer every request. */
    HttpEchoServer onEveryRequest(RequestHandler script) {
        return on("*", script);
    }

    URI url() {
        return server.url("/mcp");
    }

    /** Its configuration entry, with further members. */
    String configEntry(String members) {
        return configEntry(url(), members);
    }

    /** The configuration entry for a URL. */
    static String configEntry(URI url, String members) {
        return "{\"url\": " + StrictJson.quote(url.toString()) + ", " + members + "}";
    }

    List<ReceivedRequest> received() {
        return server.receivedRequests();
    }

    /** How often a method was called. */
    int count(String method) {
        return (int) received().stream().filter(it -> methodOf(it).equals(method)).count();
    }

    /** The number of requests. */
    int requestCount() {
        return received().size();
    }

    private static String methodOf(ReceivedRequest request) {
        return request.method().equals("POST") ? request.rpcMethod() : request.method();
    }

    private void serve(Exchange exchange) throws Exception {
        if (!requestFilter.allows(exchange)) {
            return;
        }
        String name = methodOf(exchange.request());
        RequestHandler script = scripts.getOrDefault(name, scripts.get("*"));
        if (script != null) {
            script.handle(exchange);
        } else {
            serveNormally(exchange, name);
        }
    }

    private void serveNormally(Exchange exchange, String name) throws IOException {
        switch (name) {
            case "initialize" ->
                    exchange.respondWithResult(
                            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                                    + "\"serverInfo\":{\"name\":\"web\",\"version\":\"1\"}}",
                            SESSION_HEADER + ": s" + sessions.incrementAndGet());
            case "tools/list" -> exchange.respondWithResult(TOOLS);
            case "tools/call" -> exchange.respondWithResult(echo(exchange));
            case "server/discover" -> exchange.respond(400, NO_SESSION, JSON_HEADER);
            case "GET", "DELETE" -> exchange.respond(405, "");
            default -> {
                if (exchange.request().rpcId().isEmpty()) {
                    exchange.respond(202, "");
                } else {
                    exchange.respondWithResult("{}");
                }
            }
        }
    }

    /** The result of echo: its arguments as text. */
    static String echo(Exchange exchange) {
        String arguments = exchange.request().json().at("params", "arguments").toString();
        return "{\"content\":[{\"type\":\"text\",\"text\":" + StrictJson.quote(arguments) + "}]}";
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
