package dev.patchbay.gateway;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The subscriptions of clients to the resources, or tasks, of one server. Its lock is used for that
 * server only, so that work for one server never delays another.
 */
final class ServerSubscriptions {

    /** One client's subscription, with the URI as the server and as the client knows it. */
    static final class Subscription {
        private final String uri;
        private final String clientUri;
        private final Consumer<Json> updates;

        Subscription(String uri, String clientUri, Consumer<Json> updates) {
            this.uri = uri;
            this.clientUri = clientUri;
            this.updates = updates;
        }

        String uri() {
            return uri;
        }

        String clientUri() {
            return clientUri;
        }

        Consumer<Json> updates() {
            return updates;
        }
    }

    /** The subscriptions to one URI, and whether the server has confirmed it. */
    private static final class Subscribers {
        private final Set<Subscription> subscriptions = new LinkedHashSet<>();
        private boolean confirmed;
    }

    private final NavigableMap<String, Subscribers> byUri = new TreeMap<>();

    /** Adds a subscription; returns whether its URI is new. */
    synchronized boolean add(Subscription subscription) {
        Subscribers there = byUri.get(subscription.uri());
        boolean isNew = there == null;
        if (there == null) {
            there = new Subscribers();
            byUri.put(subscription.uri(), there);
        }
        there.subscriptions.add(subscription);
        return isNew;
    }

    /** Removes a subscription; returns whether it was the last one of its URI. */
    synchronized boolean remove(Subscription subscription) {
        Subscribers there = byUri.get(subscription.uri());
        if (there == null
                || !there.subscriptions.remove(subscription)
                || !there.subscriptions.isEmpty()) {
            return false;
        }
        byUri.remove(subscription.uri());
        return true;
    }

    synchronized boolean isEmpty() {
        return byUri.isEmpty();
    }

    synchronized boolean contains(String uri) {
        return byUri.containsKey(uri);
    }

    synchronized boolean isConfirmed(String uri) {
        Subscribers there = byUri.get(uri);
        return there != null && there.confirmed;
    }

    synchronized void setConfirmed(String uri, boolean confirmed) {
        Subscribers there = byUri.get(uri);
        if (there != null) {
            there.confirmed = confirmed;
        }
    }

    synchronized List<String> uris() {
        return List.copyOf(byUri.keySet());
    }

    /** The subscriptions to exactly this URI. */
    synchronized List<Subscription> exact(String uri) {
        Subscribers there = byUri.get(uri);
        return there == null ? List.of() : List.copyOf(there.subscriptions);
    }

    /**
     * The subscriptions to a URI and to its parents, which end before or after one of its slashes.
     * The map is sorted, so each step goes to the longest key left that can begin the URI.
     */
    synchronized List<Subscription> matching(String uri) {
        var found = new ArrayList<Subscription>();
        Map.@Nullable Entry<String, Subscribers> entry = byUri.floorEntry(uri);
        while (entry != null) {
            String key = entry.getKey();
            int common = commonLength(key, uri);
            if (common == key.length()) {
                if (isSameOrParent(key, uri)) {
                    found.addAll(entry.getValue().subscriptions);
                }
                entry = byUri.lowerEntry(key);
            } else {
                entry = byUri.floorEntry(uri.substring(0, common));
            }
        }
        return found;
    }

    private static int commonLength(String one, String other) {
        int max = Math.min(one.length(), other.length());
        int length = 0;
        while (length < max && one.charAt(length) == other.charAt(length)) {
            length++;
        }
        return length;
    }

    private static boolean isSameOrParent(String start, String uri) {
        return start.length() == uri.length()
                || start.endsWith("/")
                || uri.charAt(start.length()) == '/';
    }
}
