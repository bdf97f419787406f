package dev.patchbay.clients;

import dev.patchbay.gateway.CallContext;
import dev.patchbay.gateway.CallResult;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.Invocation;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.server.CallListener;

/**
 * Forwards requests of clients to servers. A server may ask for input before it answers; the
 * client's era decides how the client is asked.
 */
final class RequestForwarder {
    private final Gateway gateway;
    private final TaskRequestHandler tasks;
    private final SuspendedCallRegistry suspendedCalls = new SuspendedCallRegistry();

    RequestForwarder(Gateway gateway, TaskRequestHandler tasks) {
        this.gateway = gateway;
        this.tasks = tasks;
    }

    /** Forwards a request that the server may answer by asking for input. Does not block. */
    void start(McpMethod method, Json params, ClientContext client, Responder responder) {
        var listener = new ClientCallListener(client, params);
        if (client.version().era() == Era.LEGACY) {
            new InputRequestLoop(this, method, client, listener).start(params, responder);
            return;
        }
        var key = SuspendedCallRegistry.RequestKey.of(method, params, client);
        SuspendedCall call = suspendedCalls.take(params, key);
        if (call == null) {
            call = new SuspendedCall(suspendedCalls, key, listener, responder);
            send(method, params, client, call, call);
        } else {
            call.resume(params.member("inputResponses"), listener, responder);
        }
        responder.onCancel(call::stop);
    }

    /** Sends a request once. The result may ask for input. Does not block. */
    void send(
            McpMethod method,
            Json params,
            ClientContext client,
            CallListener listener,
            Responder responder) {
        Runnable cancel =
                method == McpMethod.TOOLS_CALL
                        ? gateway.tryInvoke(
                                toolName(params),
                                params,
                                client.callContext(listener),
                                result -> respond(result, method, client, responder))
                        : null;
        if (cancel == null) {
            responder.fork(() -> sendAndWait(method, params, client, listener));
        } else {
            responder.onCancel(cancel);
        }
    }

    private void respond(
            CallResult result, McpMethod method, ClientContext client, Responder responder) {
        Json json;
        try {
            json = ErrorMapping.toResult(tasks.withClientTaskId(result, client), method, client);
        } catch (RpcException e) {
            responder.fail(e.error());
            return;
        }
        responder.succeed(json);
    }

    /** Sends a request once and waits for the result, which may ask for input. */
    Json sendAndWait(McpMethod method, Json params, ClientContext client, CallListener listener)
            throws InterruptedException {
        CallContext context = client.callContext(listener);
        CallResult result =
                switch (method) {
                    case TOOLS_CALL -> callTool(params, client, context);
                    case PROMPTS_GET -> gateway.prompt(params, context);
                    case COMPLETE -> gateway.complete(params, context);
                    default -> gateway.resource(method.wireName(), params, context);
                };
        String uri = params.memberText("uri");
        if (uri != null
                && result instanceof CallResult.Rejected rejected
                && rejected.reason() == ErrorReason.RESOURCE_NOT_FOUND) {
            throw ErrorMapping.resourceNotFound(rejected, uri);
        }
        return ErrorMapping.toResult(tasks.withClientTaskId(result, client), method, client);
    }

    private CallResult callTool(Json params, ClientContext client, CallContext context)
            throws InterruptedException {
        Json supported = TaskRequestHandler.withoutUnsupportedTask(params, client);
        return gateway.invoke(new Invocation(toolName(params), null, supported, null, context))
                .callResult();
    }

    private static String toolName(Json params) {
        String name = params.memberText("name");
        return name == null ? "" : name;
    }
}
