package dev.patchbay.http.server;

import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RpcHandler;
import dev.patchbay.mcp.HeaderParam;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Consumer;

/** Creates the handlers of messages that arrive at the HTTP endpoint. */
public interface HandlerFactory {
    /** The handler of a client's modern requests. It keeps no state. */
    RpcHandler modernHandler(String principal);

    /**
     * The handler of a new legacy session. Unsolicited notifications go to the consumer, which does
     * not block.
     */
    SessionHandler newLegacyHandler(String principal, Consumer<Notification> unsolicited);

    /** The same for a session whose id traces show. */
    default SessionHandler newLegacyHandler(
            String principal, String sessionId, Consumer<Notification> unsolicited) {
        return newLegacyHandler(principal, unsolicited);
    }

    /** Whether modern requests of this method are supported. */
    boolean servesMethod(String method);

    /** The arguments of a tool that are also sent in headers. */
    List<HeaderParam> headerParams(String tool);

    /** The handlers for a view; null if there is no view of this name. */
    default @Nullable HandlerFactory forView(String view) {
        return null;
    }

    /** The handlers for the view of a token; null if there is no such view. */
    default @Nullable HandlerFactory forTokenView(String view) {
        return forView(view);
    }

    /** The handler of a session, and the action for its end. */
    record SessionHandler(RpcHandler handler, Runnable onEnd) {}
}
