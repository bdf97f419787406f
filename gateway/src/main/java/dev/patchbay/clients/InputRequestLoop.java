package dev.patchbay.clients;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberCursor;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.ResultConverter;

import org.jspecify.annotations.Nullable;

/**
 * A request of a legacy client that a modern server may answer with questions. The client is asked
 * in its own way, and the request goes on with what it said.
 */
final class InputRequestLoop {
    private static final int ROUNDS_MAX = 8;

    private final GatewayService service;
    private final McpMethod method;
    private final ClientContext context;
    private final ClientCallListener listener;

    InputRequestLoop(
            GatewayService service,
            McpMethod method,
            ClientContext caller,
            ClientCallListener ear) {
        this.service = service;
        this.method = method;
        this.context = caller;
        this.listener = ear;
    }

    Json run(Json params) throws InterruptedException {
        return continueFrom(params, send(params));
    }

    /** Goes on after the first answer of the server. */
    Json continueFrom(Json params, Json first) throws InterruptedException {
        Json result = first;
        for (int round = 0; !ResultConverter.isComplete(result); round++) {
            if (round == ROUNDS_MAX) {
                throw new RpcException(
                        RpcError.INTERNAL_ERROR,
                        "The server asks without end: %d rounds".formatted(ROUNDS_MAX));
            }
            Json next;
            try {
                next = withInputResponses(params, result);
            } catch (RpcException e) {
                return ErrorMapping.inputNotProvided(e, method);
            }
            result = send(next);
        }
        return result;
    }

    private Json send(Json params) throws InterruptedException {
        return service.sendOnce(method, params, context, listener);
    }

    /** The original params with the answers to a round of questions. */
    private Json withInputResponses(Json params, Json asked) throws InterruptedException {
        String type = asked.memberText("resultType");
        if (!"input_required".equals(type)) {
            throw new RpcException(
                    RpcError.INTERNAL_ERROR,
                    "The server answered with the resultType %s, which nobody asked for"
                            .formatted(type));
        }
        var writer = new JsonWriter().beginObject();
        MemberCursor members = params.memberCursor();
        while (members.next()) {
            writer.name(members.name()).value(members.value());
        }
        Json questions = asked.member("inputRequests");
        if (questions != null && questions.isObject()) {
            writer.name("inputResponses").value(inputResponses(questions));
        }
        Json state = asked.member("requestState");
        if (state != null) {
            writer.member("requestState", state);
        }
        return writer.endObject().toJson();
    }

    private Json inputResponses(Json questions) throws InterruptedException {
        var writer = new JsonWriter().beginObject();
        MemberCursor members = questions.memberCursor();
        while (members.next()) {
            String asked = members.value().memberText("method");
            Json params = members.value().member("params");
            writer.name(members.name()).value(askClient(asked, params));
        }
        return writer.endObject().toJson();
    }

    private Json askClient(@Nullable String asked, @Nullable Json params)
            throws InterruptedException {
        if (asked == null) {
            throw new RpcException(RpcError.INTERNAL_ERROR, "The server asks for nothing by name");
        }
        return listener.requestInput(asked, params == null ? Json.EMPTY_OBJECT : params);
    }
}
