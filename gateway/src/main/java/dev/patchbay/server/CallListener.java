package dev.patchbay.server;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;

import org.jspecify.annotations.Nullable;

/** The one who waits for a call, as the server sees him while it works. */
public interface CallListener {
    CallListener NONE = new CallListener() {};

    /**
     * The client behind the call, as far as it says who it is: equal for all calls that it may hear
     * of together.
     */
    default Object client() {
        return this;
    }

    /** Equal only for calls that certainly come from one client, such as over one connection. */
    default Object origin() {
        return client();
    }

    /** Who the client is known to be; clients of the same one may see the same things. */
    default String principal() {
        return "";
    }

    /** Whether progress should be asked for. */
    default boolean wantsProgress() {
        return false;
    }

    /** The params of a progress notification; the token in them is the link's own. */
    default void onProgress(Json params) {}

    /**
     * Whether what a modern server makes of the call is its answer, also if that is a task, or that
     * there must be one. Otherwise only a result is of use.
     */
    default boolean acceptsTasks() {
        return false;
    }

    /** The server has ended the response stream of the call, and wants to be asked again. */
    default void onStreamEnded() {}

    /** The params of a log message that belongs to the call; false if it is not wanted. */
    default boolean onLogMessage(Json params) {
        return false;
    }

    /** Whether the client declared that it can be asked this, and can be reached now. */
    default boolean acceptsInputRequest(String method, Json params) {
        return true;
    }

    /**
     * Something the server asks the client for: sampling, elicitation, roots.
     *
     * @return the answer; null if the client cannot be reached by this call any more
     */
    default @Nullable Json requestInput(String method, Json params) throws InterruptedException {
        throw new RpcException(
                RpcError.of(RpcError.METHOD_NOT_FOUND, "No client here can answer " + method));
    }
}
