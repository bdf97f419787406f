package dev.patchbay.gateway;

import dev.patchbay.catalog.ResourceRoute;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.server.ServerId;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Which resources clients want to hear of, and how many clients do: the server is told of the first
 * and of the last, and of all again when it has been away.
 */
final class Subscriptions {
    static final String SUBSCRIBE = "resources/subscribe";
    static final String UNSUBSCRIBE = "resources/unsubscribe";

    private static final int RESOURCES_MAX = 10_000;

    private final ConcurrentMap<ResourceRoute, Integer> clients = new ConcurrentHashMap<>();

    /** One client more; whether the server has been told before. */
    boolean isKnownWith(ResourceRoute route) {
        return clients.computeIfPresent(route, (_, count) -> count + 1) != null;
    }

    /** The server was told of the first client. */
    void begun(ResourceRoute route) {
        if (clients.size() < RESOURCES_MAX) {
            clients.merge(route, 1, Integer::sum);
        }
    }

    /** One client less; whether others are left. */
    boolean isKnownWithout(ResourceRoute route) {
        return clients.computeIfPresent(route, (_, count) -> count == 1 ? null : count - 1) != null;
    }

    /** The params to tell a server of all again. */
    List<Json> of(ServerId server) {
        return clients.keySet().stream()
                .filter(route -> route.server().equals(server))
                .map(route -> new JsonWriter().beginObject().member("uri", route.uri()).endObject())
                .map(JsonWriter::toJson)
                .toList();
    }
}
