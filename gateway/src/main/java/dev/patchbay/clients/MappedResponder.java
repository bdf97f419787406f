package dev.patchbay.clients;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.ErrorResponses;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcError;

import java.util.function.UnaryOperator;

/** A responder that converts results to the format of the client's version of MCP. */
record MappedResponder(Responder responder, UnaryOperator<Json> mapping) implements Responder {
    @Override
    public void succeed(Json result) {
        Json mapped;
        try {
            mapped = mapping.apply(result);
        } catch (RuntimeException | Error e) { // nothing else answers the request
            responder.fail(ErrorResponses.toError("with an unusable result", e));
            return;
        }
        responder.succeed(mapped);
    }

    @Override
    public void fail(RpcError error) {
        responder.fail(error);
    }

    @Override
    public void fork(BlockingWork work) {
        responder.fork(() -> mapping.apply(work.run()));
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
