package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;

/**
 * Answers one request. The first answer counts; later ones are ignored, and so are answers to a
 * cancelled request.
 */
public interface Responder {
    void succeed(Json result);

    void fail(RpcError error);

    /**
     * Runs blocking work on a virtual thread of its own. The result of the work, or the exception
     * that it throws, is the answer. A cancelled request interrupts the thread.
     */
    void fork(BlockingWork work);

    /** Sets the action to run if the request is cancelled before it is answered. */
    void onCancel(Runnable action);

    /** The peer that sent the request, for messages that belong to the request. */
    RequestContext context();

    /** Work that may block. It returns the result of the request or throws. */
    interface BlockingWork {
        Json run() throws InterruptedException;
    }
}
