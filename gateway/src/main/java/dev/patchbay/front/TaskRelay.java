package dev.patchbay.front;

import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.Reply;
import dev.patchbay.gateway.ServerTask;
import dev.patchbay.gateway.Subscribed;
import dev.patchbay.gateway.TaskDesk;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.Splice;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Codes;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Method;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.Tasks;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * Tasks of servers in the hands of clients: each client has an id of its own for a task, and what
 * it asks of the task goes to the server that runs it.
 */
final class TaskRelay {
    private final Gateway gateway;

    TaskRelay(Gateway gateway) {
        this.gateway = gateway;
    }

    /** The params of a call: only clients of one version can ask for a task. */
    static Json asked(Json params, Caller caller) {
        return hasLegacyTasks(caller) ? params : Splice.without(params, Tasks.TASK);
    }

    private static boolean hasLegacyTasks(Caller caller) {
        return caller.version() == ProtocolVersion.V2025_11_25;
    }

    /** The reply to a call; if it has begun a task, that has the client's own id. */
    Reply given(Reply reply, Caller caller) {
        return reply instanceof Reply.Answered(ServerId server, Json result)
                ? new Reply.Answered(server, given(server, result, caller))
                : reply;
    }

    private Json given(ServerId server, Json result, Caller caller) {
        if (hasLegacyTasks(caller)) {
            String id = Tasks.begun(result);
            return id == null ? result : Tasks.begunAs(result, give(server, id, caller));
        }
        String id = hasExtension(caller) ? Tasks.idOf(result) : null;
        return id == null ? result : Tasks.called(result, give(server, id, caller));
    }

    private static boolean hasExtension(Caller caller) {
        return caller.version().era() == Era.MODERN && Tasks.isDeclared(caller.capabilities());
    }

    private String give(ServerId server, String id, Caller caller) {
        var task = new ServerTask(server, caller.version().era(), id);
        return gateway.tasks().give(task, caller.principal(), client(caller));
    }

    /** A session hears of its tasks unasked. */
    private static TaskDesk.@Nullable Client client(Caller caller) {
        return caller.session() instanceof TaskDesk.Client client ? client : null;
    }

    /** Serves a request about a task. */
    Json serve(Method method, Json params, Caller caller) throws InterruptedException {
        ServerTask task = task(params, caller);
        String name = name(params);
        var ear = new TaskEar(new ClientEar(caller, params), task, name);
        Reply reply =
                gateway.relay(
                        task.server(),
                        method.wireName(),
                        Tasks.relatedTo(Tasks.called(params, task.id()), task.id()),
                        caller.source(ear));
        Json result = Refusals.result(reply, method, caller);
        return result.member(Tasks.TASK_ID) == null || method == Method.TASKS_RESULT
                ? Tasks.relatedTo(result, name)
                : Tasks.called(result, name);
    }

    /** Tells a modern client of its task until it does not want to hear of it any more. */
    Service.Subscription watch(Json params, Caller caller, Consumer<Json> updates)
            throws InterruptedException {
        Subscribed subscribed =
                gateway.tasks()
                        .watch(
                                task(params, caller),
                                name(params),
                                caller.source(new ClientEar(caller, params)),
                                updates);
        Json _ = Refusals.result(subscribed.reply(), Method.LISTEN, caller);
        return subscribed.stop()::run;
    }

    private ServerTask task(Json params, Caller caller) {
        requireExtension(caller);
        Era form = caller.version().era();
        ServerTask task =
                gateway.tasks().find(name(params), form, caller.principal(), client(caller));
        if (task == null) {
            throw new RpcException(RpcError.INVALID_PARAMS, "Invalid params: no such task");
        }
        return task;
    }

    /** A modern client says with each request that it knows tasks. */
    static void requireExtension(Caller caller) {
        if (caller.version().era() == Era.MODERN && !hasExtension(caller)) {
            Json needed =
                    new JsonWriter()
                            .beginObject()
                            .member("requiredCapabilities", Tasks.declared(Json.EMPTY_OBJECT))
                            .endObject()
                            .toJson();
            throw new RpcException(
                    new RpcError(
                            Codes.MISSING_CLIENT_CAPABILITY,
                            "The client did not declare tasks",
                            needed));
        }
    }

    private static String name(Json params) {
        String name = params.memberText(Tasks.TASK_ID);
        return name == null ? "" : name;
    }
}
