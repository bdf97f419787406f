package dev.patchbay.clients;

import dev.patchbay.gateway.CallResult;
import dev.patchbay.gateway.GatewayView;
import dev.patchbay.gateway.ServerTask;
import dev.patchbay.gateway.SubscriptionResult;
import dev.patchbay.gateway.TaskRegistry;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.McpErrorCodes;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.TaskMessages;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * Handles requests about tasks. Each client has its own id for a task; the request goes to the
 * server that runs the task.
 */
final class TaskRequestHandler {
    private final GatewayView view;

    TaskRequestHandler(GatewayView view) {
        this.view = view;
    }

    /** The params of a call without the task member, unless the client can ask for tasks. */
    static Json withoutUnsupportedTask(Json params, ClientContext caller) {
        return hasLegacyTasks(caller) ? params : MemberPatch.without(params, TaskMessages.TASK);
    }

    private static boolean hasLegacyTasks(ClientContext caller) {
        return caller.version() == ProtocolVersion.V2025_11_25;
    }

    /** The result of a call. If it started a task, the result has the client's id of the task. */
    CallResult withClientTaskId(CallResult reply, ClientContext caller) {
        return reply instanceof CallResult.Answered(ServerId server, Json result)
                ? new CallResult.Answered(server, withClientTaskId(server, result, caller))
                : reply;
    }

    private Json withClientTaskId(ServerId server, Json result, ClientContext caller) {
        if (hasLegacyTasks(caller)) {
            String id = TaskMessages.legacyTaskId(result);
            return id == null
                    ? result
                    : TaskMessages.withLegacyTaskId(result, registerTask(server, id, caller));
        }
        String id = hasTasksExtension(caller) ? TaskMessages.modernTaskId(result) : null;
        return id == null
                ? result
                : TaskMessages.withTaskId(result, registerTask(server, id, caller));
    }

    private static boolean hasTasksExtension(ClientContext caller) {
        return caller.version().era() == Era.MODERN
                && TaskMessages.hasTasksExtension(caller.capabilities());
    }

    private String registerTask(ServerId server, String id, ClientContext caller) {
        var task = new ServerTask(server, caller.version().era(), id);
        return view.tasks().register(task, caller.principal(), sessionOf(caller));
    }

    /** The session that is notified of its tasks; null for a modern client. */
    private static TaskRegistry.@Nullable TaskListener sessionOf(ClientContext caller) {
        return caller.session() instanceof TaskRegistry.TaskListener client ? client : null;
    }

    /** Handles a request about a task. */
    Json serve(McpMethod method, Json params, ClientContext caller) throws InterruptedException {
        ServerTask task = findTask(params, caller);
        String name = clientTaskId(params);
        var ear = new TaskCallListener(new ClientCallListener(caller, params), task, name);
        CallResult reply =
                view.relay(
                        task.server(),
                        method.wireName(),
                        TaskMessages.withRelatedTaskId(
                                TaskMessages.withTaskId(params, task.id()), task.id()),
                        caller.callContext(ear));
        Json result = ErrorMapping.toResult(reply, method, caller);
        return result.member(TaskMessages.TASK_ID) == null || method == McpMethod.TASKS_RESULT
                ? TaskMessages.withRelatedTaskId(result, name)
                : TaskMessages.withTaskId(result, name);
    }

    /** Notifies a modern client of its task until the subscription is stopped. */
    McpService.Subscription subscribe(Json params, ClientContext caller, Consumer<Json> updates)
            throws InterruptedException {
        SubscriptionResult subscribed =
                view.tasks()
                        .subscribe(
                                findTask(params, caller),
                                clientTaskId(params),
                                caller.callContext(new ClientCallListener(caller, params)),
                                updates);
        Json _ = ErrorMapping.toResult(subscribed.result(), McpMethod.LISTEN, caller);
        return subscribed.stop()::run;
    }

    private ServerTask findTask(Json params, ClientContext caller) {
        requireTasksExtension(caller);
        Era form = caller.version().era();
        ServerTask task =
                view.tasks()
                        .find(clientTaskId(params), form, caller.principal(), sessionOf(caller));
        if (task == null) {
            throw new RpcException(RpcError.INVALID_PARAMS, "Invalid params: no such task");
        }
        return task;
    }

    /** A modern client declares tasks with each request. */
    static void requireTasksExtension(ClientContext caller) {
        if (caller.version().era() == Era.MODERN && !hasTasksExtension(caller)) {
            Json needed =
                    new JsonWriter()
                            .beginObject()
                            .member(
                                    "requiredCapabilities",
                                    TaskMessages.withTasksExtension(Json.EMPTY_OBJECT))
                            .endObject()
                            .toJson();
            throw new RpcException(
                    new RpcError(
                            McpErrorCodes.MISSING_CLIENT_CAPABILITY,
                            "The client did not declare tasks",
                            needed));
        }
    }

    private static String clientTaskId(Json params) {
        String name = params.memberText(TaskMessages.TASK_ID);
        return name == null ? "" : name;
    }
}
