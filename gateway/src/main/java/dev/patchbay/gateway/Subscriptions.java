package dev.patchbay.gateway;

import dev.patchbay.catalog.ResourceRoute;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.Members;
import dev.patchbay.json.Splice;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.Reason;
import dev.patchbay.mcp.Tasks;
import dev.patchbay.server.Link;
import dev.patchbay.server.ServerId;

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
        TASKS(Tasks.TASK_ID, Link.WATCH_TASK, Link.UNWATCH_TASK);

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
        Reply send(ServerId server, String method, Json params, CallSource source)
                throws InterruptedException;
    }

    /** One client's wish. The URI is the one by which the client knows the resource. */
    private static final class Watch {
        private final ResourceRoute route;
        private final String uri;
        private final Consumer<Json> updates;

        Watch(ResourceRoute route, String uri, Consumer<Json> updates) {
            this.route = route;
            this.uri = uri;
            this.updates = updates;
        }
    }

    /** Those who want to hear of one resource, and whether its server has agreed to tell. */
    private static final class Entry {
        private final Set<Watch> watches = new LinkedHashSet<>();
        private boolean agreed;
    }

    private final Kind kind;
    private final Sender sender;
    private final Map<ResourceRoute, Entry> entries = new HashMap<>();

    Subscriptions(Kind kind, Sender sender) {
        this.kind = kind;
        this.sender = sender;
    }

    /** Begins to tell a client of a resource, unless its server refuses. */
    Subscribed subscribe(ResourceRoute route, String uri, CallSource source, Consumer<Json> updates)
            throws InterruptedException {
        var watch = new Watch(route, uri, updates);
        Boolean agreed = add(watch);
        if (agreed == null) {
            return new Subscribed(
                    Reply.Unresolved.of(
                            Reason.OVERLOADED,
                            "There are %d subscriptions already".formatted(RESOURCES_MAX)),
                    () -> {});
        }
        Reply reply =
                agreed ? new Reply.Answered(route.server(), Json.EMPTY_OBJECT) : ask(watch, source);
        return new Subscribed(reply, () -> stop(watch));
    }

    private Reply ask(Watch watch, CallSource source) throws InterruptedException {
        ResourceRoute route = watch.route;
        try {
            Reply reply = sender.send(route.server(), kind.subscribe, params(route), source);
            if (reply instanceof Reply.Answered) {
                agreed(route, true);
            } else {
                boolean _ = isLast(watch);
            }
            return reply;
        } catch (InterruptedException e) {
            stop(watch); // the server may have agreed
            throw e;
        }
    }

    /** Whether the server tells of the resource already; null if there are too many. */
    private synchronized @Nullable Boolean add(Watch watch) {
        Entry entry = entries.get(watch.route);
        if (entry == null) {
            if (entries.size() >= RESOURCES_MAX) {
                return null;
            }
            entry = new Entry();
            entries.put(watch.route, entry);
        }
        entry.watches.add(watch);
        return entry.agreed;
    }

    private synchronized void agreed(ResourceRoute route, boolean agreed) {
        Entry entry = entries.get(route);
        if (entry != null) {
            entry.agreed = agreed;
        }
    }

    /** Takes a wish away; whether the server need not tell of the resource any more. */
    private synchronized boolean isLast(Watch watch) {
        Entry entry = entries.get(watch.route);
        if (entry == null || !entry.watches.remove(watch) || !entry.watches.isEmpty()) {
            return false;
        }
        entries.remove(watch.route);
        return true;
    }

    private void stop(Watch watch) {
        if (isLast(watch)) {
            Thread.ofVirtual()
                    .name("unsubscribe-" + watch.route.server())
                    .start(() -> unsubscribe(watch.route));
        }
    }

    private void unsubscribe(ResourceRoute route) {
        boolean _ = tell(route, kind.unsubscribe);
        // Somebody may have begun to listen meanwhile, and the server have heard that first.
        if (isWanted(route)) {
            subscribeAgain(route);
        }
    }

    private synchronized boolean isWanted(ResourceRoute route) {
        return entries.containsKey(route);
    }

    /** Asks a server that has been away for all that clients want to hear of. */
    void resubscribe(ServerId server) {
        List<ResourceRoute> wanted = wanted(server);
        // What it agreed to before is nothing to the server that is there now.
        wanted.forEach(route -> agreed(route, false));
        if (!wanted.isEmpty()) {
            Thread.ofVirtual()
                    .name("subscribe-" + server)
                    .start(() -> wanted.forEach(this::subscribeAgain));
        }
    }

    private synchronized List<ResourceRoute> wanted(ServerId server) {
        return entries.keySet().stream().filter(it -> it.server().equals(server)).toList();
    }

    private void subscribeAgain(ResourceRoute route) {
        if (tell(route, kind.subscribe)) {
            agreed(route, true);
        }
    }

    /** Whether the server took it. */
    private boolean tell(ResourceRoute route, String method) {
        try {
            return sender.send(route.server(), method, params(route), CallSource.NONE)
                    instanceof Reply.Answered;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Json params(ResourceRoute route) {
        return new JsonWriter().beginObject().member(kind.member, route.uri()).endObject().toJson();
    }

    /** Tells of a change, as a server told it. */
    void updated(ServerId server, Json params) {
        String uri = params.memberText(kind.member);
        if (uri == null) {
            return;
        }
        Json plain = withoutTag(params);
        for (Watch watch : concerned(server, uri)) {
            watch.updates.accept(Splice.with(plain, kind.member, Json.string(known(watch, uri))));
        }
    }

    /** Takes all that a server was to tell of as changed: it may have said so to nobody. */
    void missed(ServerId server) {
        wanted(server).forEach(route -> updated(server, params(route)));
    }

    /** Those who asked for the resource, or for one that it is a part of. */
    private synchronized List<Watch> concerned(ServerId server, String uri) {
        var found = new ArrayList<Watch>();
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

    private void addAll(List<Watch> found, ServerId server, String uri) {
        Entry entry = entries.get(new ResourceRoute(server, uri));
        if (entry != null) {
            found.addAll(entry.watches);
        }
    }

    /** The URI as the client knows it: it may have asked by one that names the server too. */
    private String known(Watch watch, String uri) {
        if (kind == Kind.TASKS) {
            return watch.uri;
        }
        int added = watch.uri.length() - watch.route.uri().length();
        return watch.uri.substring(0, Math.max(0, added)) + uri;
    }

    /** The params without the mark of our own subscription at the server. */
    private static Json withoutTag(Json params) {
        Json meta = params.member(MetaKeys.META);
        if (meta == null || !meta.isObject() || meta.member(MetaKeys.SUBSCRIPTION_ID) == null) {
            return params;
        }
        var rest = new JsonWriter().beginObject();
        boolean any = false;
        Members members = meta.walk();
        while (members.next()) {
            if (!members.nameIs(MetaKeys.SUBSCRIPTION_ID)) {
                any = true;
                rest.name(members.name()).value(members.value());
            }
        }
        return any
                ? Splice.with(params, MetaKeys.META, rest.endObject().toJson())
                : Splice.without(params, MetaKeys.META);
    }
}
