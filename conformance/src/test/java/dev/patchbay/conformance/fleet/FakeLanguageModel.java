package dev.patchbay.conformance.fleet;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * A fake language model over HTTP. It requests one tool call, accepts any result, and records the
 * offered tools and the results.
 */
final class FakeLanguageModel implements AutoCloseable {
    private final HttpServer server;
    private final String tool;
    private final String input;
    private final Set<String> offeredTools = new ConcurrentSkipListSet<>();
    private final List<String> toolResults = new CopyOnWriteArrayList<>();

    /** A model that requests a call of this tool with this input. */
    FakeLanguageModel(String tool, String input) throws IOException {
        this.tool = tool;
        this.input = input;
        this.server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The names of the tools that were offered. */
    Set<String> offeredTools() {
        return offeredTools;
    }

    /** The results of the calls, as JSON. */
    List<String> toolResults() {
        return toolResults;
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (!exchange.getRequestURI().getPath().equals("/v1/messages") || body.length == 0) {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
            return;
        }
        JsonTree request = StrictJson.parse(body);
        request.member("tools").ifPresent(tools -> tools.asList().forEach(this::addOfferedTool));
        List<String> brought = toolResultsIn(request);
        toolResults.addAll(brought);
        boolean wanted = brought.isEmpty() && offeredTools.contains(tool);
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(streamedTurn(wanted).getBytes(StandardCharsets.UTF_8));
        }
    }

    private void addOfferedTool(JsonTree definition) {
        definition.member("name").ifPresent(name -> offeredTools.add(name.asText()));
    }

    private static List<String> toolResultsIn(JsonTree request) {
        return request.at("messages").asList().stream()
                .flatMap(
                        message ->
                                message.at("content") instanceof JsonTree.Arr packages
                                        ? packages.items().stream()
                                        : Stream.<JsonTree>empty())
                .filter(part -> part.at("type").asText().equals("tool_result"))
                .map(part -> part.at("content").write())
                .toList();
    }

    /** One turn of the model, as server-sent events. */
    private String streamedTurn(boolean wanted) {
        String block =
                wanted
                        ? "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":%s,\"input\":{}}"
                                .formatted(StrictJson.quote(tool))
                        : "{\"type\":\"text\",\"text\":\"\"}";
        String delta =
                wanted
                        ? "{\"type\":\"input_json_delta\",\"partial_json\":%s}"
                                .formatted(StrictJson.quote(input))
                        : "{\"type\":\"text_delta\",\"text\":\"done\"}";
        return event(
                        "message_start",
                        "\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\","
                                + "\"model\":\"fake\",\"content\":[],\"stop_reason\":null,"
                                + "\"stop_sequence\":null,"
                                + "\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}")
                + event("content_block_start", "\"index\":0,\"content_block\":" + block)
                + event("content_block_delta", "\"index\":0,\"delta\":" + delta)
                + event("content_block_stop", "\"index\":0")
                + event(
                        "message_delta",
                        "\"delta\":{\"stop_reason\":\"%s\",\"stop_sequence\":null}"
                                        .formatted(wanted ? "tool_use" : "end_turn")
                                + ",\"usage\":{\"output_tokens\":1}")
                + event("message_stop", "\"index\":0");
    }

    private static String event(String type, String members) {
        return "event: %s\ndata: {\"type\":\"%s\",%s}\n\n".formatted(type, type, members);
    }
}
