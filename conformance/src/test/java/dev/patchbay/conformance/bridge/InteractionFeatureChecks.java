package dev.patchbay.conformance.bridge;

import static dev.patchbay.conformance.bridge.EraMatrixCase.CHECK_MARK;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks of messages around a call: progress, cancellation, requests to the client, notifications.
 */
final class InteractionFeatureChecks {
    private static final String LEVEL_KEY = "io.modelcontextprotocol/logLevel";
    private static final String BY_INPUT_ROUNDS = "✓ with input rounds";

    private InteractionFeatureChecks() {}

    static List<MatrixFeature> all() {
        return List.of(
                new MatrixFeature("progress", InteractionFeatureChecks::progress),
                new MatrixFeature("cancellation", InteractionFeatureChecks::cancellation),
                new MatrixFeature("log messages, with a level", InteractionFeatureChecks::logging),
                new MatrixFeature("`list_changed`", InteractionFeatureChecks::listChanged),
                new MatrixFeature("resource subscriptions", InteractionFeatureChecks::subscription),
                new MatrixFeature("sampling", InteractionFeatureChecks::sampling),
                new MatrixFeature("elicitation by form", InteractionFeatureChecks::formElicitation),
                new MatrixFeature(
                        "a form that asks for a secret", InteractionFeatureChecks::secretForm),
                new MatrixFeature("elicitation by URL", InteractionFeatureChecks::urlElicitation),
                new MatrixFeature(
                        "−32042, URL elicitation required",
                        InteractionFeatureChecks::urlElicitationRequired),
                new MatrixFeature(
                        "`notifications/elicitation/complete`",
                        InteractionFeatureChecks::elicitationComplete),
                new MatrixFeature("roots", InteractionFeatureChecks::rootsList),
                new MatrixFeature(
                        "a request the client did not declare support for",
                        InteractionFeatureChecks::undeclaredCapability),
                new MatrixFeature("`ping` from the client", InteractionFeatureChecks::clientPing),
                new MatrixFeature("`ping` from the server", InteractionFeatureChecks::serverPing),
                new MatrixFeature(
                        "unknown extension: declaration",
                        InteractionFeatureChecks::extensionCapability),
                new MatrixFeature(
                        "unknown extension: methods", InteractionFeatureChecks::unknownMethod));
    }

    private static String progress(EraMatrixCase cell) {
        String token = "\"p " + cell.fullToolName("") + "\"";
        String params =
                "{\"name\":\"%s\",\"arguments\":{\"n\":3},\"_meta\":{\"progressToken\":%s}}"
                        .formatted(cell.fullToolName("progress"), token);
        assertThat(cell.client().request("tools/call", params).has("result")).isTrue();
        var reported = Optional.of(StrictJson.parse(token));
        List<String> steps =
                cell.client().notifications("notifications/progress").stream()
                        .filter(it -> it.findAt("params", "progressToken").equals(reported))
                        .map(it -> it.at("params", "progress").write())
                        .toList();
        assertThat(steps).containsExactly("1", "2", "3");
        return CHECK_MARK;
    }

    private static String cancellation(EraMatrixCase cell) {
        int before = cell.record().callArguments("hang").size();
        String params = ClientMessages.callParams(cell.fullToolName("hang"), "{}");
        String id = cell.client().send("tools/call", params);
        assertThat(EraClient.await(() -> cell.record().callArguments("hang").size() > before))
                .isTrue();
        String sent = cell.record().received("tools/call").getLast().at("id").write();
        cell.client().transport().cancel(id);
        assertThat(EraClient.await(() -> cell.record().cancelledIds().contains(sent))).isTrue();
        cell.client().callForText(cell.fullToolName("echo"), "{}");
        assertThat(cell.client().hasResponse(id)).isFalse();
        return CHECK_MARK;
    }

    private static String logging(EraMatrixCase cell) {
        EraClient client = cell.client();
        if (cell.modernClient()) {
            client.withMeta("\"" + LEVEL_KEY + "\":\"warning\"");
        } else {
            client.request("logging/setLevel", "{\"level\":\"warning\"}");
        }
        String mark = "log of " + cell.server();
        for (String level : List.of("info", "error")) {
            String arguments = "{\"level\":\"%s\",\"text\":\"%s\"}".formatted(level, mark);
            client.callForText(cell.fullToolName("log"), arguments);
        }
        client.withMeta("");
        client.awaitNotification("notifications/message", it -> isLog(it, mark));
        assertThat(client.notifications("notifications/message"))
                .filteredOn(it -> isLog(it, mark))
                .extracting(
                        it -> it.at("params", "level").asText(),
                        it -> it.at("params", "logger").asText().split("/", -1)[0])
                .containsExactly(tuple("error", cell.server()));
        return CHECK_MARK;
    }

    private static boolean isLog(JsonTree notice, String mark) {
        return notice.at("params", "data").asText().startsWith(mark);
    }

    private static String listChanged(EraMatrixCase cell) {
        EraClient client = cell.client();
        String method = "notifications/tools/list_changed";
        if (cell.modernClient()) {
            String filter = "{\"notifications\":{\"toolsListChanged\":true}}";
            String id = client.send("subscriptions/listen", filter);
            client.awaitNotification(
                    "notifications/subscriptions/acknowledged",
                    it -> EraClient.hasSubscriptionId(it, id));
        }
        int before = client.notifications(method).size();
        String rich = ServerFeatureChecks.RICH_TOOL.formatted(cell.server());
        cell.script().withToolDefinitions(toolsFile(rich, rich.replace("\"rich\"", "\"added\"")));
        client.callForText(cell.fullToolName("changed"), "{\"kind\":\"tools\"}");
        assertThat(EraClient.await(() -> client.notifications(method).size() > before)).isTrue();
        // The first word of a change may be about an earlier one.
        String added = cell.fullToolName("added");
        assertThat(
                        EraClient.await(
                                () -> client.request("tools/list", "{}").write().contains(added)))
                .isTrue();
        return CHECK_MARK;
    }

    /** A file with these tools, which return what they are given, and one that requires a task. */
    static String toolsFile(String... definitions) {
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

    private static String subscription(EraMatrixCase cell) {
        String uri = cell.resourceUri("two");
        assertThat(cell.client().subscribe(uri)).isTrue();
        cell.client().callForText(cell.fullToolName("updated"), EraClient.uriParams(uri));
        cell.client()
                .awaitNotification(
                        "notifications/resources/updated",
                        it -> it.at("params", "uri").asText().equals(uri));
        return CHECK_MARK;
    }

    private static String sampling(EraMatrixCase cell) {
        assertThat(callThatAsksClient(cell, "sample", "sampling/createMessage"))
                .contains("sampled");
        return inputRounds(cell);
    }

    private static String formElicitation(EraMatrixCase cell) {
        assertThat(callThatAsksClient(cell, "elicit", "elicitation/create"))
                .contains("\"name\":\"Ann\"");
        return inputRounds(cell);
    }

    private static String urlElicitation(EraMatrixCase cell) {
        assertThat(callThatAsksClient(cell, "elicitUrl", "elicitation/create")).contains("accept");
        JsonTree question = cell.client().serverRequests().getLast();
        assertThat(question.at("params", "url").asText()).isEqualTo("https://example.com/go");
        assertThat(question.findAt("params", "elicitationId").isPresent())
                .isEqualTo(!cell.modernClient());
        return inputRounds(cell);
    }

    private static String rootsList(EraMatrixCase cell) {
        assertThat(callThatAsksClient(cell, "roots", "roots/list")).contains("file:///r");
        return inputRounds(cell);
    }

    /** Calls a tool that sends a request to the client; returns the client's answer. */
    private static String callThatAsksClient(EraMatrixCase cell, String tool, String method) {
        int before = cell.client().serverRequests().size();
        String received = cell.client().callForText(cell.fullToolName(tool), "{}");
        assertThat(cell.client().serverRequests()).hasSize(before + 1);
        JsonTree question = cell.client().serverRequests().getLast();
        assertThat(question.at("method").asText()).isEqualTo(method);
        switch (method) {
            case "elicitation/create" ->
                    assertThat(question.at("params", "message").asText())
                            .startsWith("[" + cell.server() + "] ");
            case "sampling/createMessage" ->
                    assertThat(question.at("params", "systemPrompt").asText())
                            .contains("the MCP server " + cell.server() + ".");
            default -> {}
        }
        return received;
    }

    private static String secretForm(EraMatrixCase cell) {
        int before = cell.client().serverRequests().size();
        String form =
                "{\"message\":\"Sign in\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"
                        + "{\"password\":{\"type\":\"string\"}}}}";
        String arguments = "{\"method\":\"elicitation/create\",\"params\":" + form + "}";
        String params = ClientMessages.callParams(cell.fullToolName("ask"), arguments);
        JsonTree answer = cell.client().request("tools/call", params);
        assertThat(cell.client().serverRequests()).hasSize(before);
        assertThat(answer.write()).contains("'password' asks for a secret");
        return cell.modernServer()
                ? "✓ withheld: the call fails"
                : "✓ withheld: the server gets −32602";
    }

    private static String inputRounds(EraMatrixCase cell) {
        return cell.modernClient() || cell.modernServer() ? BY_INPUT_ROUNDS : CHECK_MARK;
    }

    private static String urlElicitationRequired(EraMatrixCase cell) {
        if (cell.modernServer()) {
            return "– not in this era";
        }
        String data =
                "{\"elicitations\":[{\"mode\":\"url\",\"message\":\"Go\","
                        + "\"url\":\"https://e.example\",\"elicitationId\":\"e9\"}]}";
        String arguments = "{\"code\":-32042,\"message\":\"first\",\"data\":" + data + "}";
        String params = ClientMessages.callParams(cell.fullToolName("rpcError"), arguments);
        JsonTree answer = cell.client().request("tools/call", params);
        if (!cell.modernClient()) {
            assertThat(answer.at("error", "code").asLong()).isEqualTo(-32042);
            return CHECK_MARK;
        }
        assertThat(EraClient.isInputRequired(answer)).isTrue();
        assertThat(answer.at("result", "inputRequests", "u1", "params").write())
                .isEqualTo(
                        "{\"mode\":\"url\",\"message\":\"[%s] Go\",\"url\":\"https://e.example\"}"
                                .formatted(cell.server()));
        return BY_INPUT_ROUNDS;
    }

    private static String elicitationComplete(EraMatrixCase cell) {
        if (cell.modernServer()) {
            return "– not in this era";
        }
        String id = "e-" + cell.server() + "-" + cell.httpServer();
        cell.client().callForText(cell.fullToolName("elicitUrl"), "{\"id\":\"" + id + "\"}");
        String method = "notifications/elicitation/complete";
        for (String reported : List.of("another", id)) {
            cell.client()
                    .callForText(
                            cell.fullToolName("notice"),
                            "{\"method\":\"%s\",\"params\":{\"elicitationId\":\"%s\"}}"
                                    .formatted(method, reported));
        }
        if (cell.modernClient()) {
            assertThat(cell.client().notifications(method)).isEmpty();
            return "– the client retries by itself";
        }
        cell.client()
                .awaitNotification(
                        method, it -> it.at("params", "elicitationId").asText().equals(id));
        assertThat(cell.client().notifications(method).toString()).doesNotContain("another");
        return CHECK_MARK;
    }

    /** Sampling with tools, which no client here declares. */
    private static String undeclaredCapability(EraMatrixCase cell) {
        int before = cell.client().serverRequests().size();
        String params = ClientMessages.callParams(cell.fullToolName("sampleTools"), "{}");
        JsonTree answer = cell.client().request("tools/call", params);
        assertThat(cell.client().serverRequests()).hasSize(before);
        if (!cell.modernServer()) {
            assertThat(answer.at("result", "content", 0, "text").asText()).contains("-32601");
            return "✓ the server gets an error";
        }
        if (cell.modernClient()) {
            assertThat(answer.at("error", "code").asLong()).isEqualTo(-32021);
            return "✓ −32021 from the server";
        }
        assertThat(answer.at("result", "isError")).isEqualTo(JsonTree.Literal.TRUE);
        return "✓ the call fails";
    }

    private static String clientPing(EraMatrixCase cell) {
        JsonTree answer = cell.client().request("ping", "{}");
        if (cell.modernClient()) {
            assertThat(answer.at("error", "code").asLong()).isEqualTo(-32601);
            return "– −32601, not in this era";
        }
        assertThat(answer.at("result").write()).isEqualTo("{}");
        return "✓ answered by the gateway";
    }

    private static String serverPing(EraMatrixCase cell) {
        if (cell.modernServer()) {
            return "– not in this era";
        }
        int before = cell.client().serverRequests().size();
        assertThat(cell.client().callForText(cell.fullToolName("pingBack"), "{}")).isEqualTo("{}");
        assertThat(cell.client().serverRequests()).hasSize(before);
        return "✓ answered by the gateway";
    }

    private static String extensionCapability(EraMatrixCase cell) {
        if (!cell.modernServer()) {
            return "– a legacy server sees the gateway's capabilities";
        }
        cell.client().callForText(cell.fullToolName("echo"), "{}");
        JsonTree declared =
                cell.record()
                        .received("tools/call")
                        .getLast()
                        .at("params", "_meta", ClientMessages.CAPABILITIES_KEY);
        assertThat(declared.at("extensions", "com.example/x").write()).isEqualTo("{\"v\":1}");
        return CHECK_MARK;
    }

    private static String unknownMethod(EraMatrixCase cell) {
        JsonTree answer = cell.client().request("com.example/do", "{}");
        assertThat(answer.at("error", "code").asLong()).isEqualTo(-32601);
        return "refused: −32601";
    }
}
