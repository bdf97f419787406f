package dev.patchbay.jsonrpc;

import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;

/**
 * Handles the messages of a peer. The methods run on the thread that reads from the peer, in the
 * order of arrival, so they must not block.
 */
public interface RpcHandler {
    /**
     * Handles a request. The responder takes the answer, now or later, from any thread. Work that
     * may block goes to {@link Responder#fork}. A thrown exception fails the request.
     */
    void handle(Request request, Responder responder);

    /** Handles a notification. */
    void onNotification(Notification notification, RequestContext context);

    /** Called when notifications of the peer may have been lost. */
    default void onNotificationsLost() {}

    /** Called when the peer has ended the response stream of a call that goes on. */
    default void onStreamEnded(long call) {}

    /** Called on shutdown: finish open-ended requests. */
    default void onShutdown() {}

    /** Whether a frame may hold several messages. */
    default boolean acceptsBatches() {
        return false;
    }

    /**
     * Whether a frame that is not a message is answered with an error. A client gets one. A server
     * that prints a banner does not.
     */
    default boolean respondsToMalformed() {
        return true;
    }
}
