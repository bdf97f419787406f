package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** What one frame turned out to be. */
public sealed interface Inbound
        permits Message, Inbound.Malformed, Inbound.BadResponse, Inbound.Batch {
    /** A frame, or an element of a batch, that is no message, and the error that answers it. */
    record Malformed(RequestId id, RpcError error) implements Inbound {}

    /**
     * Something with a result or an error that is no valid response. It is never answered: two
     * peers that answered each other's bad responses would never stop.
     *
     * @param tooDeep its result, where all that is wrong with it is that it nests too deep
     */
    record BadResponse(RequestId id, String why, @Nullable Json tooDeep) implements Inbound {
        public BadResponse(RequestId id, String why) {
            this(id, why, null);
        }
    }

    /** Several messages in one frame. */
    record Batch(List<Inbound> items) implements Inbound {
        public Batch {
            items = List.copyOf(items);
        }
    }
}
