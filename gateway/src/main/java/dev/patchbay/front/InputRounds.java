package dev.patchbay.front;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.Members;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Method;
import dev.patchbay.mcp.Results;

import org.jspecify.annotations.Nullable;

/**
 * A request of a legacy client that a modern server may answer with questions. The client is asked
 * in its own way, and the request goes on with what it said.
 */
final class InputRounds {
    private static final int ROUNDS_MAX = 8;

    private final GatewayService service;
    private final Method method;
    private final Caller caller;
    private final ClientEar ear;

    InputRounds(GatewayService service, Method method, Caller caller, ClientEar ear) {
        this.service = service;
        this.method = method;
        this.caller = caller;
        this.ear = ear;
    }

    Json run(Json params) throws InterruptedException {
        return goOn(params, again(params));
    }

    /** Goes on after the first answer of the server. */
    Json goOn(Json params, Json first) throws InterruptedException {
        Json result = first;
        for (int round = 0; !Results.isComplete(result); round++) {
            if (round == ROUNDS_MAX) {
                throw new RpcException(
                        RpcError.INTERNAL_ERROR,
                        "The server asks without end: %d rounds".formatted(ROUNDS_MAX));
            }
            Json next;
            try {
                next = answered(params, result);
            } catch (RpcException e) {
                return Refusals.unanswered(e, method);
            }
            result = again(next);
        }
        return result;
    }

    private Json again(Json params) throws InterruptedException {
        return service.once(method, params, caller, ear);
    }

    /** The original params with the answers to a round of questions. */
    private Json answered(Json params, Json asked) throws InterruptedException {
        String type = asked.memberText("resultType");
        if (!"input_required".equals(type)) {
            throw new RpcException(
                    RpcError.INTERNAL_ERROR,
                    "The server answered with the resultType %s, which nobody asked for"
                            .formatted(type));
        }
        var writer = new JsonWriter().beginObject();
        Members members = params.walk();
        while (members.next()) {
            writer.name(members.name()).value(members.value());
        }
        Json questions = asked.member("inputRequests");
        if (questions != null && questions.isObject()) {
            writer.name("inputResponses").value(answers(questions));
        }
        Json state = asked.member("requestState");
        if (state != null) {
            writer.member("requestState", state);
        }
        return writer.endObject().toJson();
    }

    private Json answers(Json questions) throws InterruptedException {
        var writer = new JsonWriter().beginObject();
        Members members = questions.walk();
        while (members.next()) {
            String asked = members.value().memberText("method");
            Json params = members.value().member("params");
            writer.name(members.name()).value(answer(asked, params));
        }
        return writer.endObject().toJson();
    }

    private Json answer(@Nullable String asked, @Nullable Json params) throws InterruptedException {
        if (asked == null) {
            throw new RpcException(RpcError.INTERNAL_ERROR, "The server asks for nothing by name");
        }
        return ear.ask(asked, params == null ? Json.EMPTY_OBJECT : params);
    }
}
