package dev.patchbay.conformance.bridge;

import static dev.patchbay.conformance.bridge.EraMatrixCase.CHECK_MARK;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import java.util.List;
import java.util.Optional;

/** Checks of tasks: calls whose results are fetched later. */
final class TaskFeatureChecks {
    static final String RELATED_TASK_KEY = "io.modelcontextprotocol/related-task";

    private TaskFeatureChecks() {}

    static List<MatrixFeature> all() {
        return List.of(
                new MatrixFeature(
                        "tasks: client without task support, tool that requires a task",
                        TaskFeatureChecks::clientWithoutTasks),
                new MatrixFeature("tasks: start, status, result", TaskFeatureChecks::resultFetched),
                new MatrixFeature("tasks: cancel", TaskFeatureChecks::taskCancelled),
                new MatrixFeature("tasks: input requests", TaskFeatureChecks::inputOfATask),
                new MatrixFeature(
                        "tasks: status notifications", TaskFeatureChecks::statusNotifications),
                new MatrixFeature("tasks: unknown task", TaskFeatureChecks::unknownTask));
    }

    /** The outcome if client and server are of different eras. */
    private static Optional<String> outcomeAcrossEras(EraMatrixCase cell) {
        if (cell.modernClient() == cell.modernServer()) {
            return Optional.empty();
        }
        return Optional.of(
                cell.modernClient()
                        ? "– the gateway waits for the task"
                        : "– −32601, no tool is advertised with tasks");
    }

    /** A client without tasks gets the result directly, and the input requests before it. */
    private static String clientWithoutTasks(EraMatrixCase cell) {
        JsonTree shown =
                ServerFeatureChecks.findListed(cell, "tools", "name", cell.fullToolName("tasked"));
        assertThat(shown.has("execution")).isEqualTo(!cell.modernClient() && !cell.modernServer());
        EraClient client = cell.client().withCapabilities(EraClient.DEFAULT_CAPABILITIES);
        try {
            if (cell.modernClient() && cell.modernServer()) {
                String call = ClientMessages.callParams(cell.fullToolName("tasked"), "{}");
                assertThat(client.request("tools/call", call).at("error", "code").asLong())
                        .isEqualTo(-32021);
                return "✓ −32021 from the server";
            }
            JsonTree result = client.call(cell.fullToolName("tasked"), "{}");
            assertThat(result.at("content", 0, "text").asText()).isEqualTo("done as a task");
            assertThat(result.at("_meta", "k").write()).isEqualTo("1");
            assertThat(result.write()).doesNotContain("t-1").doesNotContain(RELATED_TASK_KEY);
            assertThat(client.callForText(cell.fullToolName("tasked"), "{\"how\":\"ask\"}"))
                    .contains("Ann");
            String breaks =
                    ClientMessages.callParams(cell.fullToolName("tasked"), "{\"how\":\"error\"}");
            assertThat(client.request("tools/call", breaks).at("error", "code").asLong())
                    .isEqualTo(-32050);
        } finally {
            client.withCapabilities(EraMatrixTest.clientCapabilities());
        }
        return "✓ the gateway waits for the task";
    }

    /** Starts a task and returns its id. */
    static String startTask(EraClient client, String tool, String how) {
        JsonTree result = client.request("tools/call", taskCallParams(tool, how)).at("result");
        JsonTree task = client.isModern() ? result : result.at("task");
        if (client.isModern()) {
            assertThat(result.at("resultType").asText()).isEqualTo("task");
        }
        assertThat(task.at("status").asText()).isEqualTo("working");
        String id = task.at("taskId").asText();
        assertThat(id).doesNotStartWith("t-").hasSizeGreaterThan(24);
        return id;
    }

    static String taskCallParams(String tool, String how) {
        return "{\"name\":%s,\"arguments\":{\"how\":\"%s\"},\"task\":{\"ttl\":60000}}"
                .formatted(StrictJson.quote(tool), how);
    }

    static String taskIdParams(String task) {
        return "{\"taskId\":" + StrictJson.quote(task) + "}";
    }

    private static JsonTree getTask(EraClient client, String task) {
        JsonTree seen = client.request("tasks/get", taskIdParams(task)).at("result");
        assertThat(seen.at("taskId").asText()).isEqualTo(task);
        return seen;
    }

    private static String taskStatus(EraClient client, String task) {
        return getTask(client, task).at("status").asText();
    }

    private static String resultFetched(EraMatrixCase cell) {
        EraClient client = cell.client();
        if (outcomeAcrossEras(cell).isPresent()) {
            JsonTree answer =
                    client.request(
                            "tools/call", taskCallParams(cell.fullToolName("tasked"), "done"));
            assertThat(
                            cell.modernClient()
                                    ? answer.at("result", "content", 0, "text").asText()
                                    : answer.at("error", "code").write())
                    .isIn("done as a task", "-32601");
            return outcomeAcrossEras(cell).get();
        }
        String task = startTask(client, cell.fullToolName("tasked"), "fail");
        JsonTree result;
        if (cell.modernClient()) {
            assertThat(taskStatus(client, task)).isEqualTo("completed");
            result = getTask(client, task).at("result");
            String broken = startTask(client, cell.fullToolName("tasked"), "error");
            assertThat(taskStatus(client, broken)).isEqualTo("failed");
            assertThat(getTask(client, broken).at("error", "code").asLong()).isEqualTo(-32050);
        } else {
            JsonTree sent = cell.record().received("tools/call").getLast();
            assertThat(sent.at("params", "task").write()).isEqualTo("{\"ttl\":60000}");
            assertThat(taskStatus(client, task)).isEqualTo("failed");
            result = client.request("tasks/result", taskIdParams(task)).at("result");
            assertThat(result.at("_meta", RELATED_TASK_KEY, "taskId").asText()).isEqualTo(task);
            String broken = startTask(client, cell.fullToolName("tasked"), "error");
            JsonTree error = client.request("tasks/result", taskIdParams(broken)).at("error");
            assertThat(error.at("code").asLong()).isEqualTo(-32050);
        }
        assertThat(result.at("content", 0, "text").asText()).isEqualTo("done as a task");
        assertThat(result.at("isError").write()).isEqualTo("true");
        return CHECK_MARK;
    }

    private static String taskCancelled(EraMatrixCase cell) {
        if (outcomeAcrossEras(cell).isPresent()) {
            return outcomeAcrossEras(cell).get();
        }
        EraClient client = cell.client();
        String task = startTask(client, cell.fullToolName("tasked"), "wait");
        if (cell.modernClient()) {
            assertThat(client.request("tasks/cancel", taskIdParams(task)).has("result")).isTrue();
            assertThat(taskStatus(client, task)).isEqualTo("cancelled");
            return CHECK_MARK;
        }
        String waits = client.send("tasks/result", taskIdParams(task));
        JsonTree ended = client.request("tasks/cancel", taskIdParams(task)).at("result");
        assertThat(ended.at("taskId").asText()).isEqualTo(task);
        assertThat(ended.at("status").asText()).isEqualTo("cancelled");
        assertThat(client.awaitResponse(waits).at("error", "code").asLong()).isEqualTo(-32602);
        assertThat(client.request("tasks/cancel", taskIdParams(task)).at("error", "code").asLong())
                .isEqualTo(-32602);
        return CHECK_MARK;
    }

    private static String inputOfATask(EraMatrixCase cell) {
        if (outcomeAcrossEras(cell).isPresent()) {
            return outcomeAcrossEras(cell).get();
        }
        EraClient client = cell.client();
        String task = startTask(client, cell.fullToolName("tasked"), "ask");
        assertThat(taskStatus(client, task)).isEqualTo("input_required");
        JsonTree result;
        if (cell.modernClient()) {
            JsonTree seen = getTask(client, task);
            assertThat(
                            client.request(
                                            "tasks/update",
                                            client.nextRoundParams(taskIdParams(task), seen))
                                    .has("result"))
                    .isTrue();
            result = getTask(client, task).at("result");
        } else {
            result = client.request("tasks/result", taskIdParams(task)).at("result");
            JsonTree question = client.serverRequests().getLast();
            assertThat(question.at("params", "_meta", RELATED_TASK_KEY, "taskId").asText())
                    .isEqualTo(task);
        }
        assertThat(result.at("content", 0, "text").asText()).contains("Ann");
        return CHECK_MARK;
    }

    private static String statusNotifications(EraMatrixCase cell) {
        if (outcomeAcrossEras(cell).isPresent()) {
            return outcomeAcrossEras(cell).get();
        }
        EraClient client = cell.client();
        String task = startTask(client, cell.fullToolName("tasked"), "wait");
        String method = "notifications/tasks/status";
        if (cell.modernClient()) {
            method = "notifications/tasks";
            assertThat(listenToTask(client, task).write())
                    .isEqualTo("[" + StrictJson.quote(task) + "]");
        }
        client.request("tasks/cancel", taskIdParams(task));
        JsonTree reported =
                client.awaitNotification(
                        method, it -> it.at("params", "taskId").asText().equals(task));
        assertThat(reported.at("params", "status").asText()).isEqualTo("cancelled");
        return CHECK_MARK;
    }

    /** Listens to a task; returns the acknowledged tasks. */
    static JsonTree listenToTask(EraClient client, String task) {
        String filter = "{\"notifications\":{\"taskIds\":[" + StrictJson.quote(task) + "]}}";
        String id = client.send("subscriptions/listen", filter);
        return client.awaitNotification(
                        "notifications/subscriptions/acknowledged",
                        it -> EraClient.hasSubscriptionId(it, id))
                .findAt("params", "notifications", "taskIds")
                .orElse(StrictJson.parse("[]"));
    }

    private static String unknownTask(EraMatrixCase cell) {
        for (String task : List.of("t-1", cell.server() + ".dC0x.AAAAAAAAAAAAAAAAAAAAAA")) {
            JsonTree answer = cell.client().request("tasks/get", taskIdParams(task));
            assertThat(answer.at("error", "code").asLong()).isEqualTo(-32602);
        }
        return "✓ −32602";
    }
}
