package dev.patchbay.gateway;

import dev.patchbay.gateway.TaskRegistry.TaskListener;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.Era;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * The tasks that the clients of a view hold. An id is valid in the view in which the task was
 * started, and as long as the view shows the task's server.
 */
public final class ViewTasks {
    /** Separates principal and view; no principal contains it. */
    private static final char SEPARATOR = '\n';

    /** Passes on what a server reports of a task while the view shows the server. */
    private record VisibleTaskListener(TaskListener client, ServerId server, VisibleServers servers)
            implements TaskListener {
        @Override
        public void taskChanged(Json params) {
            if (servers.contains(server)) {
                client.taskChanged(params);
            }
        }

        @Override
        public boolean isFor(TaskListener other) {
            return client.equals(other);
        }
    }

    private final TaskRegistry tasks;
    private final String view;
    private final VisibleServers servers;

    ViewTasks(TaskRegistry tasks, String view, VisibleServers servers) {
        this.tasks = tasks;
        this.view = view;
        this.servers = servers;
    }

    /**
     * Registers a new task for its caller and returns the client's id.
     *
     * @param client is notified of the task; null for none
     */
    public String register(ServerTask task, String principal, @Nullable TaskListener client) {
        return tasks.register(task, holder(principal), visible(task, client));
    }

    /**
     * Finds a task by the client's id; null if it is not a task of this principal in this view.
     *
     * @param client is notified of the task from now on; null for none
     */
    public @Nullable ServerTask find(
            String name, Era form, String principal, @Nullable TaskListener client) {
        ServerTask task = tasks.find(name, form, holder(principal), null);
        return task == null || !servers.contains(task.server())
                ? null
                : tasks.find(name, form, holder(principal), visible(task, client));
    }

    /** Subscribes to a task of a modern server, by the client's id. */
    public SubscriptionResult subscribe(
            ServerTask task, String name, CallContext source, Consumer<Json> updates)
            throws InterruptedException {
        return tasks.subscribe(
                task,
                name,
                source,
                update -> {
                    if (servers.contains(task.server())) {
                        updates.accept(update);
                    }
                });
    }

    /** Removes a client. Its tasks continue. */
    public void removeListener(TaskListener client) {
        tasks.removeListener(client);
    }

    private String holder(String principal) {
        return view.isEmpty() ? principal : principal + SEPARATOR + view;
    }

    private @Nullable TaskListener visible(ServerTask task, @Nullable TaskListener client) {
        return client == null ? null : new VisibleTaskListener(client, task.server(), servers);
    }
}
