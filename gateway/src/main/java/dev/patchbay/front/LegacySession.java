package dev.patchbay.front;

import dev.patchbay.gateway.TaskDesk;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Exchange;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.LogLevel;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** What the handshake with a legacy client settled, and what the client set since. */
final class LegacySession implements Service.ServiceListener, TaskDesk.Client {
    private static final int RESOURCES_MAX = 1_000;
    private static final int ELICITATIONS_MAX = 1_000;

    /** What the handshake settled. */
    record Terms(
            String principal, ProtocolVersion version, Implementation client, Json capabilities) {}

    /** A subscription that its server has not answered yet. */
    private static final class Wish {
        private final String uri;
        private boolean isDropped;

        Wish(String uri) {
            this.uri = uri;
        }
    }

    private final Terms terms;
    private final Service service;
    private final Consumer<Notification> unsolicited;
    private final Map<String, Service.Subscription> resources = new HashMap<>();
    private final Set<Wish> asking = new HashSet<>();
    private final Set<String> elicitations =
            Collections.newSetFromMap(
                    new LinkedHashMap<>() {
                        @Override
                        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                            return size() > ELICITATIONS_MAX;
                        }
                    });
    private volatile @Nullable String logLevel;
    private Service.@Nullable Subscription changes;
    private boolean ended;

    LegacySession(Terms terms, Service service, Consumer<Notification> unsolicited) {
        this.terms = terms;
        this.service = service;
        this.unsolicited = unsolicited;
    }

    ProtocolVersion version() {
        return terms.version;
    }

    Caller caller(Exchange exchange) {
        return new Caller(
                terms.principal,
                this,
                terms.version,
                terms.client,
                terms.capabilities,
                logLevel,
                exchange);
    }

    /** The client is ready to hear of changes. */
    synchronized void begin() {
        if (changes == null && !ended) {
            changes = service.listen(this);
        }
    }

    void end() {
        List<Service.Subscription> open;
        synchronized (this) {
            ended = true;
            open = List.copyOf(resources.values());
            resources.clear();
            if (changes != null) {
                changes.stop();
            }
        }
        open.forEach(Service.Subscription::stop);
        service.ended(this);
        try {
            service.logLevel(this, null);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    void setLevel(String level) throws InterruptedException {
        logLevel = level;
        service.logLevel(this, level);
        boolean late;
        synchronized (this) {
            late = ended;
        }
        if (late) {
            service.logLevel(this, null);
        }
    }

    /** Begins to tell the client of a resource; asking again changes nothing. */
    void subscribe(Json params, Exchange exchange) throws InterruptedException {
        var wish = new Wish(uri(params));
        synchronized (this) {
            if (resources.containsKey(wish.uri)) {
                return;
            }
            if (resources.size() >= RESOURCES_MAX) {
                throw new RpcException(
                        RpcError.of(
                                RpcError.INTERNAL_ERROR,
                                "There are %d subscriptions already".formatted(RESOURCES_MAX),
                                "OVERLOADED"));
            }
            asking.add(wish);
        }
        Service.Subscription begun = null;
        try {
            begun = service.subscribe(params, caller(exchange), this::resourceUpdated);
        } finally {
            end(wish, begun);
        }
    }

    /** A server has answered to a wish, if it has; what is not wanted any more is stopped. */
    private void end(Wish wish, Service.@Nullable Subscription begun) {
        boolean kept;
        synchronized (this) {
            asking.remove(wish);
            boolean wanted = !ended && !wish.isDropped;
            kept = wanted && begun != null && resources.putIfAbsent(wish.uri, begun) == null;
        }
        if (begun != null && !kept) {
            begun.stop();
        }
    }

    /** Ends what was subscribed to; also what no server has answered yet. */
    void unsubscribe(Json params) {
        String uri = uri(params);
        Service.Subscription begun;
        synchronized (this) {
            begun = resources.remove(uri);
            asking.stream()
                    .filter(wish -> wish.uri.equals(uri))
                    .forEach(wish -> wish.isDropped = true);
        }
        if (begun != null) {
            begun.stop();
        }
    }

    private static String uri(Json params) {
        String uri = params.memberText("uri");
        return uri == null ? "" : uri;
    }

    @Override
    public void listChanged(String list) {
        unsolicited.accept(new Notification("notifications/" + list + "/list_changed", null));
    }

    private void resourceUpdated(Json params) {
        unsolicited.accept(new Notification("notifications/resources/updated", params));
    }

    /** Notes a question to the client, whose end a server may tell of. */
    void asked(Json params) {
        String id = Questions.elicitationId(params);
        if (id != null) {
            synchronized (elicitations) {
                elicitations.add(id);
            }
        }
    }

    @Override
    public void elicited(Json params) {
        String id = params.memberText("elicitationId");
        boolean own;
        synchronized (elicitations) {
            own = id != null && elicitations.remove(id);
        }
        if (own) {
            unsolicited.accept(new Notification("notifications/elicitation/complete", params));
        }
    }

    /** Tells the client something that no request of its is open for. */
    void tell(Notification notification) {
        unsolicited.accept(notification);
    }

    @Override
    public void taskChanged(Json params) {
        unsolicited.accept(new Notification("notifications/tasks/status", params));
    }

    @Override
    public void logged(Json params) {
        if (LogLevel.admits(logLevel, params.memberText("level"))) {
            unsolicited.accept(new Notification("notifications/message", params));
        }
    }
}
