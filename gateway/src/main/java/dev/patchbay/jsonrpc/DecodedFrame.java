package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A decoded frame: a message, a batch, or something malformed. */
public sealed interface DecodedFrame
        permits Message, DecodedFrame.Malformed, DecodedFrame.BadResponse, DecodedFrame.Batch {
    /** A frame or an element of a batch that is not a message, with the error to respond. */
    record Malformed(RequestId id, RpcError error) implements DecodedFrame {}

    /**
     * A frame with a result or an error that is not a valid response. It gets no response: two
     * peers that respond to each other's invalid responses would never stop.
     *
     * @param tooDeepResult the result, if its only fault is that it is nested too deeply
     */
    record BadResponse(RequestId id, String reason, @Nullable Json tooDeepResult)
            implements DecodedFrame {
        public BadResponse(RequestId id, String why) {
            this(id, why, null);
        }
    }

    /** Several messages in one frame. */
    record Batch(List<DecodedFrame> items) implements DecodedFrame {
        public Batch {
            items = List.copyOf(items);
        }
    }
}
