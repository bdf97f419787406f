package dev.patchbay.jsonrpc;

import dev.patchbay.json.EncodedJson;

import java.io.IOException;

/**
 * Frames to and from one peer. Any thread may send; one thread receives. Where a peer has several
 * streams, each is in order for itself.
 */
public interface Channel extends FrameSender {
    /** Takes what arrives. */
    interface Receiver {
        void accept(DecodedFrame frame);

        /** A frame that came on the way back of a call of ours, and so belongs to it. */
        default void accept(DecodedFrame frame, long call) {
            accept(frame);
        }

        /** A call of ours that gets no answer, while the peer is still there. */
        default void onCallFailed(long call, CallOutcome outcome) {}

        /** What the peer said without being asked may have been lost, up to now. */
        default void onNotificationsLost() {}
    }

    /** Hands over each frame that arrives, in order, until the peer ends its side. */
    void receive(Receiver receiver) throws IOException;

    /** Sends one whole frame, waiting as long as the peer lives for it to read. */
    void send(EncodedJson frame) throws IOException;

    /** The longest frame this peer takes; a longer one must not be sent. */
    int frameBytesMax();

    /** Ends both directions. What was sent before may still arrive. */
    void close();

    default void send(Message message) throws IOException {
        send(Encoder.encode(message));
    }
}
