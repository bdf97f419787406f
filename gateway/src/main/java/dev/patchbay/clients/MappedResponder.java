package dev.patchbay.clients;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;

import java.util.function.UnaryOperator;

/** A completion whose results get the shape that the client's era wants. */
record MappedResponder(Responder responder, UnaryOperator<Json> mapping) implements Responder {
    @Override
    public void succeed(Json result) {
        Json shaped;
        try {
            shaped = mapping.apply(result);
        } catch (RpcException e) {
            responder.fail(e.error());
            return;
        } catch (RuntimeException | Error e) { // the right to answer is in no other hand by now
            System.getLogger(MappedResponder.class.getName())
                    .log(ERROR, "A result could not be given its shape", e);
            responder.fail(RpcError.of(RpcError.INTERNAL_ERROR, "Internal error"));
            return;
        }
        responder.succeed(shaped);
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
}
