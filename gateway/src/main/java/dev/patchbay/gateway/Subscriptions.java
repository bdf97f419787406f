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
import dev.patchbay.server.ServerUnavailableException;

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

    /** Sends requests over the connections to servers. */
    interface Sender {
        CallResult send(ConnectionId connection, String method, Json params, CallContext context)
                throws InterruptedException;

        /** The connection that a client subscribes over. */
        default ConnectionId connectionFor(ServerId server, CallContext context)
                throws ServerUnavailableException, InterruptedException {
            return ConnectionId.primary(server);
        }

        /** Notes that the first resource was subscribed to, or the last one was not any more. */
        default void onSubscriptions(ConnectionId connection, int difference) {}
    }

    /** What is subscribed to, and over which connection. */
    private record Target(ConnectionId connection, String uri) {}

    private final Kind kind;
    private final Sender sender;
    private final PrincipalShares shares = new PrincipalShares(RESOURCES_MAX);
    private final AtomicInteger resources = new AtomicInteger();
    private final ConcurrentMap<ConnectionId, ServerSubscriptions> byConnection =
            new ConcurrentHashMap<>();

    Subscriptions(Kind kind, Sender sender) {
        this.kind = kind;
        this.sender = sender;
    }

    /** Receives what servers report about resources. */
    EntryListener resourceEvents() {
        return new EntryListener() {
            @Override
            public void connected(ConnectionId connection) {
                resubscribe(connection);
            }

            @Override
            public void resourceUpdated(ConnectionId connection, Json params) {
                publishUpdate(connection, params);
            }

            @Override
            public void notificationsLost(ConnectionId connection) {
                Subscriptions.this.notificationsLost(connection);
            }
        };
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
        try {
            ConnectionId connection = sender.connectionFor(route.server(), context);
            return subscribe(new Target(connection, route.uri()), clientUri, context, updates);
        } catch (ServerUnavailableException e) {
            return new SubscriptionResult(
                    new CallResult.Failed(route.server(), e.failure()), () -> {});
        }
    }

    private SubscriptionResult subscribe(
            Target target, String clientUri, CallContext context, Consumer<Json> updates)
            throws InterruptedException {
        PrincipalShares.Share share = shares.tryAcquire(context.principal());
        if (share == null) {
            return rejected(
                    ErrorReason.OVERLOADED,
                    "This client has %d subscriptions already".formatted(shares.shareMax()));
        }
        var subscription = new Subscription(target.uri, clientUri, updates);
        if (!add(target.connection, subscription)) {
            share.close();
            return rejected(
                    ErrorReason.OVERLOADED,
                    "There are %d subscriptions already".formatted(RESOURCES_MAX));
        }
        boolean isSubscribed = false;
        try {
            CallResult result =
                    table(target.connection).isConfirmed(target.uri)
                            ? new CallResult.Answered(target.connection.server(), Json.EMPTY_OBJECT)
                            : subscribeAtServer(target, subscription, context);
            isSubscribed = result instanceof CallResult.Answered;
            return new SubscriptionResult(result, () -> stop(target, subscription, share));
        } finally {
            if (!isSubscribed) {
                share.close();
            }
        }
    }

    private void stop(Target target, Subscription subscription, PrincipalShares.Share share) {
        share.close();
        stop(target, subscription);
    }

    private static SubscriptionResult rejected(ErrorReason reason, String message) {
        return new SubscriptionResult(CallResult.Rejected.of(reason, message), () -> {});
    }

    private CallResult subscribeAtServer(
            Target target, Subscription subscription, CallContext context)
            throws InterruptedException {
        try {
            CallResult result =
                    sender.send(target.connection, kind.subscribe, params(target.uri), context);
            if (result instanceof CallResult.Answered) {
                table(target.connection).setConfirmed(target.uri, true);
            } else {
                boolean _ = remove(target, subscription);
            }
            return result;
        } catch (InterruptedException e) {
            stop(target, subscription); // the server may have confirmed it
            throw e;
        }
    }

    /** Returns false if there are too many subscriptions. */
    private boolean add(ConnectionId connection, Subscription subscription) {
        if (resources.incrementAndGet() > RESOURCES_MAX) {
            resources.decrementAndGet();
            return false;
        }
        var isNew = new AtomicBoolean();
        byConnection.compute(
                connection,
                (_, known) -> {
                    ServerSubscriptions table = known == null ? new ServerSubscriptions() : known;
                    isNew.set(table.add(subscription));
                    return table;
                });
        if (isNew.get()) {
            sender.onSubscriptions(connection, 1);
        } else {
            resources.decrementAndGet(); // the resource is counted already
        }
        return true;
    }

    /** Returns whether it was the last subscription to its resource. */
    private boolean remove(Target target, Subscription subscription) {
        if (!table(target.connection).remove(subscription)) {
            return false;
        }
        resources.decrementAndGet();
        byConnection.computeIfPresent(target.connection, (_, it) -> it.isEmpty() ? null : it);
        sender.onSubscriptions(target.connection, -1);
        return true;
    }

    private ServerSubscriptions table(ConnectionId connection) {
        ServerSubscriptions known = byConnection.get(connection);
        return known == null ? new ServerSubscriptions() : known;
    }

    private void stop(Target target, Subscription subscription) {
        if (remove(target, subscription)) {
            Thread.ofVirtual()
                    .name("unsubscribe-" + target.connection.server())
                    .start(() -> unsubscribe(target));
        }
    }

    private void unsubscribe(Target target) {
        boolean _ = sendToServer(target, kind.unsubscribe);
        // A client may have subscribed in the meantime, and the server may have received that
        // first.
        if (table(target.connection).contains(target.uri)) {
            subscribeAgain(target);
        }
    }

    /** Sends all subscriptions over a new connection. */
    void resubscribe(ConnectionId connection) {
        ServerSubscriptions table = table(connection);
        List<String> uris = table.uris();
        // Confirmations of an earlier connection are not valid for this one.
        uris.forEach(uri -> table.setConfirmed(uri, false));
        if (!uris.isEmpty()) {
            Thread.ofVirtual()
                    .name("subscribe-" + connection.server())
                    .start(() -> uris.forEach(uri -> subscribeAgain(new Target(connection, uri))));
        }
    }

    private void subscribeAgain(Target target) {
        if (sendToServer(target, kind.subscribe)) {
            table(target.connection).setConfirmed(target.uri, true);
        }
    }

    /** Returns whether the server answered with a result. */
    private boolean sendToServer(Target target, String method) {
        try {
            return sender.send(target.connection, method, params(target.uri), CallContext.NONE)
                    instanceof CallResult.Answered;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Json params(String uri) {
        return new JsonWriter().beginObject().member(kind.member, uri).endObject().toJson();
    }

    /** Forwards an update of a task to the subscribed clients. Its id is unique at its server. */
    void publishTaskUpdate(ServerId server, Json params) {
        for (ConnectionId connection : byConnection.keySet()) {
            if (connection.server().equals(server)) {
                publishUpdate(connection, params);
            }
        }
    }

    /** Forwards an update over a connection to the subscribed clients. */
    void publishUpdate(ConnectionId connection, Json params) {
        ServerSubscriptions table = byConnection.get(connection);
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

    /** Reports all subscribed resources of a connection as updated, since updates may be lost. */
    void notificationsLost(ConnectionId connection) {
        table(connection).uris().forEach(uri -> publishUpdate(connection, params(uri)));
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
