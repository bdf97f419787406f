package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;

/**
 * The right to answer a request that was passed on and that no thread of ours waits for. Of several
 * answers the first counts; once the request is over, none does.
 */
public interface Responder {
    void succeed(Json result);

    void fail(RpcError error);

    /** Goes on with work that may wait, on a thread of its own; it ends the request as always. */
    void fork(BlockingWork work);

    /** What is to be done if the request is cancelled before it is answered. */
    void onCancel(Runnable action);

    /** Work that ends in a result, or throws. */
    interface BlockingWork {
        Json run() throws InterruptedException;
    }
}
