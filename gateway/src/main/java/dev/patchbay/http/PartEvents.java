package dev.patchbay.http;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonText;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/** The events of a part that is served beside the endpoint. */
final class PartEvents implements EventSink, EventStream.Owner {
    private @Nullable EventStream stream;
    private @Nullable Runnable whenGone;
    private boolean gone;

    private PartEvents() {}

    /** Answers a visit with events and hands them over to who sends them. */
    static void open(Visit visit, Consumer<EventSink> sender) {
        var events = new PartEvents();
        EventStream opened = visit.stream(events);
        if (opened != null) {
            events.stream = opened;
            sender.accept(events);
        }
    }

    @Override
    public boolean send(Json data) {
        EventStream to = stream;
        return to != null && to.send(null, JsonText.of(data), EventStream.Weight.NOTIFICATION);
    }

    @Override
    public void whenGone(Runnable action) {
        synchronized (this) {
            if (!gone) {
                whenGone = action;
                return;
            }
        }
        action.run();
    }

    @Override
    public void close() {
        EventStream to = stream;
        if (to != null) {
            to.finish();
        }
    }

    @Override
    public void lost(EventStream lost) {
        Runnable action;
        synchronized (this) {
            gone = true;
            action = whenGone;
        }
        if (action != null) {
            action.run();
        }
    }
}
