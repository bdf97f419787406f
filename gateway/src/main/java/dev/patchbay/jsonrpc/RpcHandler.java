package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;

/**
 * What a connection serves. A request is a function call: it returns a result or throws, and has no
 * means to answer twice. It may block; an interrupt tells it that nobody waits any more.
 */
public interface RpcHandler {
    Json handle(Request request, RequestContext exchange) throws InterruptedException;

    /**
     * Serves a request without waiting, where that can be done: passes it on, returns true, and has
     * the completion told later. Where it returns false, {@link #handle} is called. Runs before the
     * next frame is read, so it must be quick.
     */
    default boolean pass(Request request, RequestContext exchange, Responder completion) {
        return false;
    }

    /** Takes notice of something. Called in the order of arrival; must not block. */
    void onNotification(Notification notification, RequestContext exchange);

    /** What the peer had to notify of may have been lost on the way, up to now. */
    default void onNotificationsLost() {}

    /** The conversation ends: what has no end of its own comes to it now. */
    default void onShutdown() {}

    /**
     * Whether a request is served at once, in the order of arrival, before the next frame is read.
     * Such a request must not block.
     */
    default boolean isHandledInOrder(Request request) {
        return false;
    }

    /** Whether several messages may come in one frame at this moment. */
    default boolean acceptsBatches() {
        return false;
    }

    /**
     * Whether a frame that is no message is answered with its error. A client is told; a server
     * that prints a banner is not.
     */
    default boolean respondsToMalformed() {
        return true;
    }
}
