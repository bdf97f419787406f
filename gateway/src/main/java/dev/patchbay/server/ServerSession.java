package dev.patchbay.server;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * One live conversation with a server, after its handshake. It speaks the server's era: the caller
 * gives the plain params of a method, the link adds what the era wants around them.
 */
public interface ServerSession {
    /** Asks a modern server to tell of a task from now on; the params have its {@code taskId}. */
    String WATCH_TASK = "tasks/watch";

    String UNWATCH_TASK = "tasks/unwatch";

    HandshakeResult handshakeResult();

    /**
     * Calls a method of the server and waits for the outcome, at most for the call's timeout. An
     * interrupt gives the call up and tells the server so.
     */
    CallOutcome call(String method, Json params, CallOptions options) throws InterruptedException;

    /**
     * Calls a method without waiting, if the call can be sent at once. The receiver gets the
     * outcome, on a thread that reads from the server: it must be quick.
     *
     * @return the way to give the call up; null if it was not sent
     */
    default @Nullable Runnable tryCall(
            String method, Json params, CallOptions options, Consumer<CallOutcome> receiver) {
        return null;
    }

    /** Tells the server something. */
    void sendNotification(String method, Json params);

    /** How many calls wait for their answers. */
    default int inFlightCount() {
        return 0;
    }

    boolean isOpen();

    /** Ends the conversation; calls that wait are lost. */
    void close(String why);
}
