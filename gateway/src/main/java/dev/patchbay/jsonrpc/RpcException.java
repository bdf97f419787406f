package dev.patchbay.jsonrpc;

/** Ends the handling of a request with an error that its sender may see. */
public final class RpcException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient RpcError error;

    public RpcException(RpcError error) {
        super(error.message(), null, false, false);
        this.error = error;
    }

    public RpcException(int code, String message) {
        this(RpcError.of(code, message));
    }

    public RpcError error() {
        return error;
    }
}
