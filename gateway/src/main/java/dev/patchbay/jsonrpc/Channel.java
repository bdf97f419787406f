package dev.patchbay.jsonrpc;

import dev.patchbay.json.JsonText;

import java.io.IOException;
import java.util.function.Consumer;

/** Frames to and from one peer. Any thread may send; one thread receives. */
public interface Channel extends Outlet {
    /** Hands over each frame that arrives, in order, until the peer ends its side. */
    void receive(Consumer<Inbound> sink) throws IOException;

    /** Sends one whole frame, waiting as long as the peer lives for it to read. */
    void send(JsonText frame) throws IOException;

    /** The longest frame this peer takes; a longer one must not be sent. */
    int frameBytesMax();

    /** Ends both directions. What was sent before may still arrive. */
    void close();

    default void send(Message message) throws IOException {
        send(Encoder.encode(message));
    }
}
