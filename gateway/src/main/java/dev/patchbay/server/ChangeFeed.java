package dev.patchbay.server;

import static java.lang.System.Logger.Level.DEBUG;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.CallOutcome;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What a modern server tells of changes. It does so only while a request asks for it: one for its
 * lists, and one for each resource that is subscribed to, each renewed when the server ends it.
 */
final class ChangeFeed {
    static final int RESOURCES_MAX = 500;

    private static final System.Logger log = System.getLogger(ChangeFeed.class.getName());
    private static final Duration REQUEST_LIFE = Duration.ofHours(24);
    private static final Duration RENEWAL_PAUSE = Duration.ofSeconds(1);

    /** Sends a request of the feed and waits for its end. */
    interface Sender {
        CallOutcome call(String method, Json params, Duration timeout) throws InterruptedException;
    }

    private final ServerId server;
    private final Sender sender;
    private final Pause pause;
    private final ConcurrentMap<String, Thread> resources = new ConcurrentHashMap<>();

    ChangeFeed(ServerId server, Sender sender, Pause pause) {
        this.server = server;
        this.sender = sender;
        this.pause = pause;
    }

    /** Asks for the changes of those lists that the server says it announces. */
    void listen(Json capabilities) {
        var wanted = new ArrayList<String>();
        for (String list : List.of("tools", "prompts", "resources")) {
            Json capability = capabilities.member(list);
            Json announced = capability == null ? null : capability.member("listChanged");
            if (announced != null && announced.isTrue()) {
                wanted.add(list + "ListChanged");
            }
        }
        if (!wanted.isEmpty()) {
            var filter = new JsonWriter().beginObject();
            wanted.forEach(name -> filter.member(name, true));
            start(filter.endObject().toJson());
        }
    }

    /** Asks for the changes of a resource, in place of the subscription of the legacy era. */
    CallOutcome subscribe(String uri) {
        if (resources.size() >= RESOURCES_MAX) {
            return new CallOutcome.NotSent(
                    "There are %d subscriptions already".formatted(RESOURCES_MAX));
        }
        Json filter =
                new JsonWriter()
                        .beginObject()
                        .name("resourceSubscriptions")
                        .beginArray()
                        .string(uri)
                        .endArray()
                        .endObject()
                        .toJson();
        resources.computeIfAbsent(uri, _ -> start(filter));
        return new CallOutcome.Result(Json.EMPTY_OBJECT);
    }

    CallOutcome unsubscribe(String uri) {
        Thread listening = resources.remove(uri);
        if (listening != null) {
            listening.interrupt();
        }
        return new CallOutcome.Result(Json.EMPTY_OBJECT);
    }

    private Thread start(Json filter) {
        Json params =
                new JsonWriter().beginObject().member("notifications", filter).endObject().toJson();
        return Thread.ofVirtual().name("changes " + server).start(() -> run(params));
    }

    private void run(Json params) {
        try {
            while (isToBeRenewed(sender.call("subscriptions/listen", params, REQUEST_LIFE))) {
                pause.await(RENEWAL_PAUSE);
            }
        } catch (InterruptedException _) {
            // Nobody wants to hear of it any more.
        }
    }

    private boolean isToBeRenewed(CallOutcome outcome) {
        return switch (outcome) {
            case CallOutcome.Result _, CallOutcome.TimedOut _ -> true;
            case CallOutcome.Lost _, CallOutcome.NotSent _ -> false;
            case CallOutcome.Refused _, CallOutcome.Invalid _ -> {
                log.log(DEBUG, "Server {0} announces no changes: {1}", server, outcome);
                yield false;
            }
        };
    }
}
