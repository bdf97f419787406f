package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerState;

/** Receives events of a gateway. Must not block. */
public interface GatewayListener {
    /** A server's state changed. */
    default void stateChanged(ServerId server, ServerState before, ServerState after) {}

    /**
     * A list that clients see has changed: {@code tools}, {@code prompts} or {@code resources}.
     * Changes in quick succession are reported once.
     */
    default void listChanged(String list) {}

    /** The params of {@code notifications/elicitation/complete}. */
    default void elicitationCompleted(Json params) {}

    /** A server sent a log message that belongs to no call. */
    default void logged(ServerId server, Json params) {}
}
