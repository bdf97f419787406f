package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

/**
 * A JSON-RPC 2.0 message. The type of a response says whether it has a result or an error, so a
 * response with both or with neither cannot be built.
 */
public sealed interface Message extends DecodedFrame {
    /** A call that gets one response with the same id. */
    record Request(RequestId id, String method, @Nullable Json params) implements Message {}

    /** A call that gets no response. */
    record Notification(String method, @Nullable Json params) implements Message {}

    /** The response to a request. */
    sealed interface Response extends Message {
        RequestId id();
    }

    record Success(RequestId id, Json result) implements Response {}

    record Failure(RequestId id, RpcError error) implements Response {}
}
