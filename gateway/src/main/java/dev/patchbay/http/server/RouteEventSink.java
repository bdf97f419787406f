package dev.patchbay.http.server;

import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/** The event stream of a route. */
final class RouteEventSink implements EventSink, SseWriter.Listener {
    private @Nullable SseWriter stream;
    private @Nullable Runnable onDisconnect;
    private boolean isDisconnected;

    private RouteEventSink() {}

    /** Responds with an event stream and passes it to the sender. */
    static void open(HttpExchange visit, Consumer<EventSink> sender) {
        var events = new RouteEventSink();
        SseWriter opened = visit.stream(events);
        if (opened != null) {
            events.stream = opened;
            sender.accept(events);
        }
    }

    @Override
    public boolean send(Json data) {
        SseWriter to = stream;
        return to != null && to.send(null, EncodedJson.of(data), SseWriter.EventKind.NOTIFICATION);
    }

    @Override
    public void onDisconnect(Runnable action) {
        synchronized (this) {
            if (!isDisconnected) {
                onDisconnect = action;
                return;
            }
        }
        action.run();
    }

    @Override
    public void close() {
        SseWriter to = stream;
        if (to != null) {
            to.finish();
        }
    }

    @Override
    public void onStreamLost(SseWriter lost) {
        Runnable action;
        synchronized (this) {
            isDisconnected = true;
            action = onDisconnect;
        }
        if (action != null) {
            action.run();
        }
    }
}
