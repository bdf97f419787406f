package dev.patchbay.conformance.bridge;

import static dev.patchbay.conformance.bridge.Cell.YES;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.StrictJson;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What goes to and fro around a call: progress, cancellation, questions, notifications. */
final class TalkFeatures {
    private static final String LEVEL_KEY = "io.modelcontextprotocol/logLevel";
    private static final String ROUNDS = "✓ by rounds of input";

    private TalkFeatures() {}

    static List<Feature> all() {
        return List.of(
                new Feature("progress", TalkFeatures::progress),
                new Feature("cancellation", TalkFeatures::cancellation),
                new Feature("log messages from a level on", TalkFeatures::logging),
                new Feature("`list_changed`", TalkFeatures::listChanged),
                new Feature("subscribed resources", TalkFeatures::subscription),
                new Feature("sampling", TalkFeatures::sampling),
                new Feature("elicitation by form", TalkFeatures::form),
                new Feature("elicitation by URL", TalkFeatures::url),
                new Feature("−32042, a URL is to be visited first", TalkFeatures::urlRequired),
                new Feature("`notifications/elicitation/complete`", TalkFeatures::elicited),
                new Feature("roots", TalkFeatures::roots),
                new Feature("a question the client did not declare", TalkFeatures::undeclared),
                new Feature("`ping` of the client", TalkFeatures::ping),
                new Feature("`ping` of the server", TalkFeatures::pingBack),
                new Feature(
                        "an extension nobody here knows: its declaration", TalkFeatures::extension),
                new Feature("an extension nobody here knows: its methods", TalkFeatures::unknown));
    }

    private static String progress(Cell cell) {
        String token = "\"p " + cell.tool("") + "\"";
        String params =
                "{\"name\":\"%s\",\"arguments\":{\"n\":3},\"_meta\":{\"progressToken\":%s}}"
                        .formatted(cell.tool("progress"), token);
        assertThat(cell.client().request("tools/call", params).has("result")).isTrue();
        var told = Optional.of(StrictJson.parse(token));
        List<String> steps =
                cell.client().notices("notifications/progress").stream()
                        .filter(it -> it.find("params", "progressToken").equals(told))
                        .map(it -> it.at("params", "progress").write())
                        .toList();
        assertThat(steps).containsExactly("1", "2", "3");
        return YES;
    }

    private static String cancellation(Cell cell) {
        int before = cell.record().calls("hang").size();
        String params = Messages.callParams(cell.tool("hang"), "{}");
        String id = cell.client().send("tools/call", params);
        assertThat(EraClient.await(() -> cell.record().calls("hang").size() > before)).isTrue();
        String sent = cell.record().received("tools/call").getLast().at("id").write();
        cell.client().wire().giveUp(id);
        assertThat(EraClient.await(() -> cell.record().cancels().contains(sent))).isTrue();
        cell.client().text(cell.tool("echo"), "{}");
        assertThat(cell.client().isAnswered(id)).isFalse();
        return YES;
    }

    private static String logging(Cell cell) {
        EraClient client = cell.client();
        if (cell.modernClient()) {
            client.withMeta("\"" + LEVEL_KEY + "\":\"warning\"");
        } else {
            client.request("logging/setLevel", "{\"level\":\"warning\"}");
        }
        String mark = "log of " + cell.server();
        for (String level : List.of("info", "error")) {
            String arguments = "{\"level\":\"%s\",\"text\":\"%s\"}".formatted(level, mark);
            client.text(cell.tool("log"), arguments);
        }
        client.withMeta("");
        client.awaitNotice("notifications/message", it -> isLog(it, mark));
        assertThat(client.notices("notifications/message"))
                .filteredOn(it -> isLog(it, mark))
                .extracting(it -> it.at("params", "level").text())
                .containsExactly("error");
        return YES;
    }

    private static boolean isLog(JsonTree notice, String mark) {
        return notice.at("params", "data").text().startsWith(mark);
    }

    private static String listChanged(Cell cell) {
        EraClient client = cell.client();
        String method = "notifications/tools/list_changed";
        if (cell.modernClient()) {
            String filter = "{\"notifications\":{\"toolsListChanged\":true}}";
            String id = client.send("subscriptions/listen", filter);
            client.awaitNotice(
                    "notifications/subscriptions/acknowledged", it -> EraClient.isTagged(it, id));
        }
        int before = client.notices(method).size();
        String rich = ServerFeatures.RICH.formatted(cell.server());
        cell.script().defining(tools(rich, rich.replace("\"rich\"", "\"added\"")));
        client.text(cell.tool("changed"), "{\"kind\":\"tools\"}");
        assertThat(EraClient.await(() -> client.notices(method).size() > before)).isTrue();
        // The first word of a change may be about an earlier one.
        String added = cell.tool("added");
        assertThat(
                        EraClient.await(
                                () -> client.request("tools/list", "{}").write().contains(added)))
                .isTrue();
        return YES;
    }

    /** The file with these tools, which answer as told, and one that runs only as a task. */
    static String tools(String... definitions) {
        var elements = new ArrayList<String>();
        for (String definition : definitions) {
            String open = definition.substring(0, definition.length() - 1);
            elements.add(open + ",\"x-behaviour\":\"reply\"}");
        }
        elements.add(
                "{\"name\":\"tasked\",\"inputSchema\":{\"type\":\"object\"},"
                        + "\"execution\":{\"taskSupport\":\"required\"},\"x-behaviour\":\"task\"}");
        return "[" + String.join(",", elements) + "]";
    }

    private static String subscription(Cell cell) {
        String uri = cell.uri("two");
        assertThat(cell.client().subscribe(uri)).isTrue();
        cell.client().text(cell.tool("updated"), EraClient.uriParams(uri));
        cell.client()
                .awaitNotice(
                        "notifications/resources/updated",
                        it -> it.at("params", "uri").text().equals(uri));
        return YES;
    }

    private static String sampling(Cell cell) {
        assertThat(asked(cell, "sample", "sampling/createMessage")).contains("sampled");
        return rounds(cell);
    }

    private static String form(Cell cell) {
        assertThat(asked(cell, "elicit", "elicitation/create")).contains("\"name\":\"Ann\"");
        return rounds(cell);
    }

    private static String url(Cell cell) {
        assertThat(asked(cell, "elicitUrl", "elicitation/create")).contains("accept");
        JsonTree question = cell.client().questions().getLast();
        assertThat(question.at("params", "url").text()).isEqualTo("https://example.com/go");
        assertThat(question.find("params", "elicitationId").isPresent())
                .isEqualTo(!cell.modernClient());
        return rounds(cell);
    }

    private static String roots(Cell cell) {
        assertThat(asked(cell, "roots", "roots/list")).contains("file:///r");
        return rounds(cell);
    }

    /** What the server heard from the client that it asked. */
    private static String asked(Cell cell, String tool, String method) {
        int before = cell.client().questions().size();
        String heard = cell.client().text(cell.tool(tool), "{}");
        assertThat(cell.client().questions()).hasSize(before + 1);
        assertThat(cell.client().questions().getLast().at("method").text()).isEqualTo(method);
        return heard;
    }

    private static String rounds(Cell cell) {
        return cell.modernClient() || cell.modernServer() ? ROUNDS : YES;
    }

    private static String urlRequired(Cell cell) {
        if (cell.modernServer()) {
            return "– not of this era";
        }
        String data =
                "{\"elicitations\":[{\"mode\":\"url\",\"message\":\"Go\","
                        + "\"url\":\"https://e.example\",\"elicitationId\":\"e9\"}]}";
        String arguments = "{\"code\":-32042,\"message\":\"first\",\"data\":" + data + "}";
        String params = Messages.callParams(cell.tool("rpcError"), arguments);
        JsonTree answer = cell.client().request("tools/call", params);
        if (!cell.modernClient()) {
            assertThat(answer.at("error", "code").integer()).isEqualTo(-32042);
            return YES;
        }
        assertThat(EraClient.isQuestion(answer)).isTrue();
        assertThat(answer.at("result", "inputRequests", "u1", "params").write())
                .isEqualTo("{\"mode\":\"url\",\"message\":\"Go\",\"url\":\"https://e.example\"}");
        return ROUNDS;
    }

    private static String elicited(Cell cell) {
        if (cell.modernServer()) {
            return "– not of this era";
        }
        String id = "e-" + cell.server() + "-" + cell.httpServer();
        cell.client().text(cell.tool("elicitUrl"), "{\"id\":\"" + id + "\"}");
        String method = "notifications/elicitation/complete";
        for (String told : List.of("another", id)) {
            cell.client()
                    .text(
                            cell.tool("notice"),
                            "{\"method\":\"%s\",\"params\":{\"elicitationId\":\"%s\"}}"
                                    .formatted(method, told));
        }
        if (cell.modernClient()) {
            assertThat(cell.client().notices(method)).isEmpty();
            return "– the client comes again by itself";
        }
        cell.client().awaitNotice(method, it -> it.at("params", "elicitationId").text().equals(id));
        assertThat(cell.client().notices(method).toString()).doesNotContain("another");
        return YES;
    }

    /** Sampling with tools, which no client here has declared. */
    private static String undeclared(Cell cell) {
        int before = cell.client().questions().size();
        String params = Messages.callParams(cell.tool("sampleTools"), "{}");
        JsonTree answer = cell.client().request("tools/call", params);
        assertThat(cell.client().questions()).hasSize(before);
        if (!cell.modernServer()) {
            assertThat(answer.at("result", "content", 0, "text").text()).contains("-32601");
            return "✓ refused to the server";
        }
        if (cell.modernClient()) {
            assertThat(answer.at("error", "code").integer()).isEqualTo(-32021);
            return "✓ −32021 of the server";
        }
        assertThat(answer.at("result", "isError")).isEqualTo(JsonTree.Literal.TRUE);
        return "✓ an error of the call";
    }

    private static String ping(Cell cell) {
        JsonTree answer = cell.client().request("ping", "{}");
        if (cell.modernClient()) {
            assertThat(answer.at("error", "code").integer()).isEqualTo(-32601);
            return "– −32601, not of this era";
        }
        assertThat(answer.at("result").write()).isEqualTo("{}");
        return "✓ by the gateway";
    }

    private static String pingBack(Cell cell) {
        if (cell.modernServer()) {
            return "– not of this era";
        }
        int before = cell.client().questions().size();
        assertThat(cell.client().text(cell.tool("pingBack"), "{}")).isEqualTo("{}");
        assertThat(cell.client().questions()).hasSize(before);
        return "✓ by the gateway";
    }

    private static String extension(Cell cell) {
        if (!cell.modernServer()) {
            return "– a legacy server hears only of what the gateway can do";
        }
        cell.client().text(cell.tool("echo"), "{}");
        JsonTree declared =
                cell.record()
                        .received("tools/call")
                        .getLast()
                        .at("params", "_meta", Messages.CAPABILITIES_KEY);
        assertThat(declared.at("extensions", "com.example/x").write()).isEqualTo("{\"v\":1}");
        return YES;
    }

    private static String unknown(Cell cell) {
        JsonTree answer = cell.client().request("com.example/do", "{}");
        assertThat(answer.at("error", "code").integer()).isEqualTo(-32601);
        return "refused: −32601";
    }
}
