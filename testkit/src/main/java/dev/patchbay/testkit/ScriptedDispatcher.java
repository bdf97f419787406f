package dev.patchbay.testkit;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Leads each line a {@link ScriptedServer} receives to the part that answers it. */
final class ScriptedDispatcher {
    private static final int CALLS_MAX = 10_000;

    private final ScriptedServerContext core;
    private final ScriptedResponses responses;
    private final ScriptedTools tools;
    private final ScriptedLists lists;
    private final ScriptedHandshake handshake;
    private final ScriptedNotifications streams;
    private final ScriptedClientRequests callbacks;
    private final ScriptedTasks tasks;
    private final ToolBehaviours behaviours;
    private final WireFaults wireFaults;
    private final ProcessFaults processFaults;
    private final boolean legacyOnly;
    private final Map<String, String> actions = new HashMap<>();
    private final Map<String, ScriptedRequest> openCalls = new LinkedHashMap<>();
    private boolean onReady;

    ScriptedDispatcher(ScriptedServerContext core, ProcessFaults processFaults) {
        this.core = core;
        this.responses = core.responses();
        this.tools = new ScriptedTools(core.options());
        this.lists = new ScriptedLists(core.options(), responses, tools);
        this.handshake = new ScriptedHandshake(core.options(), responses, lists, tools);
        this.streams = new ScriptedNotifications(core);
        this.callbacks = new ScriptedClientRequests(core);
        this.tasks = new ScriptedTasks(core, streams);
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
            core.stdio().writeLine(ScriptedResponses.errorLine("null", -32700, "Parse error", ""));
            return;
        }
        JsonTree message = parsed.get();
        if (!(message.member("method").orElse(JsonTree.Literal.NULL) instanceof JsonTree.Str)) {
            if (!tasks.onResponse(message)) {
                callbacks.onResponse(message);
            }
        } else if (message.has("id")) {
            onRequest(ScriptedRequest.of(line, message, legacyOnly));
        } else {
            onNotification(message);
        }
    }

    private void onNotification(JsonTree message) {
        String method = message.at("method").asText();
        if (method.equals("notifications/initialized")) {
            handshake.onInitialized();
            streams.legacySession();
            onReady();
        } else if (method.equals("notifications/cancelled")) {
            String id = message.findAt("params", "requestId").map(JsonTree::write).orElse("");
            cancel(id);
            streams.removeListener(id);
        }
    }

    private synchronized void cancel(String id) {
        ScriptedRequest call = openCalls.remove(id);
        if (call != null) {
            call.cancel();
        }
    }

    /** Keeps the newest calls, so that a cancellation finds its own. */
    private synchronized void remember(ScriptedRequest call) {
        openCalls.put(call.id(), call);
        if (openCalls.size() > CALLS_MAX) {
            openCalls.remove(openCalls.keySet().iterator().next());
        }
    }

    private void onRequest(ScriptedRequest request) {
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
            case "error" -> responses.sendError(request, number, "Refused by the script");
            case "delay" -> core.schedule(number, () -> serve(request));
            case "crash" -> ProcessFaults.exit(number);
            case "eof" -> core.stdio().closeOutput();
            default -> throw new IllegalArgumentException("Unknown action " + action);
        }
    }

    private void serve(ScriptedRequest request) {
        if (handshake.rejectIfNotAllowed(request)) {
            return;
        }
        switch (request.method()) {
            case "initialize" -> handshake.initialize(request);
            case "server/discover" -> {
                if (handshake.discover(request)) {
                    onReady();
                }
            }
            case "ping", "logging/setLevel" -> responses.sendResult(request, "");
            case "tools/list" -> lists.tools(request);
            case "tools/call" -> callTool(request);
            case "subscriptions/listen" -> {
                if (request.modern()) {
                    streams.listen(request);
                } else {
                    rejectUnknownMethod(request);
                }
            }
            case "completion/complete" ->
                    responses.sendResult(request, "\"completion\":{\"values\":[\"one\",\"two\"]}");
            default -> serveOptional(request);
        }
    }

    /** The methods that exist only with their capability. */
    private void serveOptional(ScriptedRequest request) {
        String method = request.method();
        boolean resources = lists.hasResources() && method.startsWith("resources/");
        boolean prompts = lists.hasPrompts() && method.startsWith("prompts/");
        if (!resources && !prompts) {
            if (!tools.hasTasks() || !tasks.serve(request)) {
                rejectUnknownMethod(request);
            }
            return;
        }
        switch (method) {
            case "resources/list" -> lists.resources(request);
            case "resources/templates/list" -> lists.templates(request);
            case "resources/read" -> lists.readResource(request);
            case "resources/subscribe", "resources/unsubscribe" -> streams.subscribe(request);
            case "prompts/list" -> lists.prompts(request);
            case "prompts/get" -> lists.sendPrompt(request);
            default -> rejectUnknownMethod(request);
        }
    }

    private void rejectUnknownMethod(ScriptedRequest request) {
        responses.sendError(request, -32601, "Method not found: " + request.method());
    }

    private void callTool(ScriptedRequest request) {
        JsonTree name = request.param("name").orElse(JsonTree.Literal.NULL);
        String tool = name instanceof JsonTree.Str string ? string.value() : "";
        Optional<ScriptedTools.Behaviour> found = tools.behaviour(tool);
        if (found.isEmpty()) {
            responses.sendError(request, -32602, "Unknown tool: " + tool);
            return;
        }
        String behaviour = found.get().name();
        ScriptedRequest call = request.with(found.get().defaults());
        remember(call);
        boolean played =
                tasks.tryRun(behaviour, call)
                        || behaviours.tryRun(behaviour, call)
                        || wireFaults.tryRun(behaviour, call)
                        || callbacks.tryRun(behaviour, call)
                        || processFaults.tryRun(behaviour, call);
        if (!played) {
            responses.sendText(call, tool);
        }
    }

    private void onReady() {
        if (!onReady) {
            onReady = true;
            streams.onReady();
            processFaults.onReady();
        }
    }
}
