package dev.patchbay.front;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Exchange;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.mcp.MetaKeys;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * One {@code subscriptions/listen} of a modern client: it is acknowledged with what it gets, told
 * of just that, and answered only when it ends.
 */
final class Listening implements Service.ServiceListener {
    private final Service service;
    private final RequestId id;
    private final Exchange exchange;
    private final Set<String> lists = new HashSet<>();
    private final Set<String> resources = new HashSet<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    Listening(Service service, RequestId id, Json params, Exchange exchange) {
        this.service = service;
        this.id = id;
        this.exchange = exchange;
        Json filter = params.member("notifications");
        if (filter != null) {
            choose(filter);
        }
    }

    /** Listens until the client gives it up, or the gateway ends. */
    Json run() throws InterruptedException {
        exchange.notify(
                tagged("notifications/subscriptions/acknowledged", "notifications", honoured()));
        Service.Subscription subscription = service.listen(this);
        try {
            ended.await();
        } finally {
            subscription.stop();
        }
        return new JsonWriter().beginObject().name(MetaKeys.META).value(tag()).endObject().toJson();
    }

    /** Ends it: the client gets its result. */
    void end() {
        ended.countDown();
    }

    private void choose(Json filter) {
        for (String list : new String[] {"tools", "prompts", "resources"}) {
            Json wanted = filter.member(list + "ListChanged");
            if (wanted != null && wanted.isTrue() && offers(list, "listChanged")) {
                lists.add(list);
            }
        }
        Json uris = filter.member("resourceSubscriptions");
        if (uris != null && uris.isArray() && offers("resources", "subscribe")) {
            uris.elements().stream().filter(Json::isString).map(Json::text).forEach(resources::add);
        }
    }

    private boolean offers(String list, String part) {
        Json capability = service.capabilities().member(list);
        Json offered = capability == null ? null : capability.member(part);
        return offered != null && offered.isTrue();
    }

    private Json honoured() {
        var writer = new JsonWriter().beginObject();
        lists.stream().sorted().forEach(list -> writer.member(list + "ListChanged", true));
        if (!resources.isEmpty()) {
            writer.name("resourceSubscriptions").beginArray();
            resources.stream().sorted().forEach(writer::string);
            writer.endArray();
        }
        return writer.endObject().toJson();
    }

    @Override
    public void listChanged(String list) {
        if (lists.contains(list)) {
            exchange.notify(tagged("notifications/" + list + "/list_changed", null, null));
        }
    }

    @Override
    public void resourceUpdated(Json params) {
        String uri = params.memberText("uri");
        if (uri != null && resources.contains(uri)) {
            exchange.notify(tagged("notifications/resources/updated", "uri", Json.string(uri)));
        }
    }

    private Notification tagged(String method, @Nullable String name, @Nullable Json value) {
        var writer = new JsonWriter().beginObject();
        if (name != null && value != null) {
            writer.member(name, value);
        }
        return new Notification(
                method, writer.name(MetaKeys.META).value(tag()).endObject().toJson());
    }

    private Json tag() {
        return new JsonWriter()
                .beginObject()
                .member(MetaKeys.SUBSCRIPTION_ID, id.written())
                .endObject()
                .toJson();
    }
}
