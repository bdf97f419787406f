package dev.patchbay.jsonrpc;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.text.LoggedFailure;

/** Error responses to requests that could not be handled. */
public final class ErrorResponses {
    private ErrorResponses() {}

    /**
     * The error that reports a failure to the peer. An unexpected failure goes to the log; the peer
     * only sees "Internal error".
     *
     * @param request the request that failed, for the log
     */
    public static RpcError toError(String request, Throwable failure) {
        if (failure instanceof RpcException e) {
            return e.error();
        }
        if (failure instanceof InterruptedException) {
            return RpcError.of(RpcError.INTERNAL_ERROR, "Cancelled");
        }
        System.getLogger(ErrorResponses.class.getName())
                .log(ERROR, "Request " + request + " failed", new LoggedFailure(failure));
        return RpcError.of(RpcError.INTERNAL_ERROR, "Internal error");
    }

    static Failure of(RequestId id, Throwable failure) {
        return new Failure(id, toError(id.toString(), failure));
    }

    static Failure internalError(RequestId id, String message) {
        return new Failure(id, RpcError.of(RpcError.INTERNAL_ERROR, message));
    }

    /** The response that replaces a large result which cannot be kept any longer. */
    static Failure responseDropped(RequestId id) {
        String message = "Too many responses are unread; this large one was dropped";
        return new Failure(id, RpcError.of(RpcError.INTERNAL_ERROR, message, "OVERLOADED"));
    }
}
