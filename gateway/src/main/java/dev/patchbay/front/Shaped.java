package dev.patchbay.front;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Completion;
import dev.patchbay.jsonrpc.RpcError;

import java.util.function.UnaryOperator;

/** A completion whose results get the shape that the client's era wants. */
record Shaped(Completion completion, UnaryOperator<Json> shape) implements Completion {
    @Override
    public void complete(Json result) {
        completion.complete(shape.apply(result));
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
