package dev.patchbay.conformance.bridge;

import dev.patchbay.testkit.JsonTree;

import java.util.function.Consumer;

/** The connection of one client to the gateway, over one transport. */
interface TestTransport extends AutoCloseable {
    /** Passes received messages to the receiver, on its own threads. */
    void open(Consumer<JsonTree> receiver);

    /** Sends a message. */
    void send(String json);

    /** Cancels a request, as its era does on this transport. */
    void cancel(String rawId);

    /** The HTTP status of the response to a request; 200 over stdio. */
    int httpStatus(String rawId);

    @Override
    void close();
}
