package dev.patchbay.http;

import dev.patchbay.json.JsonText;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;

/**
 * One stream of events of a session. It outlives the connections it is sent over: its last events
 * are kept, so that a client whose connection broke can take up where it was.
 */
final class ResumableStream implements EventStream.Owner {
    private static final int KEPT_BYTES_MAX = 1024 * 1024;

    /** An event that was sent, or would have been. */
    private record Kept(int event, JsonText text) {}

    private final int number;
    private final EventBudget budget;
    private final ArrayDeque<Kept> kept = new ArrayDeque<>();
    private int keptBytes;
    private int lastEvent;
    private boolean begun;
    private boolean over;
    private boolean answerKept = true;
    private long overSince;
    private @Nullable EventStream connection;

    ResumableStream(int number, EventBudget budget) {
        this.number = number;
        this.budget = budget;
    }

    synchronized boolean isConnected() {
        return connection != null;
    }

    /** Whether it ended so long ago. */
    synchronized boolean isOverFor(long nanos) {
        return over && System.nanoTime() - overSince > nanos;
    }

    /** Sends from now on over a connection; a primed client can resume from its very start. */
    synchronized void connect(EventStream opened, long retryMillis, boolean primed) {
        replace(opened);
        if (primed) {
            opened.prime(eventId(lastEvent), retryMillis);
        }
    }

    /** Sends what came after an event, then goes on; false if that is not possible any more. */
    synchronized boolean resume(EventStream opened, int after) {
        if (after > lastEvent || !answerKept) {
            return false;
        }
        replace(opened);
        for (Kept event : kept) {
            if (event.event > after) {
                opened.send(eventId(event.event), event.text, EventStream.Weight.ANSWER);
            }
        }
        if (over) {
            connection = null;
            opened.finish();
        }
        return true;
    }

    /** Whether a client may resume behind an event. */
    synchronized boolean knows(int event) {
        return event <= lastEvent && answerKept;
    }

    private void replace(EventStream opened) {
        EventStream old = connection;
        connection = opened;
        begun = true;
        if (old != null) {
            old.finish();
        }
    }

    /** Sends a message; false if it was neither sent nor kept. */
    synchronized boolean send(JsonText text, EventStream.Weight weight) {
        if (over || !begun) {
            return false;
        }
        lastEvent++;
        boolean sent = connection != null && connection.send(eventId(lastEvent), text, weight);
        return keep(text) || sent;
    }

    /** Ends the stream, with an answer if there is one. */
    synchronized void finish(@Nullable JsonText answer) {
        if (over) {
            return;
        }
        over = true;
        overSince = System.nanoTime();
        EventStream open = connection;
        connection = null;
        if (answer == null) {
            if (open != null) {
                open.finish();
            }
            return;
        }
        lastEvent++;
        answerKept = keep(answer);
        if (open != null) {
            open.finish(eventId(lastEvent), answer);
        }
    }

    /** Forgets what is kept. */
    synchronized void forget() {
        kept.clear();
        budget.give(keptBytes);
        keptBytes = 0;
    }

    @Override
    public synchronized void lost(EventStream stream) {
        if (connection == stream) {
            connection = null;
        }
    }

    private boolean keep(JsonText text) {
        int bytes = text.length();
        while (!kept.isEmpty() && keptBytes + bytes > KEPT_BYTES_MAX) {
            int freed = kept.remove().text.length();
            keptBytes -= freed;
            budget.give(freed);
        }
        if (!budget.take(bytes)) {
            return false;
        }
        keptBytes += bytes;
        kept.add(new Kept(lastEvent, text));
        return true;
    }

    private String eventId(int event) {
        return number + "-" + event;
    }
}
