package dev.patchbay.conformance.bridge;

import dev.patchbay.testkit.JsonTree;

import java.util.function.Consumer;

/** The way of one client to the gateway, over one transport. */
interface TestTransport extends AutoCloseable {
    /** Hands over whatever comes in, on threads of its own. */
    void open(Consumer<JsonTree> receiver);

    /** Sends a message. */
    void send(String json);

    /** Gives a request up, as its era does on this transport. */
    void cancel(String rawId);

    /** The status of the response to a request; 200 where the transport has none. */
    int httpStatus(String rawId);

    @Override
    void close();
}
