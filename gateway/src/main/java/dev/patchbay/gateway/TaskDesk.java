package dev.patchbay.gateway;

import dev.patchbay.catalog.ResourceRoute;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Tasks;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The tasks of servers that clients hold. An id is good for its principal without anything being
 * kept here; what is kept is who a server last gave a task to, which client hears of it, and what
 * that client calls it.
 */
public final class TaskDesk {
    private static final int HELD_MAX = 10_000;

    /** A client that is told of its tasks without asking. Must not wait. */
    public interface Client {
        /** The params of {@code notifications/tasks/status}, with the client's own id. */
        void taskChanged(Json params);
    }

    /** Who holds a task. */
    private record Held(String principal, String name, @Nullable Client client) {}

    private final TaskNames names;
    private final Map<ServerTask, Held> held =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<ServerTask, Held> eldest) {
                    return size() > HELD_MAX;
                }
            };

    private final Subscriptions watches;

    TaskDesk(@Nullable Path stateDir, Subscriptions.Sender sender) {
        names = new TaskNames(stateDir);
        watches = new Subscriptions(Subscriptions.Kind.TASKS, sender);
    }

    /**
     * Gives a task that a server has begun to the one who called for it; the id for the client. A
     * server that gives one id twice has given it to the second.
     *
     * @param client hears of the task; null if it does not want to
     */
    public String give(ServerTask task, String principal, @Nullable Client client) {
        String name = names.of(task, principal);
        synchronized (held) {
            held.put(task, new Held(principal, name, client));
        }
        return name;
    }

    /**
     * The task that a client calls so; null if it is none, or none of this principal.
     *
     * @param client hears of the task from now on; null if it does not want to
     */
    public @Nullable ServerTask find(
            String name, Era form, String principal, @Nullable Client client) {
        ServerTask task = names.find(name, form, principal);
        if (task == null) {
            return null;
        }
        synchronized (held) {
            Held before = held.get(task);
            if (before != null && !before.principal.equals(principal)) {
                return null;
            }
            if (client != null) {
                held.put(task, new Held(principal, name, client));
            }
        }
        return task;
    }

    /** A client is gone. Its tasks go on. */
    public void leave(Client client) {
        synchronized (held) {
            held.replaceAll(
                    (_, it) ->
                            client.equals(it.client) ? new Held(it.principal, it.name, null) : it);
        }
    }

    /**
     * Begins to tell of a task of a modern server.
     *
     * @param name what the client calls it
     * @param updates gets the params of {@code notifications/tasks}, with that name, on a thread
     *     that reads from the server
     */
    public Subscribed watch(ServerTask task, String name, CallSource source, Consumer<Json> updates)
            throws InterruptedException {
        var route = new ResourceRoute(task.server(), task.id());
        return watches.subscribe(route, name, source, updates);
    }

    /** A server has a new connection, over which it tells of nothing yet. */
    void connected(ServerId server) {
        watches.resubscribe(server);
    }

    /** A server told of a task. */
    void told(ServerId server, Era form, Json params) {
        String id = params.memberText(Tasks.TASK_ID);
        if (id == null) {
            return;
        }
        if (form == Era.MODERN) {
            watches.updated(server, params);
            return;
        }
        Held holder;
        synchronized (held) {
            holder = held.get(new ServerTask(server, form, id));
        }
        Client client = holder == null ? null : holder.client;
        if (holder != null && client != null) {
            client.taskChanged(Tasks.relatedTo(Tasks.called(params, holder.name), holder.name));
        }
    }
}
