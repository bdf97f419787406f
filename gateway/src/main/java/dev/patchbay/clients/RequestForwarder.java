package dev.patchbay.clients;

import dev.patchbay.gateway.CallContext;
import dev.patchbay.gateway.CallResult;
import dev.patchbay.gateway.GatewayView;
import dev.patchbay.gateway.Invocation;
import dev.patchbay.gateway.InvocationResult;
import dev.patchbay.gateway.ToolCall;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.jsonrpc.SendResult;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.server.CallListener;

/**
 * Forwards requests of clients to servers. A server may ask for input before it answers; the
 * client's era decides how the client is asked.
 */
final class RequestForwarder {
    private final GatewayView view;
    private final TaskRequestHandler tasks;
    private final SuspendedCallRegistry suspendedCalls = new SuspendedCallRegistry();

    RequestForwarder(GatewayView view, TaskRequestHandler tasks) {
        this.view = view;
        this.tasks = tasks;
    }

    /** Forwards a request that the server may answer by asking for input. Does not block. */
    void start(McpMethod method, Json params, ClientContext client, Responder responder) {
        var listener = new ClientCallListener(client, params);
        if (client.version().era() == Era.LEGACY) {
            var loop = new InputRequestLoop(this, method, client, listener);
            send(method, params, client, listener, loop.firstRound(params, responder));
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
        if (method != McpMethod.TOOLS_CALL) {
            responder.fork(() -> sendAndWait(method, params, client, listener));
            return;
        }
        ToolCall call = toolCall(params, client, listener);
        SendResult sent = call.start(result -> respond(result, client, responder));
        switch (sent) {
            case SendResult.Sent it -> responder.onCancel(it::cancel);
            case SendResult.NotSent _ ->
                    responder.fork(() -> toJson(call.await().callResult(), method, client));
        }
    }

    private ToolCall toolCall(Json params, ClientContext client, CallListener listener) {
        String name = params.memberText("name");
        Json supported = TaskRequestHandler.withoutUnsupportedTask(params, client);
        return view.call(
                new Invocation(
                        name == null ? "" : name,
                        null,
                        supported,
                        null,
                        client.callContext(listener)));
    }

    private void respond(InvocationResult result, ClientContext client, Responder responder) {
        Json json;
        try {
            json = toJson(result.callResult(), McpMethod.TOOLS_CALL, client);
        } catch (RpcException e) {
            responder.fail(e.error());
            return;
        }
        responder.succeed(json);
    }

    private Json toJson(CallResult result, McpMethod method, ClientContext client) {
        return ErrorMapping.toResult(tasks.withClientTaskId(result, client), method, client);
    }

    /** Sends a request once and waits for the result, which may ask for input. */
    Json sendAndWait(McpMethod method, Json params, ClientContext client, CallListener listener)
            throws InterruptedException {
        CallContext context = client.callContext(listener);
        CallResult result =
                switch (method) {
                    case TOOLS_CALL -> toolCall(params, client, listener).run().callResult();
                    case PROMPTS_GET -> view.prompt(params, context);
                    case COMPLETE -> view.complete(params, context);
                    default -> view.resource(method.wireName(), params, context);
                };
        String uri = params.memberText("uri");
        if (uri != null
                && result instanceof CallResult.Rejected rejected
                && rejected.reason() == ErrorReason.RESOURCE_NOT_FOUND) {
            throw ErrorMapping.resourceNotFound(rejected, uri, client.version());
        }
        return toJson(result, method, client);
    }
}
