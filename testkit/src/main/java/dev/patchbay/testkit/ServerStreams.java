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
final class ServerStreams {
    private static final int STREAMS_MAX = 10_000;
    private static final long TICK_MILLIS = 10;

    private final ServerCore core;
    private final ServerAnswers answers;
    private final Map<String, JsonTree> listeners = new LinkedHashMap<>();
    private final Set<String> subscribed = new HashSet<>();
    private volatile boolean session;
    private volatile String seen = "";

    ServerStreams(ServerCore core) {
        this.core = core;
        this.answers = core.answers();
    }

    /** A legacy session is open: it hears of every change. */
    void session() {
        session = true;
    }

    /** What the script wants once the handshake is over. */
    void ready() {
        ServerOptions options = core.options();
        if (options.has("storm")) {
            String[] parts = options.text("storm", "").split(":", -1);
            storm(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
        }
        if (options.has("watch")) {
            seen = stamp();
            core.every(options.number("watch", 50), this::look);
        }
    }

    synchronized void listen(ServerRequest request) {
        JsonTree filter = request.param("notifications").orElse(JsonTree.Literal.NULL);
        if (filter.member("taskIds").isPresent() && !ServerTasks.isDeclared(request)) {
            answers.error(request, -32021, "Missing client capability");
            return;
        }
        if (listeners.size() >= STREAMS_MAX) {
            answers.error(request, -32603, "Too many streams");
            return;
        }
        answers.notification(
                "notifications/subscriptions/acknowledged",
                "{\"notifications\":" + filter.write() + "," + meta(request.id()) + "}");
        listeners.put(request.id(), filter);
    }

    /** Ends a listen stream, if this is the id of one. */
    synchronized void cancel(String id) {
        listeners.remove(id);
    }

    /** A legacy session wants to hear of a resource, or does not any more. */
    synchronized void subscribe(ServerRequest request) {
        String uri = request.param("uri").map(JsonTree::text).orElse("");
        if (request.method().equals("resources/subscribe")) {
            subscribed.add(uri);
        } else {
            subscribed.remove(uri);
        }
        answers.result(request, "");
    }

    /** Says n times that the list of tools, resources or prompts changed. */
    synchronized void changed(String kind, int n) {
        String method = "notifications/" + kind + "/list_changed";
        for (int i = 0; i < n; i++) {
            if (session) {
                answers.notification(method, "");
            }
            for (var listener : listeners.entrySet()) {
                var wanted = listener.getValue().member(kind + "ListChanged");
                if (wanted.isPresent() && wanted.get() == JsonTree.Literal.TRUE) {
                    answers.notification(method, "{" + meta(listener.getKey()) + "}");
                }
            }
        }
    }

    /** Says that a resource changed, to those who asked for it; to a session anyway if wanted. */
    synchronized void updated(String uri, boolean anyway) {
        String quoted = "\"uri\":" + StrictJson.quote(uri);
        String method = "notifications/resources/updated";
        if (session && (anyway || subscribed.contains(uri))) {
            answers.notification(method, "{" + quoted + "}");
        }
        for (var listener : listeners.entrySet()) {
            var uris = listener.getValue().member("resourceSubscriptions");
            if (uris.isPresent() && uris.get().list().contains(new JsonTree.Str(uri))) {
                answers.notification(method, "{" + quoted + "," + meta(listener.getKey()) + "}");
            }
        }
    }

    /** Tells of a task: a session always, a stream if it asked for it. */
    synchronized void tasked(String id, String members, boolean modern) {
        if (session && !modern) {
            answers.notification("notifications/tasks/status", "{" + members + "}");
        }
        for (var listener : listeners.entrySet()) {
            var ids = listener.getValue().member("taskIds");
            if (modern && ids.isPresent() && ids.get().list().contains(new JsonTree.Str(id))) {
                answers.notification(
                        "notifications/tasks", "{" + members + "," + meta(listener.getKey()) + "}");
            }
        }
    }

    private void storm(int perSecond, int seconds) {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        int perTick = Math.max(1, (int) (perSecond * TICK_MILLIS / 1000));
        core.every(
                TICK_MILLIS,
                () -> {
                    if (System.nanoTime() < end) {
                        changed("tools", perTick);
                    }
                });
    }

    private void look() {
        String now = stamp();
        if (!now.equals(seen)) {
            seen = now;
            changed("tools", 1);
        }
    }

    private String stamp() {
        try {
            Path file = Path.of(core.options().text("tools-file", ""));
            return Files.getLastModifiedTime(file) + " " + Files.size(file);
        } catch (IOException e) {
            return seen; // between two versions of the file
        }
    }

    private static String meta(String id) {
        return "\"_meta\":{\"" + ServerAnswers.SUBSCRIPTION_KEY + "\":" + id + "}";
    }
}
