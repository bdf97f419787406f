package dev.patchbay.jsonrpc;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.jsonrpc.Message.Failure;

/** The answers to requests that could not be served. */
final class ErrorResponses {
    private ErrorResponses() {}

    static Failure internalError(RequestId id, String why) {
        return new Failure(id, RpcError.of(RpcError.INTERNAL_ERROR, why));
    }

    /** Something went wrong inside: what, stands in the log only. */
    static Failure unexpectedError(RequestId id, Throwable e) {
        System.getLogger(ErrorResponses.class.getName()).log(ERROR, "Request " + id + " failed", e);
        return internalError(id, "Internal error");
    }

    /** The answer is there, and cannot be held any longer. */
    static Failure responseDropped(RequestId id) {
        String why = "Too many answers wait to be read; this one, done and too large, is dropped";
        return new Failure(id, RpcError.of(RpcError.INTERNAL_ERROR, why, "OVERLOADED"));
    }
}
