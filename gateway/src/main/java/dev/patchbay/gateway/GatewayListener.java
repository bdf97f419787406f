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

    /** What some client was asked to do at a URL is done; the params of the notification. */
    default void elicitationCompleted(Json params) {}

    /** A server logged something that belongs to no call. */
    default void logged(ServerId server, Json params) {}
}
