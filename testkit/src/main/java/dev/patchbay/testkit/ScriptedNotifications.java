package dev.patchbay.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What a {@link ScriptedServer} announces: to a legacy session, and to modern listen streams. One
 * that is acknowledged hears of the next change, and of none before.
 */
final class ScriptedNotifications {
    private static final int STREAMS_MAX = 10_000;
    private static final long TICK_MILLIS = 10;

    private final ScriptedServerContext core;
    private final ScriptedResponses responses;
    private final Map<String, JsonTree> listeners = new LinkedHashMap<>();
    private final Set<String> subscribed = new HashSet<>();
    private volatile boolean legacySession;
    private volatile String lastStamp = "";

    ScriptedNotifications(ScriptedServerContext core) {
        this.core = core;
        this.responses = core.responses();
    }

    /** A legacy session is open: it hears of every change. */
    void legacySession() {
        legacySession = true;
    }

    /** What the script wants once the handshake is over. */
    void onReady() {
        ScriptedServerOptions options = core.options();
        if (options.has("storm")) {
            String[] parts = options.text("storm", "").split(":", -1);
            startStorm(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
        }
        if (options.has("watch")) {
            lastStamp = toolsFileStamp();
            core.scheduleRepeatedly(options.number("watch", 50), this::checkToolsFile);
        }
    }

    synchronized void listen(ScriptedRequest request) {
        JsonTree filter = request.param("notifications").orElse(JsonTree.Literal.NULL);
        if (filter.member("taskIds").isPresent() && !ScriptedTasks.isDeclared(request)) {
            responses.sendError(request, -32021, "Missing client capability");
            return;
        }
        if (listeners.size() >= STREAMS_MAX) {
            responses.sendError(request, -32603, "Too many streams");
            return;
        }
        responses.sendNotification(
                "notifications/subscriptions/acknowledged",
                "{\"notifications\":"
                        + filter.write()
                        + ","
                        + subscriptionMeta(request.id())
                        + "}");
        listeners.put(request.id(), filter);
    }

    /** Ends a listen stream, if this is the id of one. */
    synchronized void removeListener(String id) {
        listeners.remove(id);
    }

    /** A legacy session wants to hear of a resource, or does not any more. */
    synchronized void subscribe(ScriptedRequest request) {
        String uri = request.param("uri").map(JsonTree::asText).orElse("");
        if (request.method().equals("resources/subscribe")) {
            subscribed.add(uri);
        } else {
            subscribed.remove(uri);
        }
        responses.sendResult(request, "");
    }

    /** Says n times that the list of tools, resources or prompts changed. */
    synchronized void notifyListChanged(String kind, int n) {
        String method = "notifications/" + kind + "/list_changed";
        for (int i = 0; i < n; i++) {
            if (legacySession) {
                responses.sendNotification(method, "");
            }
            for (var listener : listeners.entrySet()) {
                var wanted = listener.getValue().member(kind + "ListChanged");
                if (wanted.isPresent() && wanted.get() == JsonTree.Literal.TRUE) {
                    responses.sendNotification(
                            method, "{" + subscriptionMeta(listener.getKey()) + "}");
                }
            }
        }
    }

    /** Says that a resource changed, to those who asked for it; to a session anyway if wanted. */
    synchronized void notifyResourceUpdated(String uri, boolean anyway) {
        String quoted = "\"uri\":" + StrictJson.quote(uri);
        String method = "notifications/resources/updated";
        if (legacySession && (anyway || subscribed.contains(uri))) {
            responses.sendNotification(method, "{" + quoted + "}");
        }
        for (var listener : listeners.entrySet()) {
            var uris = listener.getValue().member("resourceSubscriptions");
            if (uris.isPresent() && uris.get().asList().contains(new JsonTree.Str(uri))) {
                responses.sendNotification(
                        method, "{" + quoted + "," + subscriptionMeta(listener.getKey()) + "}");
            }
        }
    }

    /** Tells of a task: a session always, a stream if it asked for it. */
    synchronized void notifyTask(String id, String members, boolean modern) {
        if (legacySession && !modern) {
            responses.sendNotification("notifications/tasks/status", "{" + members + "}");
        }
        for (var listener : listeners.entrySet()) {
            var ids = listener.getValue().member("taskIds");
            if (modern && ids.isPresent() && ids.get().asList().contains(new JsonTree.Str(id))) {
                responses.sendNotification(
                        "notifications/tasks",
                        "{" + members + "," + subscriptionMeta(listener.getKey()) + "}");
            }
        }
    }

    private void startStorm(int perSecond, int seconds) {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        int perTick = Math.max(1, (int) (perSecond * TICK_MILLIS / 1000));
        core.scheduleRepeatedly(
                TICK_MILLIS,
                () -> {
                    if (System.nanoTime() < end) {
                        notifyListChanged("tools", perTick);
                    }
                });
    }

    private void checkToolsFile() {
        String now = toolsFileStamp();
        if (!now.equals(lastStamp)) {
            lastStamp = now;
            notifyListChanged("tools", 1);
        }
    }

    private String toolsFileStamp() {
        try {
            Path file = Path.of(core.options().text("tools-file", ""));
            return Files.getLastModifiedTime(file) + " " + Files.size(file);
        } catch (IOException e) {
            return lastStamp; // between two versions of the file
        }
    }

    private static String subscriptionMeta(String id) {
        return "\"_meta\":{\"" + ScriptedResponses.SUBSCRIPTION_KEY + "\":" + id + "}";
    }
}
