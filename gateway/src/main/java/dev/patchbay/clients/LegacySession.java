package dev.patchbay.clients;

import dev.patchbay.gateway.Caller;
import dev.patchbay.gateway.TaskRegistry;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.LogLevel;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The session of a legacy client: the result of its handshake, and its subscriptions. */
final class LegacySession implements McpService.ServiceListener, TaskRegistry.TaskListener {
    private static final int RESOURCES_MAX = 1_000;
    private static final int ELICITATIONS_MAX = 1_000;

    /** The result of the handshake. */
    record Negotiated(
            String principal,
            ProtocolVersion version,
            Implementation clientInfo,
            Json capabilities,
            Caller caller) {}

    /** A subscription that the server has not confirmed yet. */
    private static final class PendingSubscription {
        private final String uri;
        private boolean isCancelled;

        PendingSubscription(String uri) {
            this.uri = uri;
        }
    }

    private final Negotiated negotiated;
    private final McpService service;
    private final Consumer<Notification> unsolicited;
    private final Map<String, McpService.Subscription> subscriptions = new HashMap<>();
    private final Set<PendingSubscription> pendingSubscriptions = new HashSet<>();
    private final Set<String> elicitations =
            Collections.newSetFromMap(
                    new LinkedHashMap<>() {
                        @Override
                        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                            return size() > ELICITATIONS_MAX;
                        }
                    });
    private volatile @Nullable String logLevel;
    private McpService.@Nullable Subscription changeSubscription;
    private boolean isNotified;
    private boolean isEnded;

    LegacySession(Negotiated terms, McpService service, Consumer<Notification> unsolicited) {
        this.negotiated = terms;
        this.service = service;
        this.unsolicited = unsolicited;
    }

    ProtocolVersion version() {
        return negotiated.version;
    }

    ClientContext context(RequestContext exchange) {
        return new ClientContext(
                negotiated.principal,
                this,
                this,
                negotiated.version,
                negotiated.clientInfo,
                negotiated.capabilities,
                logLevel,
                exchange,
                negotiated.caller);
    }

    /** Called when the client is ready for notifications. */
    void startNotifications() {
        synchronized (this) {
            if (isNotified || isEnded) {
                return;
            }
            isNotified = true;
        }
        McpService.Subscription begun = service.subscribeToChanges(this);
        boolean late;
        synchronized (this) {
            changeSubscription = begun;
            late = isEnded;
        }
        if (late) {
            begun.stop();
        }
    }

    void end() {
        var open = new ArrayList<McpService.Subscription>();
        synchronized (this) {
            isEnded = true;
            open.addAll(subscriptions.values());
            subscriptions.clear();
            if (changeSubscription != null) {
                open.add(changeSubscription);
            }
        }
        open.forEach(McpService.Subscription::stop);
        service.onSessionEnded(this);
        try {
            service.setLogLevel(this, null);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    void setLevel(String level) throws InterruptedException {
        logLevel = level;
        service.setLogLevel(this, level);
        boolean late;
        synchronized (this) {
            late = isEnded;
        }
        if (late) {
            service.setLogLevel(this, null);
        }
    }

    /** Subscribes to a resource. A second subscription changes nothing. */
    void subscribe(Json params, RequestContext exchange) throws InterruptedException {
        var wish = new PendingSubscription(uri(params));
        synchronized (this) {
            if (subscriptions.containsKey(wish.uri)) {
                return;
            }
            if (subscriptions.size() >= RESOURCES_MAX) {
                throw new RpcException(
                        RpcError.of(
                                RpcError.INTERNAL_ERROR,
                                "There are %d subscriptions already".formatted(RESOURCES_MAX),
                                "OVERLOADED"));
            }
            pendingSubscriptions.add(wish);
        }
        McpService.Subscription begun = null;
        try {
            begun = service.subscribeToResource(params, context(exchange), this::resourceUpdated);
        } finally {
            end(wish, begun);
        }
    }

    /** Ends a pending subscription. It is kept, unless it was cancelled or failed. */
    private void end(PendingSubscription wish, McpService.@Nullable Subscription begun) {
        boolean kept;
        synchronized (this) {
            pendingSubscriptions.remove(wish);
            boolean wanted = !isEnded && !wish.isCancelled;
            kept = wanted && begun != null && subscriptions.putIfAbsent(wish.uri, begun) == null;
        }
        if (begun != null && !kept) {
            begun.stop();
        }
    }

    /** Ends a subscription, also one that is still pending. */
    void unsubscribe(Json params) {
        String uri = uri(params);
        McpService.Subscription begun;
        synchronized (this) {
            begun = subscriptions.remove(uri);
            pendingSubscriptions.stream()
                    .filter(wish -> wish.uri.equals(uri))
                    .forEach(wish -> wish.isCancelled = true);
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

    /** Remembers an elicitation by URL, whose completion a server may report. */
    void rememberElicitation(Json params) {
        String id = InputRequests.elicitationId(params);
        if (id != null) {
            synchronized (elicitations) {
                elicitations.add(id);
            }
        }
    }

    @Override
    public void elicitationCompleted(Json params) {
        String id = params.memberText("elicitationId");
        boolean own;
        synchronized (elicitations) {
            own = id != null && elicitations.remove(id);
        }
        if (own) {
            unsolicited.accept(new Notification("notifications/elicitation/complete", params));
        }
    }

    /** Sends a notification that belongs to no open request. */
    void sendNotification(Notification notification) {
        unsolicited.accept(notification);
    }

    @Override
    public void taskChanged(Json params) {
        unsolicited.accept(new Notification("notifications/tasks/status", params));
    }

    @Override
    public void messageLogged(Json params) {
        if (LogLevel.includes(logLevel, params.memberText("level"))) {
            unsolicited.accept(new Notification("notifications/message", params));
        }
    }
}
