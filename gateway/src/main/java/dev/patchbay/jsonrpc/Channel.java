package dev.patchbay.jsonrpc;

import dev.patchbay.json.EncodedJson;

import java.io.IOException;

/**
 * Sends frames to a peer and receives frames from it. Any thread may send; one thread receives. If
 * a peer has several streams, each of them is in order.
 */
public interface Channel extends FrameSender {
    /** Takes the frames that arrive. */
    interface Receiver {
        void accept(DecodedFrame frame);

        /** Takes a frame that arrived in the response stream of a call, and so belongs to it. */
        default void accept(DecodedFrame frame, long call) {
            accept(frame);
        }

        /** Called when a call gets no response although the peer is still connected. */
        default void onCallFailed(long call, CallOutcome outcome) {}

        /** Called when the peer has ended the response stream of a call that goes on. */
        default void onStreamEnded(long call) {}

        /** Called when notifications of the peer may have been lost. */
        default void onNotificationsLost() {}
    }

    /** Passes each frame to the receiver, in order, until the peer ends its side. */
    void receive(Receiver receiver) throws IOException;

    /** Sends a frame. Waits until the peer reads, as long as it is connected. */
    void send(EncodedJson frame) throws IOException;

    /** The length of the longest frame that may be sent. */
    int frameBytesMax();

    /** Ends both directions. Frames that were sent before may still arrive. */
    void close();

    default void send(Message message) throws IOException {
        send(Encoder.encode(message));
    }
}
