package dev.patchbay.dashboard;

import dev.patchbay.gateway.ServerReport;
import dev.patchbay.http.EventSink;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tells the pages that are open what has changed, a few times a second. Nothing is prepared while
 * none is open: then the feed only ends the steps of the history.
 */
final class Feed implements AutoCloseable {
    static final int WATCHERS_MAX = 32;

    private static final System.Logger log = System.getLogger(Feed.class.getName());
    private static final Duration PACE = Duration.ofMillis(250);
    private static final int CALLS_MAX = 100;

    private final Observatory observatory;
    private final Views views;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<EventSink> watchers = new HashSet<>();
    private final Thread thread;

    /** What the pages were told, by server id. */
    private final Map<String, Json> told = new HashMap<>();

    private long toldCalls;
    private long toldTools;
    private boolean closed;

    Feed(Observatory observatory, Views views) {
        this.observatory = observatory;
        this.views = views;
        this.thread = Thread.ofVirtual().name("dashboard").start(this::run);
    }

    /** Begins to tell a page; it gets to know when it may ask for everything. */
    void watch(EventSink watcher) {
        lock.lock();
        try {
            if (closed || watchers.size() >= WATCHERS_MAX) {
                watcher.close();
                return;
            }
            watchers.add(watcher);
            observatory.watched(true);
            watcher.send(event("hello").endObject().toJson());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        watcher.whenGone(() -> leave(watcher));
    }

    private void leave(EventSink watcher) {
        lock.lock();
        try {
            watchers.remove(watcher);
            observatory.watched(!watchers.isEmpty());
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        long stepAt = System.nanoTime() + History.STEP.toNanos();
        try {
            while (await(stepAt)) {
                boolean step = System.nanoTime() - stepAt >= 0;
                if (step) {
                    observatory.step();
                    stepAt += History.STEP.toNanos();
                }
                tellSafely(step);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until there may be something to tell; false at the end. */
    private boolean await(long stepAt) throws InterruptedException {
        lock.lock();
        try {
            long paceAt = System.nanoTime() + PACE.toNanos();
            while (!closed) {
                long due = watchers.isEmpty() ? stepAt : Math.min(stepAt, paceAt);
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

    private void tellSafely(boolean step) {
        try {
            tell(step);
        } catch (RuntimeException e) {
            log.log(Level.ERROR, "The dashboard could not be told of a change", e);
        }
    }

    private void tell(boolean step) {
        List<EventSink> to = watching();
        if (to.isEmpty()) {
            told.clear();
            toldCalls = observatory.log().next();
            toldTools = observatory.toolChanges();
            return;
        }
        long tools = observatory.toolChanges();
        if (tools != toldTools) {
            toldTools = tools;
            send(to, event("tools").endObject().toJson());
        }
        tellServers(to);
        tellCalls(to);
        if (step) {
            send(to, steps());
        }
    }

    private List<EventSink> watching() {
        lock.lock();
        try {
            return List.copyOf(watchers);
        } finally {
            lock.unlock();
        }
    }

    private void tellServers(List<EventSink> to) {
        var now = new HashMap<String, Json>();
        var writer = event("servers").name("servers").beginArray();
        boolean any = false;
        for (ServerReport server : observatory.gateway().servers()) {
            String id = server.spec().id().value();
            Json view = views.server(server, 0);
            now.put(id, view);
            if (!view.equals(told.get(id))) {
                any = true;
                writer.value(view);
            }
        }
        writer.endArray().name("removed").beginArray();
        for (String id : told.keySet()) {
            if (!now.containsKey(id)) {
                any = true;
                writer.string(id);
            }
        }
        told.clear();
        told.putAll(now);
        if (any) {
            send(to, writer.endArray().endObject().toJson());
        }
    }

    private void tellCalls(List<EventSink> to) {
        List<CallLog.Entry> entries = observatory.log().since(toldCalls);
        if (entries.isEmpty()) {
            return;
        }
        toldCalls = entries.getLast().number() + 1;
        var writer = event("calls");
        int skipped = Math.max(0, entries.size() - CALLS_MAX);
        writer.member("skipped", skipped).name("calls").beginArray();
        entries.stream().skip(skipped).forEach(entry -> writer.value(views.call(entry)));
        send(to, writer.endArray().endObject().toJson());
    }

    private Json steps() {
        var writer = event("step").name("servers").beginObject();
        for (ServerReport server : observatory.gateway().servers()) {
            String id = server.spec().id().value();
            writer.name(id);
            observatory.history().write(writer, id, 1);
        }
        writer.endObject().name("clients").beginObject();
        observatory.clients().calls().forEach((name, calls) -> writer.member(name, calls));
        return writer.endObject().endObject().toJson();
    }

    private JsonWriter event(String type) {
        return new JsonWriter()
                .beginObject()
                .member("type", type)
                .member("now", observatory.now().toString());
    }

    /** Sends to all; a page that missed something is hung up on, and comes back for everything. */
    private void send(List<EventSink> to, Json event) {
        for (EventSink watcher : to) {
            if (!watcher.send(event)) {
                watcher.close();
                leave(watcher);
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
        // One that is gone already leaves while it is closed.
        watching().forEach(EventSink::close);
        thread.interrupt();
    }
}
