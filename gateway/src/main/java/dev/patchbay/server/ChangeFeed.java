package dev.patchbay.server;

import static java.lang.System.Logger.Level.DEBUG;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.Tasks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * What a modern server tells of changes. It does so only while a request asks for it: one for its
 * lists, and one for each resource that is subscribed to. Each is renewed when the server ends it
 * or its stream breaks, and what may have changed meanwhile is taken as changed.
 */
final class ChangeFeed {
    static final int TOPICS_MAX = 500;

    private static final Duration REQUEST_LIFE = Duration.ofHours(24);
    private static final Backoff RENEWAL = new Backoff(RandomGenerator.getDefault());
    private static final CallOutcome AGREED = new CallOutcome.Result(Json.EMPTY_OBJECT);

    private static final List<String> LISTS = List.of("tools", "prompts", "resources");
    private static final String LIST_CHANGED = "ListChanged";
    private static final String RESOURCES = "resourceSubscriptions";
    private static final String TASKS = "taskIds";
    private static final Json WITH_TASKS = Tasks.declared(Json.EMPTY_OBJECT);

    /** Sends a request of the feed, tells its id before it leaves, and waits for its end. */
    interface Sender {
        CallOutcome call(String method, Json params, CallOptions options, LongConsumer id)
                throws InterruptedException;

        /** Whether a request could still be sent. */
        boolean isOpen();
    }

    /** One thing to be told of, and the member of the filter that names it. */
    private record Topic(String kind, String name) {}

    private final ServerId server;
    private final Sender sender;
    private final LinkListener listener;
    private final Pause pause;
    private final ConcurrentMap<Topic, Feed> topics = new ConcurrentHashMap<>();
    private final ConcurrentMap<Long, Feed> byId = new ConcurrentHashMap<>();

    ChangeFeed(ServerId server, Sender sender, LinkListener listener, Pause pause) {
        this.server = server;
        this.sender = sender;
        this.listener = listener;
        this.pause = pause;
    }

    /** Asks for the changes of those lists that the server says it announces. */
    void listen(Json capabilities) {
        var wanted = new ArrayList<String>();
        for (String list : LISTS) {
            Json capability = capabilities.member(list);
            Json announced = capability == null ? null : capability.member("listChanged");
            if (announced != null && announced.isTrue()) {
                wanted.add(list + LIST_CHANGED);
            }
        }
        if (!wanted.isEmpty()) {
            var filter = new JsonWriter().beginObject();
            wanted.forEach(name -> filter.member(name, true));
            Feed _ = started(new Feed(null, filter.endObject().toJson()));
        }
    }

    /** The outcome of a method that stands for a feed here; null if it is another method. */
    @Nullable CallOutcome serve(String method, Json params, Duration patience)
            throws InterruptedException {
        return switch (method) {
            case "resources/subscribe" -> subscribe(topic(RESOURCES, params, "uri"), patience);
            case "resources/unsubscribe" -> unsubscribe(topic(RESOURCES, params, "uri"));
            case Link.WATCH_TASK -> subscribe(topic(TASKS, params, Tasks.TASK_ID), patience);
            case Link.UNWATCH_TASK -> unsubscribe(topic(TASKS, params, Tasks.TASK_ID));
            default -> null;
        };
    }

    private static Topic topic(String kind, Json params, String member) {
        String name = params.memberText(member);
        return new Topic(kind, name == null ? "" : name);
    }

    /**
     * Asks for the changes of one thing, in place of the subscription of the legacy era, and waits
     * until the server has acknowledged that it will tell of them.
     */
    private CallOutcome subscribe(Topic topic, Duration patience) throws InterruptedException {
        if (topics.size() >= TOPICS_MAX) {
            return new CallOutcome.NotSent(
                    "There are %d subscriptions already".formatted(TOPICS_MAX));
        }
        Json filter =
                new JsonWriter()
                        .beginObject()
                        .name(topic.kind)
                        .beginArray()
                        .string(topic.name)
                        .endArray()
                        .endObject()
                        .toJson();
        Feed feed = topics.computeIfAbsent(topic, _ -> started(new Feed(topic, filter)));
        CallOutcome outcome = feed.agreement(patience);
        if (!outcome.equals(AGREED) && topics.remove(topic, feed)) {
            feed.stop();
        }
        return outcome;
    }

    private CallOutcome unsubscribe(Topic topic) {
        Feed feed = topics.remove(topic);
        if (feed != null) {
            feed.stop();
        }
        return AGREED;
    }

    /** The server says what a request of ours will be told of. */
    void acknowledged(Json params) {
        Json meta = params.member(MetaKeys.META);
        Json id = meta == null ? null : meta.member(MetaKeys.SUBSCRIPTION_ID);
        Feed feed = id == null ? null : byId.get(id.asLong(-1));
        Json honoured = params.member("notifications");
        if (feed != null && honoured != null) {
            feed.acknowledged(honoured);
        }
    }

    private Feed started(Feed feed) {
        feed.thread.start();
        return feed;
    }

    /** One request for changes, and whether the server agreed to it. */
    private final class Feed {
        private final @Nullable Topic topic;
        private final Json filter;
        private final Json params;
        private final Thread thread;
        private final CountDownLatch settled = new CountDownLatch(1);
        private final AtomicReference<@Nullable CallOutcome> agreement = new AtomicReference<>();
        private volatile boolean acknowledged;

        Feed(@Nullable Topic topic, Json filter) {
            this.topic = topic;
            this.filter = filter;
            this.params =
                    new JsonWriter()
                            .beginObject()
                            .member("notifications", filter)
                            .endObject()
                            .toJson();
            this.thread = Thread.ofVirtual().name("changes " + server).unstarted(this::run);
        }

        void stop() {
            thread.interrupt();
        }

        CallOutcome agreement(Duration patience) throws InterruptedException {
            boolean told = settled.await(patience.toNanos(), TimeUnit.NANOSECONDS);
            CallOutcome outcome = agreement.get();
            return told && outcome != null ? outcome : new CallOutcome.TimedOut();
        }

        void acknowledged(Json honoured) {
            acknowledged = true;
            boolean agreed = topic == null || isAmong(topic, honoured.member(topic.kind));
            if (agreed && agreement.get() != null) {
                missed();
                return;
            }
            settle(
                    agreed
                            ? AGREED
                            : new CallOutcome.Refused(
                                    RpcError.of(
                                            RpcError.METHOD_NOT_FOUND,
                                            "Server %s does not tell of changes of this"
                                                    .formatted(server))));
        }

        /** Nobody told of what changed since the last request ended: it may be anything. */
        private void missed() {
            if (topic == null) {
                LISTS.stream()
                        .filter(list -> filter.member(list + LIST_CHANGED) != null)
                        .forEach(list -> listener.listChanged(server, list));
            } else if (topic.kind.equals(RESOURCES)) {
                var params = new JsonWriter().beginObject().member("uri", topic.name).endObject();
                listener.resourceUpdated(server, params.toJson());
            }
        }

        private static boolean isAmong(Topic topic, @Nullable Json names) {
            return names != null
                    && names.isArray()
                    && names.elements().stream()
                            .anyMatch(it -> it.isString() && it.text().equals(topic.name));
        }

        private void settle(CallOutcome outcome) {
            if (agreement.compareAndSet(null, outcome)) {
                settled.countDown();
            }
        }

        private void run() {
            try {
                int failures = 0;
                while (isToBeRenewed(request())) {
                    failures = acknowledged ? 1 : failures + 1;
                    acknowledged = false;
                    pause.await(RENEWAL.after(failures));
                }
            } catch (InterruptedException _) {
                // Nobody wants to hear of it any more.
            } finally {
                if (topic != null) {
                    topics.remove(topic, this);
                }
                settle(new CallOutcome.NotSent("Nobody waits for it"));
            }
        }

        private CallOutcome request() throws InterruptedException {
            var sent = new AtomicReference<Long>();
            boolean tasks = topic != null && topic.kind.equals(TASKS);
            Json capabilities = tasks ? WITH_TASKS : Json.EMPTY_OBJECT;
            try {
                return sender.call(
                        "subscriptions/listen",
                        params,
                        CallOptions.own(REQUEST_LIFE, capabilities),
                        id -> {
                            sent.set(id);
                            byId.put(id, this);
                        });
            } finally {
                if (sent.get() != null) {
                    byId.remove(sent.get());
                }
            }
        }

        private boolean isToBeRenewed(CallOutcome outcome) {
            return switch (outcome) {
                case CallOutcome.Result _, CallOutcome.TimedOut _ -> true;
                case CallOutcome.Lost _, CallOutcome.NotSent _ -> {
                    settle(outcome);
                    yield sender.isOpen() && (topic == null || AGREED.equals(agreement.get()));
                }
                case CallOutcome.Unauthorized _ -> {
                    settle(outcome);
                    yield false;
                }
                case CallOutcome.Refused _, CallOutcome.Invalid _ -> {
                    log().log(DEBUG, "Server {0} announces no changes: {1}", server, outcome);
                    settle(outcome);
                    yield false;
                }
            };
        }
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(ChangeFeed.class.getName());
    }
}
