package dev.patchbay.gateway;

import dev.patchbay.catalog.ResourceRoute;
import dev.patchbay.gateway.ServerSubscriptions.Subscription;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberCursor;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.TaskMessages;
import dev.patchbay.server.PrincipalShares;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSession;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The resources, or tasks, that clients are subscribed to. The first subscription to a resource is
 * sent to its server, and the removal of the last one too; a server that reconnects gets all of
 * them again. An update goes only to the clients that subscribed to that resource or a parent of
 * it. Each server has a table and a lock of its own, and URIs have a bounded length, so that no
 * server can delay the updates of another.
 */
final class Subscriptions {
    private static final int RESOURCES_MAX = 10_000;

    /** What clients subscribe to. */
    enum Kind {
        RESOURCES("uri", "resources/subscribe", "resources/unsubscribe"),
        /** Tasks of modern servers; the session translates the methods. */
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
        CallResult send(ServerId server, String method, Json params, CallContext context)
                throws InterruptedException;
    }

    private final Kind kind;
    private final Sender sender;
    private final PrincipalShares shares = new PrincipalShares(RESOURCES_MAX);
    private final AtomicInteger resources = new AtomicInteger();
    private final ConcurrentMap<ServerId, ServerSubscriptions> byServer = new ConcurrentHashMap<>();

    Subscriptions(Kind kind, Sender sender) {
        this.kind = kind;
        this.sender = sender;
    }

    /** Subscribes a client to a resource, unless the server refuses. */
    SubscriptionResult subscribe(
            ResourceRoute route, String clientUri, CallContext context, Consumer<Json> updates)
            throws InterruptedException {
        if (route.uri().length() > ResourceRoute.URI_CHARS_MAX) {
            return rejected(
                    ErrorReason.INVALID_ARGUMENTS,
                    kind.member + " is longer than " + ResourceRoute.URI_CHARS_MAX + " characters");
        }
        PrincipalShares.Share share = shares.tryAcquire(context.principal());
        if (share == null) {
            return rejected(
                    ErrorReason.OVERLOADED,
                    "This client has %d subscriptions already".formatted(shares.shareMax()));
        }
        var subscription = new Subscription(route.uri(), clientUri, updates);
        if (!add(route.server(), subscription)) {
            share.close();
            return rejected(
                    ErrorReason.OVERLOADED,
                    "There are %d subscriptions already".formatted(RESOURCES_MAX));
        }
        boolean isSubscribed = false;
        try {
            CallResult result =
                    table(route.server()).isConfirmed(route.uri())
                            ? new CallResult.Answered(route.server(), Json.EMPTY_OBJECT)
                            : subscribeAtServer(route, subscription, context);
            isSubscribed = result instanceof CallResult.Answered;
            return new SubscriptionResult(result, () -> stop(route, subscription, share));
        } finally {
            if (!isSubscribed) {
                share.close();
            }
        }
    }

    private void stop(ResourceRoute route, Subscription subscription, PrincipalShares.Share share) {
        share.close();
        stop(route, subscription);
    }

    private static SubscriptionResult rejected(ErrorReason reason, String message) {
        return new SubscriptionResult(CallResult.Rejected.of(reason, message), () -> {});
    }

    private CallResult subscribeAtServer(
            ResourceRoute route, Subscription subscription, CallContext context)
            throws InterruptedException {
        try {
            CallResult result =
                    sender.send(route.server(), kind.subscribe, params(route.uri()), context);
            if (result instanceof CallResult.Answered) {
                table(route.server()).setConfirmed(route.uri(), true);
            } else {
                boolean _ = remove(route, subscription);
            }
            return result;
        } catch (InterruptedException e) {
            stop(route, subscription); // the server may have confirmed it
            throw e;
        }
    }

    /** Returns false if there are too many subscriptions. */
    private boolean add(ServerId server, Subscription subscription) {
        if (resources.incrementAndGet() > RESOURCES_MAX) {
            resources.decrementAndGet();
            return false;
        }
        var isNew = new AtomicBoolean();
        byServer.compute(
                server,
                (_, known) -> {
                    ServerSubscriptions table = known == null ? new ServerSubscriptions() : known;
                    isNew.set(table.add(subscription));
                    return table;
                });
        if (!isNew.get()) {
            resources.decrementAndGet(); // the resource is counted already
        }
        return true;
    }

    /** Returns whether it was the last subscription to its resource. */
    private boolean remove(ResourceRoute route, Subscription subscription) {
        if (!table(route.server()).remove(subscription)) {
            return false;
        }
        resources.decrementAndGet();
        byServer.computeIfPresent(route.server(), (_, it) -> it.isEmpty() ? null : it);
        return true;
    }

    private ServerSubscriptions table(ServerId server) {
        ServerSubscriptions known = byServer.get(server);
        return known == null ? new ServerSubscriptions() : known;
    }

    private void stop(ResourceRoute route, Subscription subscription) {
        if (remove(route, subscription)) {
            Thread.ofVirtual()
                    .name("unsubscribe-" + route.server())
                    .start(() -> unsubscribe(route));
        }
    }

    private void unsubscribe(ResourceRoute route) {
        boolean _ = sendToServer(route.server(), kind.unsubscribe, route.uri());
        // A client may have subscribed in the meantime, and the server may have received that
        // first.
        if (table(route.server()).contains(route.uri())) {
            subscribeAgain(route.server(), route.uri());
        }
    }

    /** Sends all subscriptions to a server that has a new connection. */
    void resubscribe(ServerId server) {
        ServerSubscriptions table = table(server);
        List<String> uris = table.uris();
        // Confirmations of an earlier connection are not valid for this one.
        uris.forEach(uri -> table.setConfirmed(uri, false));
        if (!uris.isEmpty()) {
            Thread.ofVirtual()
                    .name("subscribe-" + server)
                    .start(() -> uris.forEach(uri -> subscribeAgain(server, uri)));
        }
    }

    private void subscribeAgain(ServerId server, String uri) {
        if (sendToServer(server, kind.subscribe, uri)) {
            table(server).setConfirmed(uri, true);
        }
    }

    /** Returns whether the server answered with a result. */
    private boolean sendToServer(ServerId server, String method, String uri) {
        try {
            return sender.send(server, method, params(uri), CallContext.NONE)
                    instanceof CallResult.Answered;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Json params(String uri) {
        return new JsonWriter().beginObject().member(kind.member, uri).endObject().toJson();
    }

    /** Forwards a server's update to the subscribed clients. */
    void publishUpdate(ServerId server, Json params) {
        ServerSubscriptions table = byServer.get(server);
        String uri = table == null ? null : params.memberText(kind.member);
        if (table == null || uri == null || uri.length() > ResourceRoute.URI_CHARS_MAX) {
            return;
        }
        List<Subscription> matching = kind == Kind.TASKS ? table.exact(uri) : table.matching(uri);
        if (matching.isEmpty()) {
            return;
        }
        Json plain = withoutSubscriptionId(params);
        for (Subscription it : matching) {
            it.updates()
                    .accept(MemberPatch.with(plain, kind.member, Json.string(clientUri(it, uri))));
        }
    }

    /** Reports all subscribed resources of a server as updated, since updates may be lost. */
    void notificationsLost(ServerId server) {
        table(server).uris().forEach(uri -> publishUpdate(server, params(uri)));
    }

    /** The URI as the client knows it, which may have the server's id in front. */
    private String clientUri(Subscription subscription, String uri) {
        if (kind == Kind.TASKS) {
            return subscription.clientUri();
        }
        int prefix = subscription.clientUri().length() - subscription.uri().length();
        return subscription.clientUri().substring(0, Math.max(0, prefix)) + uri;
    }

    /** The params without the id of the gateway's own subscription at the server. */
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
