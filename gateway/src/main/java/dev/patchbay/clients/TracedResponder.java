package dev.patchbay.clients;

import dev.patchbay.gateway.RequestTracer;
import dev.patchbay.gateway.RequestTracer.Ending;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;

/** A responder that ends the span of its request. The span ends before the answer is sent. */
record TracedResponder(Responder responder, RequestTracer.TracedRequest span) implements Responder {
    @Override
    public void succeed(Json result) {
        span.end(Ending.of(result));
        responder.succeed(result);
    }

    @Override
    public void fail(RpcError error) {
        span.end(Ending.of(error));
        responder.fail(error);
    }

    @Override
    public void fork(BlockingWork work) {
        responder.fork(() -> runTraced(work));
    }

    private Json runTraced(BlockingWork work) throws InterruptedException {
        try {
            Json result = work.run();
            span.end(Ending.of(result));
            return result;
        } catch (RpcException e) {
            span.end(Ending.of(e.error()));
            throw e;
        } finally {
            span.end(Ending.CANCELLED); // without effect if it has ended
        }
    }

    @Override
    public void onCancel(Runnable action) {
        responder.onCancel(
                () -> {
                    span.end(Ending.CANCELLED);
                    action.run();
                });
    }

    @Override
    public RequestContext context() {
        return responder.context();
    }
}
