package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

/** The error of a failed request, as it stands on the wire. */
public record RpcError(int code, String message, @Nullable Json data) {
    public static final int PARSE_ERROR = -32700;
    public static final int INVALID_REQUEST = -32600;
    public static final int METHOD_NOT_FOUND = -32601;
    public static final int INVALID_PARAMS = -32602;
    public static final int INTERNAL_ERROR = -32603;

    public static RpcError of(int code, String message) {
        return new RpcError(code, message, null);
    }

    /** An error with its reason as {@code data.reason}, for programs. */
    public static RpcError of(int code, String message, String reason) {
        return new RpcError(code, message, Json.of("{\"reason\":\"" + reason + "\"}"));
    }
}
