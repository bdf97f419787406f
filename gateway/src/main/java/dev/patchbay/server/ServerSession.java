package dev.patchbay.server;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.SendResult;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * A session with a server, after the handshake. Callers pass the params that every version of MCP
 * has; the session adds what the server's version needs.
 */
public interface ServerSession {
    /** Subscribes to a task of a modern server; the params have its {@code taskId}. */
    String WATCH_TASK = "tasks/watch";

    String UNWATCH_TASK = "tasks/unwatch";

    HandshakeResult handshakeResult();

    /**
     * Sends a request. Waits at most {@code patience} until the server can take it; zero never
     * waits. The receiver gets the outcome on the thread that reads from the server, so it must not
     * block.
     */
    SendResult send(
            String method,
            Json params,
            CallOptions options,
            Duration patience,
            Consumer<CallOutcome> receiver)
            throws InterruptedException;

    /**
     * Sends a request and waits for the outcome, at most for the timeout of the call. An interrupt
     * cancels the call.
     */
    CallOutcome call(String method, Json params, CallOptions options) throws InterruptedException;

    void sendNotification(String method, Json params);

    /** How many calls have no outcome yet. */
    int inFlightCount();

    boolean isOpen();

    /** Ends the session. Calls without an outcome are lost. */
    void close(String reason);
}
