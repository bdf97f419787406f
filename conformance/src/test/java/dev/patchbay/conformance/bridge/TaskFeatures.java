package dev.patchbay.conformance.bridge;

import static dev.patchbay.conformance.bridge.Cell.YES;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.StrictJson;

import java.util.List;
import java.util.Optional;

/** Calls whose results are fetched later. */
final class TaskFeatures {
    static final String RELATED = "io.modelcontextprotocol/related-task";

    private TaskFeatures() {}

    static List<Feature> all() {
        return List.of(
                new Feature(
                        "tasks: unknown to the client, and the tool runs only as one",
                        TaskFeatures::plain),
                new Feature("tasks: begun, looked at, fetched", TaskFeatures::fetched),
                new Feature("tasks: cancelled", TaskFeatures::cancelled),
                new Feature("tasks: a question meanwhile", TaskFeatures::asked),
                new Feature("tasks: told of changes", TaskFeatures::told),
                new Feature("tasks: one that is not there", TaskFeatures::unknown));
    }

    /** What becomes of tasks where they do not cross. */
    private static Optional<String> elsewhere(Cell cell) {
        if (cell.modernClient() == cell.modernServer()) {
            return Optional.empty();
        }
        return Optional.of(
                cell.modernClient()
                        ? "– the gateway waits for its end"
                        : "– −32601, no tool says that it runs as one");
    }

    /** A client that knows nothing of tasks gets the result itself, and what is asked before. */
    private static String plain(Cell cell) {
        JsonTree shown = ServerFeatures.listed(cell, "tools", "name", cell.tool("tasked"));
        assertThat(shown.has("execution")).isEqualTo(!cell.modernClient() && !cell.modernServer());
        EraClient client = cell.client().declaring(EraClient.ABLE);
        try {
            if (cell.modernClient() && cell.modernServer()) {
                String call = Messages.callParams(cell.tool("tasked"), "{}");
                assertThat(client.request("tools/call", call).at("error", "code").integer())
                        .isEqualTo(-32021);
                return "✓ −32021 of the server";
            }
            JsonTree result = client.call(cell.tool("tasked"), "{}");
            assertThat(result.at("content", 0, "text").text()).isEqualTo("done as a task");
            assertThat(result.at("_meta", "k").write()).isEqualTo("1");
            assertThat(result.write()).doesNotContain("t-1").doesNotContain(RELATED);
            assertThat(client.text(cell.tool("tasked"), "{\"how\":\"ask\"}")).contains("Ann");
            String breaks = Messages.callParams(cell.tool("tasked"), "{\"how\":\"error\"}");
            assertThat(client.request("tools/call", breaks).at("error", "code").integer())
                    .isEqualTo(-32050);
        } finally {
            client.declaring(EraMatrixTest.declared());
        }
        return "✓ the gateway waits for it";
    }

    /** Begins a task; its id. */
    static String begin(EraClient client, String tool, String how) {
        JsonTree result = client.request("tools/call", params(tool, how)).at("result");
        JsonTree task = client.isModern() ? result : result.at("task");
        if (client.isModern()) {
            assertThat(result.at("resultType").text()).isEqualTo("task");
        }
        assertThat(task.at("status").text()).isEqualTo("working");
        String id = task.at("taskId").text();
        assertThat(id).doesNotStartWith("t-").hasSizeGreaterThan(24);
        return id;
    }

    static String params(String tool, String how) {
        return "{\"name\":%s,\"arguments\":{\"how\":\"%s\"},\"task\":{\"ttl\":60000}}"
                .formatted(StrictJson.quote(tool), how);
    }

    static String id(String task) {
        return "{\"taskId\":" + StrictJson.quote(task) + "}";
    }

    private static JsonTree get(EraClient client, String task) {
        JsonTree seen = client.request("tasks/get", id(task)).at("result");
        assertThat(seen.at("taskId").text()).isEqualTo(task);
        return seen;
    }

    private static String status(EraClient client, String task) {
        return get(client, task).at("status").text();
    }

    private static String fetched(Cell cell) {
        EraClient client = cell.client();
        if (elsewhere(cell).isPresent()) {
            JsonTree answer = client.request("tools/call", params(cell.tool("tasked"), "done"));
            assertThat(
                            cell.modernClient()
                                    ? answer.at("result", "content", 0, "text").text()
                                    : answer.at("error", "code").write())
                    .isIn("done as a task", "-32601");
            return elsewhere(cell).get();
        }
        String task = begin(client, cell.tool("tasked"), "fail");
        JsonTree result;
        if (cell.modernClient()) {
            assertThat(status(client, task)).isEqualTo("completed");
            result = get(client, task).at("result");
            String broken = begin(client, cell.tool("tasked"), "error");
            assertThat(status(client, broken)).isEqualTo("failed");
            assertThat(get(client, broken).at("error", "code").integer()).isEqualTo(-32050);
        } else {
            JsonTree sent = cell.record().received("tools/call").getLast();
            assertThat(sent.at("params", "task").write()).isEqualTo("{\"ttl\":60000}");
            assertThat(status(client, task)).isEqualTo("failed");
            result = client.request("tasks/result", id(task)).at("result");
            assertThat(result.at("_meta", RELATED, "taskId").text()).isEqualTo(task);
            String broken = begin(client, cell.tool("tasked"), "error");
            JsonTree error = client.request("tasks/result", id(broken)).at("error");
            assertThat(error.at("code").integer()).isEqualTo(-32050);
        }
        assertThat(result.at("content", 0, "text").text()).isEqualTo("done as a task");
        assertThat(result.at("isError").write()).isEqualTo("true");
        return YES;
    }

    private static String cancelled(Cell cell) {
        if (elsewhere(cell).isPresent()) {
            return elsewhere(cell).get();
        }
        EraClient client = cell.client();
        String task = begin(client, cell.tool("tasked"), "wait");
        if (cell.modernClient()) {
            assertThat(client.request("tasks/cancel", id(task)).has("result")).isTrue();
            assertThat(status(client, task)).isEqualTo("cancelled");
            return YES;
        }
        String waits = client.send("tasks/result", id(task));
        JsonTree ended = client.request("tasks/cancel", id(task)).at("result");
        assertThat(ended.at("taskId").text()).isEqualTo(task);
        assertThat(ended.at("status").text()).isEqualTo("cancelled");
        assertThat(client.answer(waits).at("error", "code").integer()).isEqualTo(-32602);
        assertThat(client.request("tasks/cancel", id(task)).at("error", "code").integer())
                .isEqualTo(-32602);
        return YES;
    }

    private static String asked(Cell cell) {
        if (elsewhere(cell).isPresent()) {
            return elsewhere(cell).get();
        }
        EraClient client = cell.client();
        String task = begin(client, cell.tool("tasked"), "ask");
        assertThat(status(client, task)).isEqualTo("input_required");
        JsonTree result;
        if (cell.modernClient()) {
            JsonTree seen = get(client, task);
            assertThat(
                            client.request("tasks/update", client.answered(id(task), seen))
                                    .has("result"))
                    .isTrue();
            result = get(client, task).at("result");
        } else {
            result = client.request("tasks/result", id(task)).at("result");
            JsonTree question = client.questions().getLast();
            assertThat(question.at("params", "_meta", RELATED, "taskId").text()).isEqualTo(task);
        }
        assertThat(result.at("content", 0, "text").text()).contains("Ann");
        return YES;
    }

    private static String told(Cell cell) {
        if (elsewhere(cell).isPresent()) {
            return elsewhere(cell).get();
        }
        EraClient client = cell.client();
        String task = begin(client, cell.tool("tasked"), "wait");
        String method = "notifications/tasks/status";
        if (cell.modernClient()) {
            method = "notifications/tasks";
            assertThat(listen(client, task).write()).isEqualTo("[" + StrictJson.quote(task) + "]");
        }
        client.request("tasks/cancel", id(task));
        JsonTree told =
                client.awaitNotice(method, it -> it.at("params", "taskId").text().equals(task));
        assertThat(told.at("params", "status").text()).isEqualTo("cancelled");
        return YES;
    }

    /** Asks to be told of a task; the tasks that are acknowledged. */
    static JsonTree listen(EraClient client, String task) {
        String filter = "{\"notifications\":{\"taskIds\":[" + StrictJson.quote(task) + "]}}";
        String id = client.send("subscriptions/listen", filter);
        return client.awaitNotice(
                        "notifications/subscriptions/acknowledged",
                        it -> EraClient.isTagged(it, id))
                .find("params", "notifications", "taskIds")
                .orElse(StrictJson.parse("[]"));
    }

    private static String unknown(Cell cell) {
        for (String task : List.of("t-1", cell.server() + ".dC0x.AAAAAAAAAAAAAAAAAAAAAA")) {
            JsonTree answer = cell.client().request("tasks/get", id(task));
            assertThat(answer.at("error", "code").integer()).isEqualTo(-32602);
        }
        return "✓ −32602";
    }
}
