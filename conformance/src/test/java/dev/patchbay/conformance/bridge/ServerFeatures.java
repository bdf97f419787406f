package dev.patchbay.conformance.bridge;

import static dev.patchbay.conformance.bridge.Cell.YES;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.StrictJson;

import java.util.List;
import java.util.Optional;

/** What servers offer: tools, prompts, resources, and what they say in their results. */
final class ServerFeatures {
    /** A tool with all that a definition may have; it answers with the result it is given. */
    static final String RICH =
            """
            {"name":"rich","title":"Rich","description":"Answers as told",\
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

    private ServerFeatures() {}

    static List<Feature> all() {
        return List.of(
                new Feature(
                        "tools: title, icons, annotations, schemas, `_meta`",
                        ServerFeatures::definition),
                new Feature("calls: arguments as spelled", ServerFeatures::call),
                new Feature(
                        "results: every kind of content, resource links, structured content,"
                                + " `_meta`",
                        ServerFeatures::result),
                new Feature("structured content that is no object", ServerFeatures::loose),
                new Feature("a tool's own error", ServerFeatures::toolError),
                new Feature("a server's JSON-RPC error", ServerFeatures::rpcError),
                new Feature("`_meta` of a request, trace context too", ServerFeatures::requestMeta),
                new Feature("prompts", ServerFeatures::prompts),
                new Feature("resources and templates", ServerFeatures::resources),
                new Feature("a resource that is not there", ServerFeatures::missing),
                new Feature("MCP Apps: `ui://` resources", ServerFeatures::apps),
                new Feature("completion", ServerFeatures::completion),
                new Feature("cache hints", ServerFeatures::hints));
    }

    private static String definition(Cell cell) {
        JsonTree listed = listed(cell, "tools", "name", cell.tool("rich"));
        JsonTree told = StrictJson.parse(RICH.formatted(cell.server()));
        for (String member :
                List.of(
                        "title",
                        "description",
                        "inputSchema",
                        "outputSchema",
                        "annotations",
                        "icons",
                        "_meta")) {
            assertThat(listed.at(member)).as(member).isEqualTo(told.at(member));
        }
        return YES;
    }

    static JsonTree listed(Cell cell, String kind, String key, String value) {
        String method = kind.equals("resourceTemplates") ? "resources/templates" : kind;
        return cell.client().request(method + "/list", "{}").at("result", kind).list().stream()
                .filter(it -> it.at(key).text().equals(value))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No " + value));
    }

    private static String call(Cell cell) {
        String arguments = "{\"a\":1.0,\"b\":9007199254740993,\"c\":\"é\",\"d\":[{}]}";
        assertThat(cell.client().text(cell.tool("echo"), arguments)).isEqualTo(arguments);
        return YES;
    }

    private static String result(Cell cell) {
        JsonTree result = replied(cell, CONTENT);
        JsonTree.Obj told = (JsonTree.Obj) StrictJson.parse("{" + CONTENT + "}");
        for (JsonTree.Member member : told.members()) {
            if (!member.name().equals("_meta")) {
                assertThat(result.at(member.name())).isEqualTo(member.value());
            }
        }
        assertThat(result.at("_meta", "example.com/trace").text()).isEqualTo("t-1");
        assertThat(result.has("resultType")).isEqualTo(cell.modernClient());
        return YES;
    }

    private static String loose(Cell cell) {
        JsonTree result = replied(cell, "\"content\":[],\"structuredContent\":[1,2]");
        if (cell.modernClient()) {
            assertThat(result.at("structuredContent").write()).isEqualTo("[1,2]");
            return YES;
        }
        assertThat(result.at("structuredContent").write()).isEqualTo("{\"result\":[1,2]}");
        return "✓ as `{\"result\": …}`";
    }

    private static JsonTree replied(Cell cell, String members) {
        String type = cell.modernServer() ? "\"resultType\":\"complete\"," : "";
        return cell.client().call(cell.tool("rich"), "{\"result\":{" + type + members + "}}");
    }

    private static String toolError(Cell cell) {
        JsonTree result = cell.client().call(cell.tool("fail"), "{\"message\":\"why\"}");
        assertThat(result.at("isError")).isEqualTo(JsonTree.Literal.TRUE);
        assertThat(result.at("content", 1, "text").text()).isEqualTo("why");
        assertThat(result.at("structuredContent", "done").write()).isEqualTo("0.50");
        return YES;
    }

    private static String rpcError(Cell cell) {
        String arguments = "{\"code\":-32050,\"message\":\"no\",\"data\":{\"k\":1.0}}";
        String params = Messages.callParams(cell.tool("rpcError"), arguments);
        JsonTree error = cell.client().request("tools/call", params).at("error");
        assertThat(error.write())
                .isEqualTo("{\"code\":-32050,\"message\":\"no\",\"data\":{\"k\":1.0}}");
        return YES;
    }

    private static String requestMeta(Cell cell) {
        String params =
                ("{\"name\":\"%s\",\"arguments\":{},"
                                + "\"_meta\":{\"traceparent\":\"00-1-2-01\",\"x/y\":2.0}}")
                        .formatted(cell.tool("echo"));
        assertThat(cell.client().request("tools/call", params).has("result")).isTrue();
        JsonTree meta = cell.record().received("tools/call").getLast().at("params", "_meta");
        assertThat(meta.at("traceparent").text()).isEqualTo("00-1-2-01");
        assertThat(meta.at("x/y").write()).isEqualTo("2.0");
        assertThat(meta.has(Messages.VERSION_KEY)).isEqualTo(cell.modernServer());
        return YES;
    }

    private static String prompts(Cell cell) {
        listed(cell, "prompts", "name", cell.tool("greet"));
        String params =
                "{\"name\":\"%s\",\"arguments\":{\"topic\":\"tea\"}}".formatted(cell.tool("greet"));
        JsonTree result = cell.client().request("prompts/get", params).at("result");
        assertThat(result.at("messages", 0, "content", "text").text())
                .isEqualTo("greet {\"topic\":\"tea\"}");
        return YES;
    }

    private static String resources(Cell cell) {
        listed(cell, "resources", "uri", cell.uri("one"));
        listed(cell, "resourceTemplates", "uriTemplate", cell.uri("{x}"));
        JsonTree read = cell.client().request("resources/read", uri(cell.uri("one")));
        assertThat(read.at("result", "contents", 0, "uri").text()).isEqualTo(cell.uri("one"));
        return YES;
    }

    private static String missing(Cell cell) {
        JsonTree answer = cell.client().request("resources/read", uri(cell.uri("none")));
        long code = answer.at("error", "code").integer();
        boolean old = !cell.modernClient() && !cell.modernServer();
        assertThat(code).isEqualTo(old ? -32002 : -32602);
        return old ? "✓ −32002" : "✓ −32602";
    }

    private static String apps(Cell cell) {
        String view = "ui://" + cell.server() + "/view";
        listed(cell, "resources", "uri", view);
        JsonTree read = cell.client().request("resources/read", uri(view));
        assertThat(read.at("result", "contents", 0, "text").text()).isEqualTo("content of " + view);
        return YES;
    }

    private static String completion(Cell cell) {
        String params =
                ("{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"%s\"},"
                                + "\"argument\":{\"name\":\"topic\",\"value\":\"t\"}}")
                        .formatted(cell.tool("greet"));
        JsonTree result = cell.client().request("completion/complete", params).at("result");
        assertThat(result.at("completion", "values").write()).isEqualTo("[\"one\",\"two\"]");
        return YES;
    }

    private static String hints(Cell cell) {
        JsonTree read = cell.client().request("resources/read", uri(cell.uri("one"))).at("result");
        if (!cell.modernClient()) {
            assertThat(read.has("ttlMs") || read.has("cacheScope")).isFalse();
            return "– not of this era";
        }
        Optional<JsonTree> ttl = read.find("ttlMs");
        assertThat(ttl).isPresent();
        assertThat(ttl.get().integer()).isEqualTo(cell.modernServer() ? 5000 : 0);
        return cell.modernServer() ? YES : "0, private: the server says nothing";
    }

    private static String uri(String uri) {
        return EraClient.uriParams(uri);
    }
}
