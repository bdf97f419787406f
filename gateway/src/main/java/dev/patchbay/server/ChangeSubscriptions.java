package dev.patchbay.server;

import static java.lang.System.Logger.Level.DEBUG;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.TaskMessages;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * Subscriptions to changes of a modern server. The server reports changes only while a request asks
 * for them: one for its lists, and one for each subscribed resource. A subscription is renewed when
 * the server ends it or its stream fails. Anything that may have been missed is treated as changed.
 */
final class ChangeSubscriptions {
    static final int SUBSCRIPTIONS_MAX = 500;

    private static final Duration REQUEST_TIMEOUT = Duration.ofHours(24);
    private static final Backoff RENEWAL_BACKOFF = new Backoff(RandomGenerator.getDefault());
    private static final CallOutcome SUBSCRIBED = new CallOutcome.Result(Json.EMPTY_OBJECT);

    private static final List<String> LIST_NAMES = List.of("tools", "prompts", "resources");
    private static final String LIST_CHANGED_SUFFIX = "ListChanged";
    private static final String RESOURCE_FILTER = "resourceSubscriptions";
    private static final String TASK_FILTER = "taskIds";
    private static final Json TASK_CAPABILITIES =
            TaskMessages.withTasksExtension(Json.EMPTY_OBJECT);

    /**
     * Sends the request of a subscription, reports its id before it is sent, and waits for its end.
     */
    interface RequestSender {
        CallOutcome call(String method, Json params, CallOptions options, LongConsumer id)
                throws InterruptedException;

        /** Whether a request could still be sent. */
        boolean isOpen();
    }

    /** A subscribed item, and the member of the filter that names it. */
    private record Topic(String kind, String name) {}

    private final ServerId server;
    private final RequestSender sender;
    private final ServerEventListener listener;
    private final Ticker ticker;
    private final ConcurrentMap<Topic, ActiveSubscription> byTopic = new ConcurrentHashMap<>();
    private final ConcurrentMap<Long, ActiveSubscription> byRequestId = new ConcurrentHashMap<>();

    ChangeSubscriptions(
            ServerId server, RequestSender sender, ServerEventListener listener, Ticker ticker) {
        this.server = server;
        this.sender = sender;
        this.listener = listener;
        this.ticker = ticker;
    }

    /** Subscribes to the lists whose changes the server announces. */
    void subscribeToLists(Json capabilities) {
        var wanted = new ArrayList<String>();
        for (String list : LIST_NAMES) {
            Json capability = capabilities.member(list);
            Json announced = capability == null ? null : capability.member("listChanged");
            if (announced != null && announced.isTrue()) {
                wanted.add(list + LIST_CHANGED_SUFFIX);
            }
        }
        if (!wanted.isEmpty()) {
            var filter = new JsonWriter().beginObject();
            wanted.forEach(name -> filter.member(name, true));
            ActiveSubscription _ = start(new ActiveSubscription(null, filter.endObject().toJson()));
        }
    }

    /** Handles a method that is replaced by a subscription; null for other methods. */
    @Nullable CallOutcome handleLocally(String method, Json params, Duration patience)
            throws InterruptedException {
        return switch (method) {
            case "resources/subscribe" ->
                    subscribe(topic(RESOURCE_FILTER, params, "uri"), patience);
            case "resources/unsubscribe" -> unsubscribe(topic(RESOURCE_FILTER, params, "uri"));
            case ServerSession.WATCH_TASK ->
                    subscribe(topic(TASK_FILTER, params, TaskMessages.TASK_ID), patience);
            case ServerSession.UNWATCH_TASK ->
                    unsubscribe(topic(TASK_FILTER, params, TaskMessages.TASK_ID));
            default -> null;
        };
    }

    private static Topic topic(String kind, Json params, String member) {
        String name = params.memberText(member);
        return new Topic(kind, name == null ? "" : name);
    }

    /**
     * Subscribes to one item, instead of the legacy subscription request, and waits for the
     * acknowledgement.
     */
    private CallOutcome subscribe(Topic topic, Duration patience) throws InterruptedException {
        if (byTopic.size() >= SUBSCRIPTIONS_MAX) {
            return new CallOutcome.NotSent(
                    "There are %d subscriptions already".formatted(SUBSCRIPTIONS_MAX));
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
        ActiveSubscription feed =
                byTopic.computeIfAbsent(topic, _ -> start(new ActiveSubscription(topic, filter)));
        CallOutcome outcome = feed.acknowledgement(patience);
        if (!outcome.equals(SUBSCRIBED) && byTopic.remove(topic, feed)) {
            feed.stop();
        }
        return outcome;
    }

    private CallOutcome unsubscribe(Topic topic) {
        ActiveSubscription feed = byTopic.remove(topic);
        if (feed != null) {
            feed.stop();
        }
        return SUBSCRIBED;
    }

    /** The server has acknowledged a subscription. */
    void onAcknowledged(Json params) {
        Json meta = params.member(MetaKeys.META);
        Json id = meta == null ? null : meta.member(MetaKeys.SUBSCRIPTION_ID);
        ActiveSubscription feed = id == null ? null : byRequestId.get(id.asLong(-1));
        Json honoured = params.member("notifications");
        if (feed != null && honoured != null) {
            feed.onAcknowledged(honoured);
        }
    }

    private ActiveSubscription start(ActiveSubscription feed) {
        feed.thread.start();
        return feed;
    }

    /** One subscription request and whether the server has acknowledged it. */
    private final class ActiveSubscription {
        private final @Nullable Topic topic;
        private final Json filter;
        private final Json params;
        private final Thread thread;
        private final CountDownLatch completed = new CountDownLatch(1);
        private final AtomicReference<@Nullable CallOutcome> acknowledgement =
                new AtomicReference<>();
        private volatile boolean onAcknowledged;

        ActiveSubscription(@Nullable Topic topic, Json filter) {
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

        CallOutcome acknowledgement(Duration patience) throws InterruptedException {
            boolean told = ticker.await(completed, patience);
            CallOutcome outcome = acknowledgement.get();
            return told && outcome != null ? outcome : new CallOutcome.TimedOut();
        }

        void onAcknowledged(Json honoured) {
            onAcknowledged = true;
            boolean agreed = topic == null || contains(topic, honoured.member(topic.kind));
            if (agreed && acknowledgement.get() != null) {
                reportPossibleChanges();
                return;
            }
            complete(
                    agreed
                            ? SUBSCRIBED
                            : new CallOutcome.ErrorResponse(
                                    RpcError.of(
                                            RpcError.METHOD_NOT_FOUND,
                                            "Server %s does not report changes of this"
                                                    .formatted(server))));
        }

        /**
         * Reports a possible change of everything, because changes since the last request were not
         * reported.
         */
        private void reportPossibleChanges() {
            if (topic == null) {
                LIST_NAMES.stream()
                        .filter(list -> filter.member(list + LIST_CHANGED_SUFFIX) != null)
                        .forEach(list -> listener.onListChanged(server, list));
            } else if (topic.kind.equals(RESOURCE_FILTER)) {
                var params = new JsonWriter().beginObject().member("uri", topic.name).endObject();
                listener.onResourceUpdated(server, params.toJson());
            }
        }

        private static boolean contains(Topic topic, @Nullable Json names) {
            return names != null
                    && names.isArray()
                    && names.elements().stream()
                            .anyMatch(it -> it.isString() && it.text().equals(topic.name));
        }

        private void complete(CallOutcome outcome) {
            if (acknowledgement.compareAndSet(null, outcome)) {
                completed.countDown();
            }
        }

        private void run() {
            try {
                int failures = 0;
                while (shouldRenew(sendListenRequest())) {
                    failures = onAcknowledged ? 1 : failures + 1;
                    onAcknowledged = false;
                    ticker.sleep(RENEWAL_BACKOFF.delayAfter(failures));
                }
            } catch (InterruptedException _) {
                // There is no subscriber left.
            } finally {
                if (topic != null) {
                    byTopic.remove(topic, this);
                }
                complete(new CallOutcome.NotSent("The request was abandoned"));
            }
        }

        private CallOutcome sendListenRequest() throws InterruptedException {
            var sent = new AtomicReference<Long>();
            boolean tasks = topic != null && topic.kind.equals(TASK_FILTER);
            Json capabilities = tasks ? TASK_CAPABILITIES : Json.EMPTY_OBJECT;
            try {
                return sender.call(
                        "subscriptions/listen",
                        params,
                        CallOptions.internal(REQUEST_TIMEOUT, capabilities),
                        id -> {
                            sent.set(id);
                            byRequestId.put(id, this);
                        });
            } finally {
                if (sent.get() != null) {
                    byRequestId.remove(sent.get());
                }
            }
        }

        private boolean shouldRenew(CallOutcome outcome) {
            return switch (outcome) {
                case CallOutcome.Result _, CallOutcome.TimedOut _ -> true;
                case CallOutcome.ConnectionLost _,
                        CallOutcome.Unreachable _,
                        CallOutcome.NotSent _ -> {
                    complete(outcome);
                    yield sender.isOpen()
                            && (topic == null || SUBSCRIBED.equals(acknowledgement.get()));
                }
                case CallOutcome.Unauthorized _ -> {
                    complete(outcome);
                    yield false;
                }
                case CallOutcome.ErrorResponse _, CallOutcome.InvalidResponse _ -> {
                    log().log(DEBUG, "Server {0} announces no changes: {1}", server, outcome);
                    complete(outcome);
                    yield false;
                }
            };
        }
    }

    /** Looked up on demand: the first logger takes several milliseconds to create. */
    private static System.Logger log() {
        return System.getLogger(ChangeSubscriptions.class.getName());
    }
}
