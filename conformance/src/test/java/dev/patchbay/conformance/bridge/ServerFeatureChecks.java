package dev.patchbay.conformance.bridge;

import static dev.patchbay.conformance.bridge.EraMatrixCase.CHECK_MARK;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import java.util.List;
import java.util.Optional;

/** Checks of what servers offer: tools, prompts, resources and results. */
final class ServerFeatureChecks {
    /** A tool whose definition has every member; it returns the result it is given. */
    static final String RICH_TOOL =
            """
            {"name":"rich","title":"Rich","description":"Returns its argument",\
            "inputSchema":{"type":"object","properties":{"result":{}},"$comment":"kept"},\
            "outputSchema":{"type":"object"},\
            "annotations":{"title":"R","readOnlyHint":true,"openWorldHint":false},\
            "icons":[{"src":"https://example.com/i.png","mimeType":"image/png","sizes":["48x48"]}],\
            "_meta":{"ui":{"resourceUri":"ui://%s/view"},"example.com/kept":1.50}}\
            """;

    private static final String CONTENT =
            """
            "content":[{"type":"text","text":"t",\
            "annotations":{"audience":["user"],"priority":0.5}},\
            {"type":"image","data":"AAAA","mimeType":"image/png"},\
            {"type":"audio","data":"AAAA","mimeType":"audio/wav"},\
            {"type":"resource_link","uri":"test://elsewhere","name":"l","size":12},\
            {"type":"resource","resource":{"uri":"test://in","text":"x","_meta":{"k":1}}}],\
            "structuredContent":{"n":1.0,"big":9007199254740993,"list":[1]},\
            "_meta":{"example.com/trace":"t-1"},"example.com/more":true\
            """;

    private ServerFeatureChecks() {}

    static List<MatrixFeature> all() {
        return List.of(
                new MatrixFeature(
                        "tools: title, icons, annotations, schemas, `_meta`",
                        ServerFeatureChecks::toolDefinition),
                new MatrixFeature(
                        "calls: arguments byte for byte", ServerFeatureChecks::callArguments),
                new MatrixFeature(
                        "results: every kind of content, resource links, structured content,"
                                + " `_meta`",
                        ServerFeatureChecks::resultContent),
                new MatrixFeature(
                        "structured content that is not an object",
                        ServerFeatureChecks::nonObjectStructuredContent),
                new MatrixFeature("tool errors", ServerFeatureChecks::toolError),
                new MatrixFeature("JSON-RPC errors of a server", ServerFeatureChecks::rpcError),
                new MatrixFeature(
                        "`_meta` of a request, including trace context",
                        ServerFeatureChecks::requestMeta),
                new MatrixFeature("prompts", ServerFeatureChecks::prompts),
                new MatrixFeature("resources and templates", ServerFeatureChecks::resources),
                new MatrixFeature(
                        "a resource that does not exist", ServerFeatureChecks::missingResource),
                new MatrixFeature("MCP Apps: `ui://` resources", ServerFeatureChecks::mcpApps),
                new MatrixFeature("completion", ServerFeatureChecks::completion),
                new MatrixFeature("cache hints", ServerFeatureChecks::cacheHints));
    }

    private static String toolDefinition(EraMatrixCase cell) {
        JsonTree listed = findListed(cell, "tools", "name", cell.fullToolName("rich"));
        JsonTree reported = StrictJson.parse(RICH_TOOL.formatted(cell.server()));
        for (String member :
                List.of(
                        "title",
                        "description",
                        "inputSchema",
                        "outputSchema",
                        "annotations",
                        "icons",
                        "_meta")) {
            assertThat(listed.at(member)).as(member).isEqualTo(reported.at(member));
        }
        return CHECK_MARK;
    }

    static JsonTree findListed(EraMatrixCase cell, String kind, String key, String value) {
        String method = kind.equals("resourceTemplates") ? "resources/templates" : kind;
        return cell.client().request(method + "/list", "{}").at("result", kind).asList().stream()
                .filter(it -> it.at(key).asText().equals(value))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No " + value));
    }

    private static String callArguments(EraMatrixCase cell) {
        String arguments = "{\"a\":1.0,\"b\":9007199254740993,\"c\":\"é\",\"d\":[{}]}";
        assertThat(cell.client().callForText(cell.fullToolName("echo"), arguments))
                .isEqualTo(arguments);
        return CHECK_MARK;
    }

    private static String resultContent(EraMatrixCase cell) {
        JsonTree result = callThatReturns(cell, CONTENT);
        JsonTree.Obj reported = (JsonTree.Obj) StrictJson.parse("{" + CONTENT + "}");
        for (JsonTree.Member member : reported.members()) {
            if (!member.name().equals("_meta")) {
                assertThat(result.at(member.name())).isEqualTo(member.value());
            }
        }
        assertThat(result.at("_meta", "example.com/trace").asText()).isEqualTo("t-1");
        assertThat(result.has("resultType")).isEqualTo(cell.modernClient());
        return CHECK_MARK;
    }

    private static String nonObjectStructuredContent(EraMatrixCase cell) {
        JsonTree result = callThatReturns(cell, "\"content\":[],\"structuredContent\":[1,2]");
        if (cell.modernClient()) {
            assertThat(result.at("structuredContent").write()).isEqualTo("[1,2]");
            return CHECK_MARK;
        }
        assertThat(result.at("structuredContent").write()).isEqualTo("{\"result\":[1,2]}");
        return "✓ as `{\"result\": …}`";
    }

    private static JsonTree callThatReturns(EraMatrixCase cell, String members) {
        String type = cell.modernServer() ? "\"resultType\":\"complete\"," : "";
        return cell.client()
                .call(cell.fullToolName("rich"), "{\"result\":{" + type + members + "}}");
    }

    private static String toolError(EraMatrixCase cell) {
        JsonTree result = cell.client().call(cell.fullToolName("fail"), "{\"message\":\"why\"}");
        assertThat(result.at("isError")).isEqualTo(JsonTree.Literal.TRUE);
        assertThat(result.at("content", 1, "text").asText()).isEqualTo("why");
        assertThat(result.at("structuredContent", "done").write()).isEqualTo("0.50");
        return CHECK_MARK;
    }

    private static String rpcError(EraMatrixCase cell) {
        String arguments = "{\"code\":-32050,\"message\":\"no\",\"data\":{\"k\":1.0}}";
        String params = ClientMessages.callParams(cell.fullToolName("rpcError"), arguments);
        JsonTree error = cell.client().request("tools/call", params).at("error");
        assertThat(error.write())
                .isEqualTo("{\"code\":-32050,\"message\":\"no\",\"data\":{\"k\":1.0}}");
        return CHECK_MARK;
    }

    private static String requestMeta(EraMatrixCase cell) {
        String params =
                ("{\"name\":\"%s\",\"arguments\":{},"
                                + "\"_meta\":{\"traceparent\":\"00-1-2-01\",\"x/y\":2.0}}")
                        .formatted(cell.fullToolName("echo"));
        assertThat(cell.client().request("tools/call", params).has("result")).isTrue();
        JsonTree meta = cell.record().received("tools/call").getLast().at("params", "_meta");
        assertThat(meta.at("traceparent").asText()).isEqualTo("00-1-2-01");
        assertThat(meta.at("x/y").write()).isEqualTo("2.0");
        assertThat(meta.has(ClientMessages.VERSION_KEY)).isEqualTo(cell.modernServer());
        return CHECK_MARK;
    }

    private static String prompts(EraMatrixCase cell) {
        findListed(cell, "prompts", "name", cell.fullToolName("greet"));
        String params =
                "{\"name\":\"%s\",\"arguments\":{\"topic\":\"tea\"}}"
                        .formatted(cell.fullToolName("greet"));
        JsonTree result = cell.client().request("prompts/get", params).at("result");
        assertThat(result.at("messages", 0, "content", "text").asText())
                .isEqualTo("greet {\"topic\":\"tea\"}");
        return CHECK_MARK;
    }

    private static String resources(EraMatrixCase cell) {
        findListed(cell, "resources", "uri", cell.resourceUri("one"));
        findListed(cell, "resourceTemplates", "uriTemplate", cell.resourceUri("{x}"));
        JsonTree read = cell.client().request("resources/read", uri(cell.resourceUri("one")));
        assertThat(read.at("result", "contents", 0, "uri").asText())
                .isEqualTo(cell.resourceUri("one"));
        return CHECK_MARK;
    }

    private static String missingResource(EraMatrixCase cell) {
        JsonTree answer = cell.client().request("resources/read", uri(cell.resourceUri("none")));
        long code = answer.at("error", "code").asLong();
        boolean old = !cell.modernClient() && !cell.modernServer();
        assertThat(code).isEqualTo(old ? -32002 : -32602);
        return old ? "✓ −32002" : "✓ −32602";
    }

    private static String mcpApps(EraMatrixCase cell) {
        String view = "ui://" + cell.server() + "/view";
        findListed(cell, "resources", "uri", view);
        JsonTree read = cell.client().request("resources/read", uri(view));
        assertThat(read.at("result", "contents", 0, "text").asText())
                .isEqualTo("content of " + view);
        return CHECK_MARK;
    }

    private static String completion(EraMatrixCase cell) {
        String params =
                ("{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"%s\"},"
                                + "\"argument\":{\"name\":\"topic\",\"value\":\"t\"}}")
                        .formatted(cell.fullToolName("greet"));
        JsonTree result = cell.client().request("completion/complete", params).at("result");
        assertThat(result.at("completion", "values").write()).isEqualTo("[\"one\",\"two\"]");
        return CHECK_MARK;
    }

    private static String cacheHints(EraMatrixCase cell) {
        JsonTree read =
                cell.client().request("resources/read", uri(cell.resourceUri("one"))).at("result");
        if (!cell.modernClient()) {
            assertThat(read.has("ttlMs") || read.has("cacheScope")).isFalse();
            return "– not in this era";
        }
        Optional<JsonTree> ttl = read.findAt("ttlMs");
        assertThat(ttl).isPresent();
        assertThat(ttl.get().asLong()).isEqualTo(cell.modernServer() ? 5000 : 0);
        return cell.modernServer() ? CHECK_MARK : "0, private: the server sends none";
    }

    private static String uri(String uri) {
        return EraClient.uriParams(uri);
    }
}
