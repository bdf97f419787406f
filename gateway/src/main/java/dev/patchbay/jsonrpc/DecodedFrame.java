package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** What one frame turned out to be. */
public sealed interface DecodedFrame
        permits Message, DecodedFrame.Malformed, DecodedFrame.BadResponse, DecodedFrame.Batch {
    /** A frame, or an element of a batch, that is no message, and the error that answers it. */
    record Malformed(RequestId id, RpcError error) implements DecodedFrame {}

    /**
     * Something with a result or an error that is no valid response. It is never answered: two
     * peers that answered each other's bad responses would never stop.
     *
     * @param tooDeepResult its result, where all that is wrong with it is that it nests too deep
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
