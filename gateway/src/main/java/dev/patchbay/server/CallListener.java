package dev.patchbay.server;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;

/** The one who waits for a call, as the server sees him while it works. */
public interface CallListener {
    CallListener SILENT = new CallListener() {};

    /** Whether progress should be asked for. */
    default boolean wantsProgress() {
        return false;
    }

    /** The params of a progress notification; the token in them is the link's own. */
    default void progress(Json params) {}

    /** The params of a log message that belongs to the call. */
    default void logged(Json params) {}

    /** Something the server asks the client for: sampling, elicitation, roots. */
    default Json ask(String method, Json params) throws InterruptedException {
        throw new RpcException(
                RpcError.of(RpcError.METHOD_NOT_FOUND, "No client here can answer " + method));
    }
}
