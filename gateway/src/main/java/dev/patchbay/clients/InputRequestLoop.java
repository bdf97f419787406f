package dev.patchbay.clients;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberCursor;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.ResultConverter;

import org.jspecify.annotations.Nullable;

/**
 * A request of a legacy client that a modern server may answer with {@code input_required}. The
 * loop asks the client in the legacy way and repeats the request with the client's answers.
 */
final class InputRequestLoop {
    private static final int ROUNDS_MAX = 8;

    private final RequestForwarder forwarder;
    private final McpMethod method;
    private final ClientContext client;
    private final ClientCallListener listener;

    InputRequestLoop(
            RequestForwarder forwarder,
            McpMethod method,
            ClientContext client,
            ClientCallListener listener) {
        this.forwarder = forwarder;
        this.method = method;
        this.client = client;
        this.listener = listener;
    }

    /** A responder for the first round. If the server asks for input, the loop continues. */
    Responder firstRound(Json params, Responder responder) {
        return new FirstRound(this, params, responder);
    }

    private record FirstRound(InputRequestLoop loop, Json params, Responder responder)
            implements Responder {
        @Override
        public void succeed(Json result) {
            if (ResultConverter.isComplete(result)) {
                responder.succeed(result);
            } else {
                responder.fork(() -> loop.continueFrom(params, result));
            }
        }

        @Override
        public void fail(RpcError error) {
            responder.fail(error);
        }

        @Override
        public void fork(BlockingWork work) {
            responder.fork(() -> loop.continueFrom(params, work.run()));
        }

        @Override
        public void onCancel(Runnable action) {
            responder.onCancel(action);
        }

        @Override
        public RequestContext context() {
            return responder.context();
        }
    }

    private Json continueFrom(Json params, Json first) throws InterruptedException {
        Json result = first;
        for (int round = 0; !ResultConverter.isComplete(result); round++) {
            if (round == ROUNDS_MAX) {
                throw new RpcException(
                        RpcError.INTERNAL_ERROR,
                        "The server asked for input more than %d times".formatted(ROUNDS_MAX));
            }
            Json next;
            try {
                next = withInputResponses(params, result);
            } catch (RpcException e) {
                return ErrorMapping.inputNotProvided(e, method);
            }
            result = forwarder.sendAndWait(method, next, client, listener);
        }
        return result;
    }

    /** The original params with the client's answers to one round of questions. */
    private Json withInputResponses(Json params, Json asked) throws InterruptedException {
        String type = asked.memberText("resultType");
        if (!"input_required".equals(type)) {
            throw new RpcException(
                    RpcError.INTERNAL_ERROR,
                    "The server answered with an unexpected resultType, %s".formatted(type));
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
            throw new RpcException(
                    RpcError.INTERNAL_ERROR, "The server asked for input without a method");
        }
        return listener.requestInput(asked, params == null ? Json.EMPTY_OBJECT : params);
    }
}
