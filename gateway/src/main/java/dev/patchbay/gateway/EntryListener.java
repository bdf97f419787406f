package dev.patchbay.gateway;

import dev.patchbay.catalog.Listing;
import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerState;

import java.util.Set;

/** Receives the events of all registered servers. No method may block. */
interface EntryListener {
    default void stateChanged(ServerId server, ServerState before, ServerState after) {}

    /** A connection to a server was opened, without subscriptions and log level. */
    default void connected(ConnectionId connection) {}

    /** The lists of a server changed, or their freshness did. */
    default void listingChanged() {}

    /** The server sent its lists. */
    default void listingFetched(ServerSpec spec, Listing listing) {}

    /** The server sent no lists, and none are known. */
    default void listingFailed(ServerSpec spec) {}

    /** A server has announced a change of these lists, and has sent its lists since then. */
    default void listsAnnounced(Set<String> lists) {}

    default void resourceUpdated(ConnectionId connection, Json params) {}

    /** Notifications over the connection may have been lost. */
    default void notificationsLost(ConnectionId connection) {}

    /** The server sent a notification that belongs to no call. */
    default void notificationReceived(ServerId server, String method, Json params) {}

    /** The server sent a log message that belongs to no call. */
    default void logged(ServerId server, Json params) {}
}
