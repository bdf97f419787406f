package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

/**
 * A JSON-RPC 2.0 message, in the kinds the specification knows. A response is a result or an error
 * by its type, so that one with both, or with neither, cannot be built.
 */
public sealed interface Message extends DecodedFrame {
    /** A call that must be answered once, under its id. */
    record Request(RequestId id, String method, @Nullable Json params) implements Message {}

    /** A call that must not be answered. */
    record Notification(String method, @Nullable Json params) implements Message {}

    /** The answer to a request. */
    sealed interface Response extends Message {
        RequestId id();
    }

    record Success(RequestId id, Json result) implements Response {}

    record Failure(RequestId id, RpcError error) implements Response {}
}
