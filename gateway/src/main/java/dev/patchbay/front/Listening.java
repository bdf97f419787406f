package dev.patchbay.front;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.Members;
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
 * One {@code subscriptions/listen} of a modern client: it is acknowledged with what it gets, told
 * of just that, and answered only when it ends.
 */
final class Listening implements Service.ServiceListener {
    private static final int WISHES_MAX = 500;
    private static final String RESOURCES = "resourceSubscriptions";
    private static final String TASKS = "taskIds";

    /** A server that has not agreed by then is left out of what is acknowledged. */
    private static final Duration AGREEMENT_TIME_MAX = Duration.ofSeconds(10);

    private final Service service;
    private final RequestId id;
    private final Caller caller;
    private final Set<String> lists = new HashSet<>();
    private final Set<Wish> wanted = new HashSet<>();
    private final Map<Wish, Service.Subscription> honoured = new HashMap<>();
    private final List<Notification> early = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private boolean acknowledged;
    private boolean over;

    /** One thing to be told of, and the member of the filter that names it. */
    private record Wish(String kind, String name) {}

    Listening(Service service, RequestId id, Json params, Caller caller) {
        this.service = service;
        this.id = id;
        this.caller = caller;
        Json filter = params.member("notifications");
        if (filter != null) {
            choose(filter);
        }
    }

    /** Listens until the client gives it up, or the gateway ends. */
    Json run() throws InterruptedException {
        try {
            subscribe();
            Service.Subscription changes = service.listen(this);
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
                .value(tagged(null))
                .endObject()
                .toJson();
    }

    /** Ends it: the client gets its result. */
    void end() {
        ended.countDown();
    }

    private void choose(Json filter) {
        for (String list : new String[] {"tools", "prompts", "resources"}) {
            Json asked = filter.member(list + "ListChanged");
            if (asked != null && asked.isTrue() && offers(list, "listChanged")) {
                lists.add(list);
            }
        }
        if (offers("resources", "subscribe")) {
            choose(RESOURCES, filter);
        }
        choose(TASKS, filter);
        if (wanted.stream().anyMatch(it -> it.kind.equals(TASKS))) {
            TaskRelay.requireExtension(caller);
        }
        if (wanted.size() > WISHES_MAX) {
            throw new RpcException(
                    RpcError.INVALID_PARAMS,
                    "Invalid params: more than %d resources and tasks in one subscription"
                            .formatted(WISHES_MAX));
        }
    }

    private void choose(String kind, Json filter) {
        Json names = filter.member(kind);
        if (names != null && names.isArray()) {
            names.elements().stream()
                    .filter(Json::isString)
                    .forEach(it -> wanted.add(new Wish(kind, it.text())));
        }
    }

    private boolean offers(String list, String part) {
        Json capability = service.capabilities().member(list);
        Json offered = capability == null ? null : capability.member(part);
        return offered != null && offered.isTrue();
    }

    /** Asks the servers of all of them at once; who refuses or is late is left out. */
    private void subscribe() throws InterruptedException {
        var asked = new CountDownLatch(wanted.size());
        var asking = new ArrayList<Thread>();
        for (Wish wish : wanted) {
            asking.add(Thread.ofVirtual().start(() -> subscribe(wish, asked)));
        }
        try {
            boolean _ = asked.await(AGREEMENT_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            asking.forEach(Thread::interrupt);
        }
    }

    private void subscribe(Wish wish, CountDownLatch asked) {
        try {
            keep(
                    wish,
                    wish.kind.equals(TASKS)
                            ? service.watch(named("taskId", wish), caller, this::taskChanged)
                            : service.subscribe(named("uri", wish), caller, this::resourceUpdated));
        } catch (RpcException _) {
            // What is acknowledged will not have it.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            asked.countDown();
        }
    }

    private static Json named(String member, Wish wish) {
        return new JsonWriter().beginObject().member(member, wish.name).endObject().toJson();
    }

    private void keep(Wish wish, Service.Subscription begun) {
        synchronized (this) {
            if (!acknowledged && !over) {
                honoured.put(wish, begun);
                return;
            }
        }
        begun.stop();
    }

    private void stop() {
        List<Service.Subscription> open;
        synchronized (this) {
            over = true;
            open = List.copyOf(honoured.values());
        }
        open.forEach(Service.Subscription::stop);
    }

    /** Says what will be told of, before anything is told. */
    private synchronized void acknowledge() {
        Json params =
                new JsonWriter()
                        .beginObject()
                        .member("notifications", honouredFilter())
                        .endObject()
                        .toJson();
        notify("notifications/subscriptions/acknowledged", params);
        acknowledged = true;
        early.forEach(caller.exchange()::notify);
        early.clear();
    }

    private Json honouredFilter() {
        var writer = new JsonWriter().beginObject();
        lists.stream().sorted().forEach(list -> writer.member(list + "ListChanged", true));
        for (String kind : new String[] {RESOURCES, TASKS}) {
            List<String> names =
                    honoured.keySet().stream()
                            .filter(it -> it.kind.equals(kind))
                            .map(Wish::name)
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
            tell("notifications/" + list + "/list_changed", Json.EMPTY_OBJECT);
        }
    }

    private void resourceUpdated(Json params) {
        tell("notifications/resources/updated", params);
    }

    private void taskChanged(Json params) {
        tell("notifications/tasks", params);
    }

    private synchronized void tell(String method, Json params) {
        Notification told = notification(method, params);
        if (acknowledged) {
            caller.exchange().notify(told);
        } else if (early.size() < WISHES_MAX) {
            early.add(told);
        }
    }

    private void notify(String method, Json params) {
        caller.exchange().notify(notification(method, params));
    }

    /** The notification with the mark of this subscription. */
    private Notification notification(String method, Json params) {
        var writer = new JsonWriter().beginObject();
        Members members = params.walk();
        while (members.next()) {
            if (!members.nameIs(MetaKeys.META)) {
                writer.name(members.name()).value(members.value());
            }
        }
        writer.name(MetaKeys.META).value(tagged(params.member(MetaKeys.META)));
        return new Notification(method, writer.endObject().toJson());
    }

    private Json tagged(@Nullable Json meta) {
        var writer = new JsonWriter().beginObject();
        if (meta != null && meta.isObject()) {
            Members members = meta.walk();
            while (members.next()) {
                if (!members.nameIs(MetaKeys.SUBSCRIPTION_ID)) {
                    writer.name(members.name()).value(members.value());
                }
            }
        }
        return writer.member(MetaKeys.SUBSCRIPTION_ID, id.written()).endObject().toJson();
    }
}
