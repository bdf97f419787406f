package dev.patchbay.jsonrpc;

import dev.patchbay.jsonrpc.Message.Response;

/** Where the one answer to a request goes. */
interface Answer {
    void with(Response response);

    /** There will be no answer: the request was cancelled. */
    default void cancelled() {}
}
