package dev.patchbay.testkit;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Leads each line a {@link ScriptedServer} receives to the part that answers it. */
final class ServerDispatch {
    private static final int CALLS_MAX = 10_000;

    private final ServerCore core;
    private final ServerAnswers answers;
    private final ServerTools tools;
    private final ServerLists lists;
    private final ServerHandshake handshake;
    private final ServerStreams streams;
    private final ServerCallbacks callbacks;
    private final ServerTasks tasks;
    private final ToolBehaviours behaviours;
    private final WireFaults wireFaults;
    private final ProcessFaults processFaults;
    private final boolean legacyOnly;
    private final Map<String, String> actions = new HashMap<>();
    private final Map<String, ServerRequest> calls = new LinkedHashMap<>();
    private boolean ready;

    ServerDispatch(ServerCore core, ProcessFaults processFaults) {
        this.core = core;
        this.answers = core.answers();
        this.tools = new ServerTools(core.options());
        this.lists = new ServerLists(core.options(), answers, tools);
        this.handshake = new ServerHandshake(core.options(), answers, lists, tools);
        this.streams = new ServerStreams(core);
        this.callbacks = new ServerCallbacks(core);
        this.tasks = new ServerTasks(core, streams);
        this.behaviours = new ToolBehaviours(core, streams);
        this.wireFaults = new WireFaults(core);
        this.processFaults = processFaults;
        this.legacyOnly = core.options().text("era", "legacy").equals("legacy");
        for (String entry : core.options().list("at", "")) {
            int equals = entry.indexOf('=');
            actions.put(entry.substring(0, equals), entry.substring(equals + 1));
        }
    }

    void accept(byte[] line) {
        Optional<JsonTree> parsed = StrictJson.tryParse(line);
        if (parsed.isEmpty()) {
            core.wire().line(ServerAnswers.errorLine("null", -32700, "Parse error", ""));
            return;
        }
        JsonTree message = parsed.get();
        if (!(message.member("method").orElse(JsonTree.Literal.NULL) instanceof JsonTree.Str)) {
            if (!tasks.answered(message)) {
                callbacks.answered(message);
            }
        } else if (message.has("id")) {
            request(ServerRequest.of(line, message, legacyOnly));
        } else {
            notified(message);
        }
    }

    private void notified(JsonTree message) {
        String method = message.at("method").text();
        if (method.equals("notifications/initialized")) {
            handshake.initialized();
            streams.session();
            ready();
        } else if (method.equals("notifications/cancelled")) {
            String id = message.find("params", "requestId").map(JsonTree::write).orElse("");
            cancel(id);
            streams.cancel(id);
        }
    }

    private synchronized void cancel(String id) {
        ServerRequest call = calls.remove(id);
        if (call != null) {
            call.cancel();
        }
    }

    /** Keeps the newest calls, so that a cancellation finds its own. */
    private synchronized void remember(ServerRequest call) {
        calls.put(call.id(), call);
        if (calls.size() > CALLS_MAX) {
            calls.remove(calls.keySet().iterator().next());
        }
    }

    private void request(ServerRequest request) {
        String method = request.method();
        boolean list = method.endsWith("/list");
        String paged = list ? method + ":" + lists.page(request) : method;
        String action = actions.getOrDefault(paged, actions.getOrDefault(method, ""));
        String[] parts = action.split(":", 2);
        int number = parts.length == 2 ? Integer.parseInt(parts[1]) : 0;
        switch (parts[0]) {
            case "" -> serve(request);
            case "hang" -> {
                // the record shows the request
            }
            case "error" -> answers.error(request, number, "Refused by the script");
            case "delay" -> core.later(number, () -> serve(request));
            case "crash" -> ProcessFaults.end(number);
            case "eof" -> core.wire().closeOutput();
            default -> throw new IllegalArgumentException("Unknown action " + action);
        }
    }

    private void serve(ServerRequest request) {
        if (handshake.refuses(request)) {
            return;
        }
        switch (request.method()) {
            case "initialize" -> handshake.initialize(request);
            case "server/discover" -> {
                if (handshake.discover(request)) {
                    ready();
                }
            }
            case "ping", "logging/setLevel" -> answers.result(request, "");
            case "tools/list" -> lists.tools(request);
            case "tools/call" -> call(request);
            case "subscriptions/listen" -> {
                if (request.modern()) {
                    streams.listen(request);
                } else {
                    unknown(request);
                }
            }
            case "completion/complete" ->
                    answers.result(request, "\"completion\":{\"values\":[\"one\",\"two\"]}");
            default -> serveOptional(request);
        }
    }

    /** The methods that exist only with their capability. */
    private void serveOptional(ServerRequest request) {
        String method = request.method();
        boolean resources = lists.hasResources() && method.startsWith("resources/");
        boolean prompts = lists.hasPrompts() && method.startsWith("prompts/");
        if (!resources && !prompts) {
            if (!tools.hasTasks() || !tasks.serve(request)) {
                unknown(request);
            }
            return;
        }
        switch (method) {
            case "resources/list" -> lists.resources(request);
            case "resources/templates/list" -> lists.templates(request);
            case "resources/read" -> lists.read(request);
            case "resources/subscribe", "resources/unsubscribe" -> streams.subscribe(request);
            case "prompts/list" -> lists.prompts(request);
            case "prompts/get" -> lists.prompt(request);
            default -> unknown(request);
        }
    }

    private void unknown(ServerRequest request) {
        answers.error(request, -32601, "Method not found: " + request.method());
    }

    private void call(ServerRequest request) {
        JsonTree name = request.param("name").orElse(JsonTree.Literal.NULL);
        String tool = name instanceof JsonTree.Str string ? string.value() : "";
        Optional<ServerTools.Behaviour> found = tools.behaviour(tool);
        if (found.isEmpty()) {
            answers.error(request, -32602, "Unknown tool: " + tool);
            return;
        }
        String behaviour = found.get().name();
        ServerRequest call = request.with(found.get().defaults());
        remember(call);
        boolean played =
                tasks.play(behaviour, call)
                        || behaviours.play(behaviour, call)
                        || wireFaults.play(behaviour, call)
                        || callbacks.play(behaviour, call)
                        || processFaults.play(behaviour, call);
        if (!played) {
            answers.text(call, tool);
        }
    }

    private void ready() {
        if (!ready) {
            ready = true;
            streams.ready();
            processFaults.ready();
        }
    }
}
