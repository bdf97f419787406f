package dev.patchbay.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tasks of a {@link ScriptedServer}: those of 2025-11-25, and those of the extension. */
final class ServerTasks {
    private static final String EXTENSION = "io.modelcontextprotocol/tasks";
    private static final String QUESTION =
            "\"message\":\"Name?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"
                    + "{\"name\":{\"type\":\"string\"}}}";
    private static final String AT = "\"2026-01-01T00:00:00Z\"";
    private static final int TASKS_MAX = 10_000;

    /** One task, and those who wait for its end. */
    private static final class Task {
        private final String id;
        private final String how;
        private final boolean modern;
        private final List<ServerRequest> waiting = new ArrayList<>();
        private String token = "";
        private String status;
        private String said = "done as a task";

        Task(String id, String how, boolean modern) {
            this.id = id;
            this.how = how;
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

        boolean over() {
            return !status.equals("working") && !status.equals("input_required");
        }

        String members(String shown) {
            String form = modern ? "\"ttlMs\":null,\"pollIntervalMs\":20" : "\"ttl\":null";
            return "\"taskId\":%s,\"status\":\"%s\",\"createdAt\":%s,\"lastUpdatedAt\":%s,%s"
                    .formatted(StrictJson.quote(id), shown, AT, AT, form);
        }
    }

    private final ServerCore core;
    private final ServerAnswers answers;
    private final ServerStreams streams;
    private final Map<String, Task> tasks = new LinkedHashMap<>();

    ServerTasks(ServerCore core, ServerStreams streams) {
        this.core = core;
        this.answers = core.answers();
        this.streams = streams;
    }

    /** The member of the capabilities that says so, with a comma before it. */
    static String capability(boolean modern) {
        return modern
                ? ",\"extensions\":{\"" + EXTENSION + "\":{}}"
                : ",\"tasks\":{\"list\":{},\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}";
    }

    static boolean isDeclared(ServerRequest request) {
        return request.param("_meta", Messages.CAPABILITIES_KEY, "extensions", EXTENSION)
                .isPresent();
    }

    /** Plays a behaviour by name; says whether it is one of these. */
    synchronized boolean play(String behaviour, ServerRequest call) {
        switch (behaviour) {
            case "task" -> begin(call);
            case "finishTask" -> {
                Task task = tasks.get(call.text("task", ""));
                if (task != null) {
                    end(task, "completed");
                }
                answers.text(call, "finished");
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void begin(ServerRequest call) {
        boolean asked = call.modern() ? isDeclared(call) : call.param("task").isPresent();
        if (!asked && call.text("optional", "false").equals("true")) {
            answers.text(call, "done at once");
        } else if (!asked && call.modern()) {
            undeclared(call);
        } else if (!asked) {
            answers.error(call, -32601, "This tool runs as a task");
        } else if (tasks.size() >= TASKS_MAX) {
            answers.error(call, -32603, "Too many tasks");
        } else {
            String id = "t-" + (tasks.size() + 1);
            var task = new Task(id, call.text("how", "done"), call.modern());
            task.token = call.param("_meta", "progressToken").map(JsonTree::write).orElse("");
            tasks.put(id, task);
            answers.result(
                    call,
                    call.modern()
                            ? "\"resultType\":\"task\"," + task.members("working")
                            : "\"task\":{" + task.members("working") + "}");
        }
    }

    private void undeclared(ServerRequest request) {
        String needed = "{\"requiredCapabilities\":{\"extensions\":{\"" + EXTENSION + "\":{}}}}";
        answers.error(request, -32021, "Missing client capability", needed);
    }

    /** Answers a method of tasks; says whether it is one. */
    synchronized boolean serve(ServerRequest request) {
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
        Task task = tasks.get(request.param("taskId").map(JsonTree::text).orElse(""));
        if (request.modern() && !isDeclared(request)) {
            undeclared(request);
        } else if (task == null || task.modern != request.modern()) {
            answers.error(request, -32602, "No such task");
        } else {
            switch (method) {
                case "tasks/get" -> answers.result(request, detailed(task));
                case "tasks/cancel" -> cancel(request, task);
                case "tasks/update" -> update(request, task);
                default -> result(request, task);
            }
        }
        return true;
    }

    private void cancel(ServerRequest request, Task task) {
        if (task.over() && !request.modern()) {
            answers.error(request, -32602, "The task is over");
            return;
        }
        if (!task.over()) {
            end(task, "cancelled");
        }
        answers.result(request, request.modern() ? "" : task.members(task.status));
    }

    private void update(ServerRequest request, Task task) {
        if (task.status.equals("input_required")
                && request.param("inputResponses", "k1").isPresent()) {
            task.said = request.rawParam("inputResponses");
            end(task, "completed");
        }
        answers.result(request, "");
    }

    /** Waits for the end; a task that needs input asks for it meanwhile. */
    private void result(ServerRequest request, Task task) {
        if (task.over()) {
            tell(request, task);
            return;
        }
        task.waiting.add(request);
        if (task.status.equals("input_required")) {
            String params = answers.marked(request, QUESTION, related(task));
            core.wire().line(Messages.request("\"" + task.id + "\"", "elicitation/create", params));
        }
    }

    /** The client answered the question of a task; false if the answer is to another question. */
    synchronized boolean answered(JsonTree response) {
        JsonTree id = response.member("id").orElse(JsonTree.Literal.NULL);
        Task task = id instanceof JsonTree.Str text ? tasks.get(text.value()) : null;
        if (task == null) {
            return false;
        }
        task.said =
                response.member("result")
                        .or(() -> response.member("error"))
                        .map(JsonTree::write)
                        .orElse("nothing");
        end(task, "completed");
        return true;
    }

    private void end(Task task, String status) {
        if (task.over()) {
            return;
        }
        if (!task.token.isEmpty()) {
            answers.notification(
                    "notifications/progress",
                    "{\"progressToken\":" + task.token + ",\"progress\":1}");
        }
        task.status = status;
        String members = task.modern ? detailed(task) : task.members(task.status);
        streams.tasked(task.id, members, task.modern);
        task.waiting.forEach(request -> tell(request, task));
        task.waiting.clear();
    }

    private void tell(ServerRequest request, Task task) {
        if (task.how.equals("error")) {
            answers.error(request, -32050, "It could not be done");
        } else if (task.status.equals("cancelled")) {
            answers.error(request, -32602, "The task was cancelled");
        } else {
            answers.result(request, payload(task, ",\"_meta\":{" + related(task) + ",\"k\":1}"));
        }
    }

    private static String related(Task task) {
        return "\"io.modelcontextprotocol/related-task\":{\"taskId\":"
                + StrictJson.quote(task.id)
                + "}";
    }

    private static String payload(Task task, String more) {
        String failed = task.how.equals("fail") ? ",\"isError\":true" : "";
        return ServerAnswers.textContent(task.said) + failed + more;
    }

    /** A task as {@code tasks/get} shows it: in the extension with all that comes with it. */
    private static String detailed(Task task) {
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
