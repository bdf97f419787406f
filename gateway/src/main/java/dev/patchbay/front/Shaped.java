package dev.patchbay.front;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Completion;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;

import java.util.function.UnaryOperator;

/** A completion whose results get the shape that the client's era wants. */
record Shaped(Completion completion, UnaryOperator<Json> shape) implements Completion {
    @Override
    public void complete(Json result) {
        Json shaped;
        try {
            shaped = shape.apply(result);
        } catch (RpcException e) {
            completion.fail(e.error());
            return;
        } catch (RuntimeException | Error e) { // the right to answer is in no other hand by now
            System.getLogger(Shaped.class.getName())
                    .log(ERROR, "A result could not be given its shape", e);
            completion.fail(RpcError.of(RpcError.INTERNAL_ERROR, "Internal error"));
            return;
        }
        completion.complete(shaped);
    }

    @Override
    public void fail(RpcError error) {
        completion.fail(error);
    }

    @Override
    public void resume(Work work) {
        completion.resume(() -> shape.apply(work.run()));
    }

    @Override
    public void onCancel(Runnable action) {
        completion.onCancel(action);
    }
}
