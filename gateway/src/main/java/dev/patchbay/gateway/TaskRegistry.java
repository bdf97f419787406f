package dev.patchbay.gateway;

import dev.patchbay.catalog.ResourceRoute;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.TaskMessages;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The tasks that clients hold. An id is valid for its principal without stored state; stored is
 * only who holds a task, which client is notified, and the client's id.
 */
public final class TaskRegistry {
    private static final int HOLDERS_MAX = 10_000;

    /** A client that is notified of its tasks. Must not block. */
    public interface TaskListener {
        /** The params of {@code notifications/tasks/status}, with the client's own id. */
        void taskChanged(Json params);

        /** Whether this passes everything on to the given client. */
        default boolean isFor(TaskListener client) {
            return equals(client);
        }
    }

    /** The holder of a task. */
    private record TaskHolder(
            String principal, String clientTaskId, @Nullable TaskListener listener) {}

    private final TaskIdCodec ids;
    private final Map<ServerTask, TaskHolder> holders =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<ServerTask, TaskHolder> eldest) {
                    return size() > HOLDERS_MAX;
                }
            };

    private final Subscriptions subscriptions;

    TaskRegistry(@Nullable Path stateDir, Subscriptions.Sender sender) {
        ids = new TaskIdCodec(stateDir);
        subscriptions = new Subscriptions(Subscriptions.Kind.TASKS, sender);
    }

    /**
     * Registers a new task for its caller and returns the client's id. If a server reuses an id,
     * the last caller holds it.
     *
     * @param client is notified of the task; null for none
     */
    public String register(ServerTask task, String principal, @Nullable TaskListener client) {
        String name = ids.encode(task, principal);
        if (name.length() <= TaskIdCodec.ID_CHARS_MAX) {
            synchronized (holders) {
                holders.put(task, new TaskHolder(principal, name, client));
            }
        }
        return name;
    }

    /**
     * Finds a task by the client's id; null if it is not a task of this principal.
     *
     * @param client is notified of the task from now on; null for none
     */
    public @Nullable ServerTask find(
            String name, Era form, String principal, @Nullable TaskListener client) {
        ServerTask task = ids.decode(name, form, principal);
        if (task == null) {
            return null;
        }
        synchronized (holders) {
            TaskHolder before = holders.get(task);
            if (before != null && !before.principal.equals(principal)) {
                return null;
            }
            if (client != null) {
                holders.put(task, new TaskHolder(principal, name, client));
            }
        }
        return task;
    }

    /** Removes a client. Its tasks continue. */
    public void removeListener(TaskListener client) {
        synchronized (holders) {
            holders.replaceAll(
                    (_, it) ->
                            it.listener != null && it.listener.isFor(client)
                                    ? new TaskHolder(it.principal, it.clientTaskId, null)
                                    : it);
        }
    }

    /**
     * Subscribes to a task of a modern server.
     *
     * @param name the client's id
     * @param updates gets the params of {@code notifications/tasks} with that id, on a thread that
     *     reads from the server
     */
    public SubscriptionResult subscribe(
            ServerTask task, String name, CallContext source, Consumer<Json> updates)
            throws InterruptedException {
        var route = new ResourceRoute(task.server(), task.id());
        return subscriptions.subscribe(route, name, source, updates);
    }

    /** Receives what servers report about tasks. */
    EntryListener events() {
        return new EntryListener() {
            @Override
            public void connected(ConnectionId connection) {
                subscriptions.resubscribe(connection);
            }

            @Override
            public void notificationReceived(ServerId server, String method, Json params) {
                switch (method) {
                    case "notifications/tasks/status" ->
                            taskNotification(server, Era.LEGACY, params);
                    case "notifications/tasks" -> taskNotification(server, Era.MODERN, params);
                    default -> {}
                }
            }
        };
    }

    /** Forwards a server's notification about a task to its holder. */
    void taskNotification(ServerId server, Era form, Json params) {
        String id = params.memberText(TaskMessages.TASK_ID);
        if (id == null || id.length() > TaskIdCodec.ID_CHARS_MAX) {
            return; // a longer id cannot have been given to a client
        }
        if (form == Era.MODERN) {
            subscriptions.publishTaskUpdate(server, params);
            return;
        }
        TaskHolder holder;
        synchronized (holders) {
            holder = holders.get(new ServerTask(server, form, id));
        }
        TaskListener client = holder == null ? null : holder.listener;
        if (holder != null && client != null) {
            client.taskChanged(
                    TaskMessages.withRelatedTaskId(
                            TaskMessages.withTaskId(params, holder.clientTaskId),
                            holder.clientTaskId));
        }
    }
}
