package dev.patchbay.server;

import dev.patchbay.json.Json;

/**
 * Hears what a server says without being asked. Called on the link's reading thread: no waiting.
 */
public interface ServerEventListener {
    /** One of the lists changed: {@code tools}, {@code prompts} or {@code resources}. */
    default void onListChanged(ServerId server, String list) {}

    /** A resource that was subscribed to changed. */
    default void onResourceUpdated(ServerId server, Json params) {}

    /** What the server had to tell may have been lost on the way, up to now. */
    default void onNotificationsLost(ServerId server) {}

    /** A log message that belongs to no call. */
    default void onLogMessage(ServerId server, Json params) {}

    /** Any other notification. */
    default void onNotification(ServerId server, String method, Json params) {}
}
