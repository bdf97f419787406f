package dev.patchbay.gateway;

import dev.patchbay.catalog.ResourceRoute;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberCursor;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.TaskMessages;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSession;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which resources clients want to hear of, and who does. A server is asked with the first client,
 * is told with the last that nobody listens any more, and is asked for all again when it has been
 * away. What it tells goes to those who asked for that resource, and to nobody else.
 */
final class Subscriptions {
    private static final int RESOURCES_MAX = 10_000;

    /** What clients are told of. */
    enum Kind {
        RESOURCES("uri", "resources/subscribe", "resources/unsubscribe"),
        /** Of modern servers; the link makes of it what they understand. */
        TASKS(TaskMessages.TASK_ID, ServerSession.WATCH_TASK, ServerSession.UNWATCH_TASK);

        private final String member;
        private final String subscribe;
        private final String unsubscribe;

        Kind(String member, String subscribe, String unsubscribe) {
            this.member = member;
            this.subscribe = subscribe;
            this.unsubscribe = unsubscribe;
        }
    }

    /** Sends a request to a server. */
    interface Sender {
        CallResult send(ServerId server, String method, Json params, CallContext source)
                throws InterruptedException;
    }

    /** One client's wish. The URI is the one by which the client knows the resource. */
    private static final class Subscription {
        private final ResourceRoute route;
        private final String clientUri;
        private final Consumer<Json> updates;

        Subscription(ResourceRoute route, String uri, Consumer<Json> updates) {
            this.route = route;
            this.clientUri = uri;
            this.updates = updates;
        }
    }

    /** Those who want to hear of one resource, and whether its server has agreed to tell. */
    private static final class Subscribers {
        private final Set<Subscription> subscriptions = new LinkedHashSet<>();
        private boolean confirmed;
    }

    private final Kind kind;
    private final Sender sender;
    private final Map<ResourceRoute, Subscribers> subscribersByRoute = new HashMap<>();

    Subscriptions(Kind kind, Sender sender) {
        this.kind = kind;
        this.sender = sender;
    }

    /** Begins to tell a client of a resource, unless its server refuses. */
    SubscriptionResult subscribe(
            ResourceRoute route, String uri, CallContext source, Consumer<Json> updates)
            throws InterruptedException {
        var watch = new Subscription(route, uri, updates);
        Boolean agreed = add(watch);
        if (agreed == null) {
            return new SubscriptionResult(
                    CallResult.Rejected.of(
                            ErrorReason.OVERLOADED,
                            "There are %d subscriptions already".formatted(RESOURCES_MAX)),
                    () -> {});
        }
        CallResult reply =
                agreed
                        ? new CallResult.Answered(route.server(), Json.EMPTY_OBJECT)
                        : subscribeAtServer(watch, source);
        return new SubscriptionResult(reply, () -> stop(watch));
    }

    private CallResult subscribeAtServer(Subscription watch, CallContext source)
            throws InterruptedException {
        ResourceRoute route = watch.route;
        try {
            CallResult reply = sender.send(route.server(), kind.subscribe, params(route), source);
            if (reply instanceof CallResult.Answered) {
                setConfirmed(route, true);
            } else {
                boolean _ = removeAndCheckLast(watch);
            }
            return reply;
        } catch (InterruptedException e) {
            stop(watch); // the server may have agreed
            throw e;
        }
    }

    /** Whether the server tells of the resource already; null if there are too many. */
    private synchronized @Nullable Boolean add(Subscription watch) {
        Subscribers entry = subscribersByRoute.get(watch.route);
        if (entry == null) {
            if (subscribersByRoute.size() >= RESOURCES_MAX) {
                return null;
            }
            entry = new Subscribers();
            subscribersByRoute.put(watch.route, entry);
        }
        entry.subscriptions.add(watch);
        return entry.confirmed;
    }

    private synchronized void setConfirmed(ResourceRoute route, boolean agreed) {
        Subscribers entry = subscribersByRoute.get(route);
        if (entry != null) {
            entry.confirmed = agreed;
        }
    }

    /** Takes a wish away; whether the server need not tell of the resource any more. */
    private synchronized boolean removeAndCheckLast(Subscription watch) {
        Subscribers entry = subscribersByRoute.get(watch.route);
        if (entry == null || !entry.subscriptions.remove(watch) || !entry.subscriptions.isEmpty()) {
            return false;
        }
        subscribersByRoute.remove(watch.route);
        return true;
    }

    private void stop(Subscription watch) {
        if (removeAndCheckLast(watch)) {
            Thread.ofVirtual()
                    .name("unsubscribe-" + watch.route.server())
                    .start(() -> unsubscribe(watch.route));
        }
    }

    private void unsubscribe(ResourceRoute route) {
        boolean _ = sendToServer(route, kind.unsubscribe);
        // Somebody may have begun to listen meanwhile, and the server have heard that first.
        if (hasSubscribers(route)) {
            subscribeAgain(route);
        }
    }

    private synchronized boolean hasSubscribers(ResourceRoute route) {
        return subscribersByRoute.containsKey(route);
    }

    /** Asks a server that has been away for all that clients want to hear of. */
    void resubscribe(ServerId server) {
        List<ResourceRoute> wanted = subscribedRoutes(server);
        // What it agreed to before is nothing to the server that is there now.
        wanted.forEach(route -> setConfirmed(route, false));
        if (!wanted.isEmpty()) {
            Thread.ofVirtual()
                    .name("subscribe-" + server)
                    .start(() -> wanted.forEach(this::subscribeAgain));
        }
    }

    private synchronized List<ResourceRoute> subscribedRoutes(ServerId server) {
        return subscribersByRoute.keySet().stream()
                .filter(it -> it.server().equals(server))
                .toList();
    }

    private void subscribeAgain(ResourceRoute route) {
        if (sendToServer(route, kind.subscribe)) {
            setConfirmed(route, true);
        }
    }

    /** Whether the server took it. */
    private boolean sendToServer(ResourceRoute route, String method) {
        try {
            return sender.send(route.server(), method, params(route), CallContext.NONE)
                    instanceof CallResult.Answered;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Json params(ResourceRoute route) {
        return new JsonWriter().beginObject().member(kind.member, route.uri()).endObject().toJson();
    }

    /** Tells of a change, as a server told it. */
    void publishUpdate(ServerId server, Json params) {
        String uri = params.memberText(kind.member);
        if (uri == null) {
            return;
        }
        Json plain = withoutSubscriptionId(params);
        for (Subscription watch : matching(server, uri)) {
            watch.updates.accept(
                    MemberPatch.with(plain, kind.member, Json.string(toClientUri(watch, uri))));
        }
    }

    /** Takes all that a server was to tell of as changed: it may have said so to nobody. */
    void notificationsLost(ServerId server) {
        subscribedRoutes(server).forEach(route -> publishUpdate(server, params(route)));
    }

    /** Those who asked for the resource, or for one that it is a part of. */
    private synchronized List<Subscription> matching(ServerId server, String uri) {
        var found = new ArrayList<Subscription>();
        addAll(found, server, uri);
        if (kind == Kind.TASKS) {
            return found; // tasks have no parts
        }
        for (int i = uri.indexOf('/'); i >= 0; i = uri.indexOf('/', i + 1)) {
            addAll(found, server, uri.substring(0, i));
            if (i + 1 < uri.length()) {
                addAll(found, server, uri.substring(0, i + 1));
            }
        }
        return found;
    }

    private void addAll(List<Subscription> found, ServerId server, String uri) {
        Subscribers entry = subscribersByRoute.get(new ResourceRoute(server, uri));
        if (entry != null) {
            found.addAll(entry.subscriptions);
        }
    }

    /** The URI as the client knows it: it may have asked by one that names the server too. */
    private String toClientUri(Subscription watch, String uri) {
        if (kind == Kind.TASKS) {
            return watch.clientUri;
        }
        int added = watch.clientUri.length() - watch.route.uri().length();
        return watch.clientUri.substring(0, Math.max(0, added)) + uri;
    }

    /** The params without the mark of our own subscription at the server. */
    private static Json withoutSubscriptionId(Json params) {
        Json meta = params.member(MetaKeys.META);
        if (meta == null || !meta.isObject() || meta.member(MetaKeys.SUBSCRIPTION_ID) == null) {
            return params;
        }
        var rest = new JsonWriter().beginObject();
        boolean any = false;
        MemberCursor members = meta.memberCursor();
        while (members.next()) {
            if (!members.nameIs(MetaKeys.SUBSCRIPTION_ID)) {
                any = true;
                rest.name(members.name()).value(members.value());
            }
        }
        return any
                ? MemberPatch.with(params, MetaKeys.META, rest.endObject().toJson())
                : MemberPatch.without(params, MetaKeys.META);
    }
}
