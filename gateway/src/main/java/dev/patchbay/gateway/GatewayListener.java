package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerState;

/** Hears of what happens in a gateway. Must not wait. */
public interface GatewayListener {
    /** A server's state changed. */
    default void stateChanged(ServerId server, ServerState before, ServerState after) {}

    /**
     * What clients see changed: {@code tools}, {@code prompts} or {@code resources}. Changes that
     * come close together are told once.
     */
    default void listChanged(String list) {}

    /** A resource that was subscribed to changed; its URI is the one clients know. */
    default void resourceUpdated(Json params) {}

    /** A server logged something that belongs to no call. */
    default void logged(ServerId server, Json params) {}
}
