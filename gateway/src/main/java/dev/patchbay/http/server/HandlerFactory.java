package dev.patchbay.http.server;

import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RpcHandler;
import dev.patchbay.mcp.HeaderParam;

import java.util.List;
import java.util.function.Consumer;

/** What lies behind the HTTP endpoint: who serves the messages that come in. */
public interface HandlerFactory {
    /** Who serves the requests of a client that stand for themselves. Keeps nothing of them. */
    RpcHandler modernHandler(String principal);

    /**
     * Who serves a new legacy session. What the client should hear unasked goes to the consumer,
     * which does not wait.
     */
    SessionHandler newLegacyHandler(String principal, Consumer<Notification> unsolicited);

    /** Whether requests of a method that stand for themselves are served at all. */
    boolean servesMethod(String method);

    /** The arguments of a tool, by the name a client calls it, that also come in headers. */
    List<HeaderParam> headerParams(String tool);

    /** Who serves one session, and what to do when it is over. */
    record SessionHandler(RpcHandler handler, Runnable onEnd) {}
}
