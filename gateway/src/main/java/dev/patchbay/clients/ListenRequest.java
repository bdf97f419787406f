package dev.patchbay.clients;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberCursor;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.MetaKeys;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One {@code subscriptions/listen} request of a modern client. It is acknowledged with the accepted
 * items, gets notifications for these only, and is answered when it ends.
 */
final class ListenRequest implements McpService.ServiceListener {
    private static final int ITEMS_MAX = 500;
    private static final String RESOURCES = "resourceSubscriptions";
    private static final String TASKS = "taskIds";

    /** A server that has not accepted by then is left out of the acknowledgement. */
    private static final Duration SUBSCRIBE_WAIT_MAX = Duration.ofSeconds(10);

    private final McpService service;
    private final RequestId id;
    private final ClientContext context;
    private final Set<String> lists = new HashSet<>();
    private final Set<RequestedItem> requested = new HashSet<>();
    private final Map<RequestedItem, McpService.Subscription> accepted = new HashMap<>();
    private final List<Notification> queued = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private boolean isAcknowledged;
    private boolean isStopped;

    /** A requested resource or task, with the member of the filter that names it. */
    private record RequestedItem(String kind, String name) {}

    ListenRequest(McpService service, RequestId id, Json params, ClientContext caller) {
        this.service = service;
        this.id = id;
        this.context = caller;
        Json filter = params.member("notifications");
        if (filter != null) {
            readFilter(filter);
        }
    }

    /** Listens until the client cancels the request or the gateway ends. */
    Json run() throws InterruptedException {
        try {
            subscribe();
            McpService.Subscription changes = service.subscribeToChanges(this);
            try {
                acknowledge();
                ended.await();
            } finally {
                changes.stop();
            }
        } finally {
            stop();
        }
        return new JsonWriter()
                .beginObject()
                .name(MetaKeys.META)
                .value(metaWithSubscriptionId(null))
                .endObject()
                .toJson();
    }

    /** Ends the request with its result. */
    void end() {
        ended.countDown();
    }

    private void readFilter(Json filter) {
        for (String list : new String[] {"tools", "prompts", "resources"}) {
            Json asked = filter.member(list + "ListChanged");
            if (asked != null && asked.isTrue() && offers(list, "listChanged")) {
                lists.add(list);
            }
        }
        if (offers("resources", "subscribe")) {
            readFilter(RESOURCES, filter);
        }
        readFilter(TASKS, filter);
        if (requested.stream().anyMatch(it -> it.kind.equals(TASKS))) {
            TaskRequestHandler.requireTasksExtension(context);
        }
        if (requested.size() > ITEMS_MAX) {
            throw new RpcException(
                    RpcError.INVALID_PARAMS,
                    "Invalid params: more than %d resources and tasks in one subscription"
                            .formatted(ITEMS_MAX));
        }
    }

    private void readFilter(String kind, Json filter) {
        Json names = filter.member(kind);
        if (names != null && names.isArray()) {
            names.elements().stream()
                    .filter(Json::isString)
                    .forEach(it -> requested.add(new RequestedItem(kind, it.text())));
        }
    }

    private boolean offers(String list, String part) {
        Json capability = service.capabilities().member(list);
        Json offered = capability == null ? null : capability.member(part);
        return offered != null && offered.isTrue();
    }

    /** Subscribes to all items in parallel. Items that fail or take too long are left out. */
    private void subscribe() throws InterruptedException {
        var asked = new CountDownLatch(requested.size());
        var asking = new ArrayList<Thread>();
        for (RequestedItem wish : requested) {
            asking.add(Thread.ofVirtual().start(() -> subscribe(wish, asked)));
        }
        try {
            boolean _ = asked.await(SUBSCRIBE_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            asking.forEach(Thread::interrupt);
        }
    }

    private void subscribe(RequestedItem wish, CountDownLatch asked) {
        try {
            accept(
                    wish,
                    wish.kind.equals(TASKS)
                            ? service.subscribeToTask(
                                    paramsNaming("taskId", wish), context, this::taskChanged)
                            : service.subscribeToResource(
                                    paramsNaming("uri", wish), context, this::resourceUpdated));
        } catch (RpcException _) {
            // What is acknowledged will not have it.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            asked.countDown();
        }
    }

    private static Json paramsNaming(String member, RequestedItem wish) {
        return new JsonWriter().beginObject().member(member, wish.name).endObject().toJson();
    }

    private void accept(RequestedItem wish, McpService.Subscription begun) {
        synchronized (this) {
            if (!isAcknowledged && !isStopped) {
                accepted.put(wish, begun);
                return;
            }
        }
        begun.stop();
    }

    private void stop() {
        List<McpService.Subscription> open;
        synchronized (this) {
            isStopped = true;
            open = List.copyOf(accepted.values());
        }
        open.forEach(McpService.Subscription::stop);
    }

    /** Acknowledges the accepted items before any notification about them. */
    private synchronized void acknowledge() {
        Json params =
                new JsonWriter()
                        .beginObject()
                        .member("notifications", acceptedFilter())
                        .endObject()
                        .toJson();
        send("notifications/subscriptions/acknowledged", params);
        isAcknowledged = true;
        queued.forEach(context.requestContext()::sendNotification);
        queued.clear();
    }

    private Json acceptedFilter() {
        var writer = new JsonWriter().beginObject();
        lists.stream().sorted().forEach(list -> writer.member(list + "ListChanged", true));
        for (String kind : new String[] {RESOURCES, TASKS}) {
            List<String> names =
                    accepted.keySet().stream()
                            .filter(it -> it.kind.equals(kind))
                            .map(RequestedItem::name)
                            .sorted()
                            .toList();
            if (!names.isEmpty()) {
                writer.name(kind).beginArray();
                names.forEach(writer::string);
                writer.endArray();
            }
        }
        return writer.endObject().toJson();
    }

    @Override
    public void listChanged(String list) {
        if (lists.contains(list)) {
            sendOrQueue("notifications/" + list + "/list_changed", Json.EMPTY_OBJECT);
        }
    }

    private void resourceUpdated(Json params) {
        sendOrQueue("notifications/resources/updated", params);
    }

    private void taskChanged(Json params) {
        sendOrQueue("notifications/tasks", params);
    }

    private synchronized void sendOrQueue(String method, Json params) {
        Notification told = taggedNotification(method, params);
        if (isAcknowledged) {
            context.requestContext().sendNotification(told);
        } else if (queued.size() < ITEMS_MAX) {
            queued.add(told);
        }
    }

    private void send(String method, Json params) {
        context.requestContext().sendNotification(taggedNotification(method, params));
    }

    /** A notification with the id of this subscription. */
    private Notification taggedNotification(String method, Json params) {
        var writer = new JsonWriter().beginObject();
        MemberCursor members = params.memberCursor();
        while (members.next()) {
            if (!members.nameIs(MetaKeys.META)) {
                writer.name(members.name()).value(members.value());
            }
        }
        writer.name(MetaKeys.META).value(metaWithSubscriptionId(params.member(MetaKeys.META)));
        return new Notification(method, writer.endObject().toJson());
    }

    private Json metaWithSubscriptionId(@Nullable Json meta) {
        var writer = new JsonWriter().beginObject();
        if (meta != null && meta.isObject()) {
            MemberCursor members = meta.memberCursor();
            while (members.next()) {
                if (!members.nameIs(MetaKeys.SUBSCRIPTION_ID)) {
                    writer.name(members.name()).value(members.value());
                }
            }
        }
        return writer.member(MetaKeys.SUBSCRIPTION_ID, id.json()).endObject().toJson();
    }
}
