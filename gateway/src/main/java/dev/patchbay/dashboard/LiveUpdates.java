package dev.patchbay.dashboard;

import dev.patchbay.background.BackgroundLoop;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.http.server.EventSink;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends changes to the open pages, a few times a second. While no page is open it only adds steps
 * to the history.
 */
final class LiveUpdates implements AutoCloseable {
    static final int SUBSCRIBERS_MAX = 32;

    private static final Duration UPDATE_INTERVAL = Duration.ofMillis(250);
    private static final int CALLS_PER_EVENT_MAX = 100;

    private final CallStatistics statistics;
    private final DashboardJson dashboardJson;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<EventSink, CallVisibility> subscribers = new HashMap<>();
    private final BackgroundLoop loop;

    /** The servers as last sent, by id. */
    private final Map<String, Json> sentServers = new HashMap<>();

    private long nextCallToSend;
    private long sentToolChanges;
    private boolean closed;

    /** When the next step of the history ends; used by the loop only. */
    private long stepAt;

    LiveUpdates(CallStatistics observatory, DashboardJson views) {
        this.statistics = observatory;
        this.dashboardJson = views;
        this.stepAt = System.nanoTime() + CallRateHistory.STEP.toNanos();
        this.loop = BackgroundLoop.start("dashboard", this::update);
    }

    /** Adds a page. Its first event tells it to fetch everything. */
    void subscribe(EventSink watcher, CallVisibility visibility) {
        lock.lock();
        try {
            if (closed || subscribers.size() >= SUBSCRIBERS_MAX) {
                watcher.close();
                return;
            }
            subscribers.put(watcher, visibility);
            statistics.watched(true);
            watcher.send(event("hello").endObject().toJson());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        watcher.onDisconnect(() -> unsubscribe(watcher));
    }

    private void unsubscribe(EventSink watcher) {
        lock.lock();
        try {
            subscribers.remove(watcher);
            statistics.watched(!subscribers.isEmpty());
        } finally {
            lock.unlock();
        }
    }

    private boolean update() throws InterruptedException {
        if (!awaitNextUpdate()) {
            return false;
        }
        boolean step = System.nanoTime() - stepAt >= 0;
        if (step) {
            stepAt += CallRateHistory.STEP.toNanos();
            statistics.addHistoryStep();
        }
        publish(step);
        return true;
    }

    /** Waits until the next update is due; false when closed. */
    private boolean awaitNextUpdate() throws InterruptedException {
        lock.lock();
        try {
            long paceAt = System.nanoTime() + UPDATE_INTERVAL.toNanos();
            while (!closed) {
                long due = subscribers.isEmpty() ? stepAt : Math.min(stepAt, paceAt);
                long left = due - System.nanoTime();
                if (left <= 0) {
                    return true;
                }
                boolean _ = changed.await(left, TimeUnit.NANOSECONDS);
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void publish(boolean step) {
        List<EventSink> to = currentSubscribers();
        if (to.isEmpty()) {
            sentServers.clear();
            nextCallToSend = statistics.log().next();
            sentToolChanges = statistics.toolChanges();
            return;
        }
        long tools = statistics.toolChanges();
        if (tools != sentToolChanges) {
            sentToolChanges = tools;
            send(to, event("tools").endObject().toJson());
        }
        publishServers(to);
        publishCalls(to);
        if (step) {
            send(to, stepEvent());
        }
    }

    private List<EventSink> currentSubscribers() {
        lock.lock();
        try {
            return List.copyOf(subscribers.keySet());
        } finally {
            lock.unlock();
        }
    }

    private void publishServers(List<EventSink> to) {
        var now = new HashMap<String, Json>();
        var writer = event("servers").name("servers").beginArray();
        boolean any = false;
        for (ServerReport server : statistics.gateway().servers()) {
            String id = server.spec().id().value();
            Json view = dashboardJson.server(server, 0);
            now.put(id, view);
            if (!view.equals(sentServers.get(id))) {
                any = true;
                writer.value(view);
            }
        }
        writer.endArray().name("removed").beginArray();
        for (String id : sentServers.keySet()) {
            if (!now.containsKey(id)) {
                any = true;
                writer.string(id);
            }
        }
        sentServers.clear();
        sentServers.putAll(now);
        if (any) {
            send(to, writer.endArray().endObject().toJson());
        }
    }

    private void publishCalls(List<EventSink> to) {
        List<CallLog.Entry> entries = statistics.log().since(nextCallToSend);
        if (entries.isEmpty()) {
            return;
        }
        nextCallToSend = entries.getLast().number() + 1;
        for (EventSink subscriber : to) {
            publishCalls(subscriber, entries);
        }
    }

    private void publishCalls(EventSink subscriber, List<CallLog.Entry> entries) {
        CallVisibility visibility = visibilityOf(subscriber);
        List<CallLog.Entry> visible = entries.stream().filter(visibility::shows).toList();
        if (visible.isEmpty()) {
            return;
        }
        var writer = event("calls");
        int skipped = Math.max(0, visible.size() - CALLS_PER_EVENT_MAX);
        writer.member("skipped", skipped).name("calls").beginArray();
        visible.stream()
                .skip(skipped)
                .forEach(entry -> writer.value(dashboardJson.callSummary(entry)));
        send(List.of(subscriber), writer.endArray().endObject().toJson());
    }

    private CallVisibility visibilityOf(EventSink subscriber) {
        lock.lock();
        try {
            return subscribers.getOrDefault(subscriber, CallVisibility.of(null));
        } finally {
            lock.unlock();
        }
    }

    private Json stepEvent() {
        var writer = event("step").name("servers").beginObject();
        for (ServerReport server : statistics.gateway().servers()) {
            String id = server.spec().id().value();
            writer.name(id);
            statistics.history().write(writer, id, 1);
        }
        writer.endObject().name("clients").beginObject();
        statistics.clients().calls().forEach((name, calls) -> writer.member(name, calls));
        return writer.endObject().endObject().toJson();
    }

    private JsonWriter event(String type) {
        return new JsonWriter()
                .beginObject()
                .member("type", type)
                .member("now", statistics.now().toString());
    }

    /** Sends an event to all pages. A page that is too slow is disconnected and starts over. */
    private void send(List<EventSink> to, Json event) {
        for (EventSink watcher : to) {
            if (!watcher.send(event)) {
                watcher.close();
                unsubscribe(watcher);
            }
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        currentSubscribers().forEach(EventSink::close);
        loop.close();
    }
}
