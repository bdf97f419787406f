package dev.patchbay.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tasks of a {@link ScriptedServer}: those of 2025-11-25, and those of the extension. */
final class ScriptedTasks {
    private static final String EXTENSION = "io.modelcontextprotocol/tasks";
    private static final String QUESTION =
            "\"message\":\"Name?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"
                    + "{\"name\":{\"type\":\"string\"}}}";
    private static final String TIMESTAMP = "\"2026-01-01T00:00:00Z\"";
    private static final int TASKS_MAX = 10_000;

    /** One task, and those who wait for its end. */
    private static final class Task {
        private final String id;
        private final String mode;
        private final boolean modern;
        private final List<ScriptedRequest> waitingRequests = new ArrayList<>();
        private String token = "";
        private String status;
        private String resultText = "done as a task";

        Task(String id, String how, boolean modern) {
            this.id = id;
            this.mode = how;
            this.modern = modern;
            this.status =
                    switch (how) {
                        case "wait" -> "working";
                        case "ask" -> "input_required";
                        case "error" -> "failed";
                        case "fail" -> modern ? "completed" : "failed";
                        default -> "completed";
                    };
        }

        boolean isOver() {
            return !status.equals("working") && !status.equals("input_required");
        }

        String members(String shown) {
            String form = modern ? "\"ttlMs\":null,\"pollIntervalMs\":20" : "\"ttl\":null";
            return "\"taskId\":%s,\"status\":\"%s\",\"createdAt\":%s,\"lastUpdatedAt\":%s,%s"
                    .formatted(StrictJson.quote(id), shown, TIMESTAMP, TIMESTAMP, form);
        }
    }

    private final ScriptedServerContext core;
    private final ScriptedResponses responses;
    private final ScriptedNotifications streams;
    private final Map<String, Task> tasks = new LinkedHashMap<>();

    ScriptedTasks(ScriptedServerContext core, ScriptedNotifications streams) {
        this.core = core;
        this.responses = core.responses();
        this.streams = streams;
    }

    /** The member of the capabilities that says so, with a comma before it. */
    static String capability(boolean modern) {
        return modern
                ? ",\"extensions\":{\"" + EXTENSION + "\":{}}"
                : ",\"tasks\":{\"list\":{},\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}";
    }

    static boolean isDeclared(ScriptedRequest request) {
        return request.param("_meta", ClientMessages.CAPABILITIES_KEY, "extensions", EXTENSION)
                .isPresent();
    }

    /** Plays a behaviour by name; says whether it is one of these. */
    synchronized boolean tryRun(String behaviour, ScriptedRequest call) {
        switch (behaviour) {
            case "task" -> startTask(call);
            case "finishTask" -> {
                Task task = tasks.get(call.text("task", ""));
                if (task != null) {
                    finish(task, "completed");
                }
                responses.sendText(call, "finished");
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void startTask(ScriptedRequest call) {
        boolean asked = call.modern() ? isDeclared(call) : call.param("task").isPresent();
        if (!asked && call.text("optional", "false").equals("true")) {
            responses.sendText(call, "done at once");
        } else if (!asked && call.modern()) {
            rejectUndeclared(call);
        } else if (!asked) {
            responses.sendError(call, -32601, "This tool runs as a task");
        } else if (tasks.size() >= TASKS_MAX) {
            responses.sendError(call, -32603, "Too many tasks");
        } else {
            String id = "t-" + (tasks.size() + 1);
            var task = new Task(id, call.text("how", "done"), call.modern());
            task.token = call.param("_meta", "progressToken").map(JsonTree::write).orElse("");
            tasks.put(id, task);
            responses.sendResult(
                    call,
                    call.modern()
                            ? "\"resultType\":\"task\"," + task.members("working")
                            : "\"task\":{" + task.members("working") + "}");
        }
    }

    private void rejectUndeclared(ScriptedRequest request) {
        String needed = "{\"requiredCapabilities\":{\"extensions\":{\"" + EXTENSION + "\":{}}}}";
        responses.sendError(request, -32021, "Missing client capability", needed);
    }

    /** Answers a method of tasks; says whether it is one. */
    synchronized boolean serve(ScriptedRequest request) {
        String method = request.method();
        boolean known =
                switch (method) {
                    case "tasks/get", "tasks/cancel" -> true;
                    case "tasks/result" -> !request.modern();
                    case "tasks/update" -> request.modern();
                    default -> false;
                };
        if (!known) {
            return false;
        }
        Task task = tasks.get(request.param("taskId").map(JsonTree::asText).orElse(""));
        if (request.modern() && !isDeclared(request)) {
            rejectUndeclared(request);
        } else if (task == null || task.modern != request.modern()) {
            responses.sendError(request, -32602, "No such task");
        } else {
            switch (method) {
                case "tasks/get" -> responses.sendResult(request, taskDetails(task));
                case "tasks/cancel" -> cancel(request, task);
                case "tasks/update" -> update(request, task);
                default -> awaitResult(request, task);
            }
        }
        return true;
    }

    private void cancel(ScriptedRequest request, Task task) {
        if (task.isOver() && !request.modern()) {
            responses.sendError(request, -32602, "The task is over");
            return;
        }
        if (!task.isOver()) {
            finish(task, "cancelled");
        }
        responses.sendResult(request, request.modern() ? "" : task.members(task.status));
    }

    private void update(ScriptedRequest request, Task task) {
        if (task.status.equals("input_required")
                && request.param("inputResponses", "k1").isPresent()) {
            task.resultText = request.rawParam("inputResponses");
            finish(task, "completed");
        }
        responses.sendResult(request, "");
    }

    /** Waits for the end; a task that needs input asks for it meanwhile. */
    private void awaitResult(ScriptedRequest request, Task task) {
        if (task.isOver()) {
            sendOutcome(request, task);
            return;
        }
        task.waitingRequests.add(request);
        if (task.status.equals("input_required")) {
            String params = responses.withCallId(request, QUESTION, relatedTaskMeta(task));
            core.stdio()
                    .writeLine(
                            ClientMessages.request(
                                    "\"" + task.id + "\"", "elicitation/create", params));
        }
    }

    /** The client answered the question of a task; false if the answer is to another question. */
    synchronized boolean onResponse(JsonTree response) {
        JsonTree id = response.member("id").orElse(JsonTree.Literal.NULL);
        Task task = id instanceof JsonTree.Str text ? tasks.get(text.value()) : null;
        if (task == null) {
            return false;
        }
        task.resultText =
                response.member("result")
                        .or(() -> response.member("error"))
                        .map(JsonTree::write)
                        .orElse("nothing");
        finish(task, "completed");
        return true;
    }

    private void finish(Task task, String status) {
        if (task.isOver()) {
            return;
        }
        if (!task.token.isEmpty()) {
            responses.sendNotification(
                    "notifications/progress",
                    "{\"progressToken\":" + task.token + ",\"progress\":1}");
        }
        task.status = status;
        String members = task.modern ? taskDetails(task) : task.members(task.status);
        streams.notifyTask(task.id, members, task.modern);
        task.waitingRequests.forEach(request -> sendOutcome(request, task));
        task.waitingRequests.clear();
    }

    private void sendOutcome(ScriptedRequest request, Task task) {
        if (task.mode.equals("error")) {
            responses.sendError(request, -32050, "It could not be done");
        } else if (task.status.equals("cancelled")) {
            responses.sendError(request, -32602, "The task was cancelled");
        } else {
            responses.sendResult(
                    request, payload(task, ",\"_meta\":{" + relatedTaskMeta(task) + ",\"k\":1}"));
        }
    }

    private static String relatedTaskMeta(Task task) {
        return "\"io.modelcontextprotocol/related-task\":{\"taskId\":"
                + StrictJson.quote(task.id)
                + "}";
    }

    private static String payload(Task task, String more) {
        String failed = task.mode.equals("fail") ? ",\"isError\":true" : "";
        return ScriptedResponses.textContent(task.resultText) + failed + more;
    }

    /** A task as {@code tasks/get} shows it: in the extension with all that comes with it. */
    private static String taskDetails(Task task) {
        String members = task.members(task.status);
        if (!task.modern) {
            return members;
        }
        return switch (task.status) {
            case "completed" ->
                    members + ",\"result\":{" + payload(task, ",\"_meta\":{\"k\":1}") + "}";
            case "failed" ->
                    members + ",\"error\":{\"code\":-32050,\"message\":\"It could not be done\"}";
            case "input_required" ->
                    members
                            + ",\"inputRequests\":{\"k1\":{\"method\":\"elicitation/create\","
                            + "\"params\":{"
                            + QUESTION
                            + "}}}";
            default -> members;
        };
    }
}
