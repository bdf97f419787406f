package dev.patchbay.http.server;

import dev.patchbay.json.EncodedJson;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;

/**
 * An event stream of a session. It survives its connections: the last events are stored, so that a
 * client can resume after a disconnect.
 */
final class ResumableStream implements SseWriter.Listener {
    private static final int STORED_BYTES_MAX = 1024 * 1024;

    /** An event that was sent, or could not be sent. */
    private record StoredEvent(int event, EncodedJson text) {}

    private final int number;
    private final ReplayMemoryBudget budget;
    private final ArrayDeque<StoredEvent> stored = new ArrayDeque<>();
    private int storedBytes;
    private int lastEvent;
    private boolean wasConnected;
    private boolean isFinished;
    private boolean isResponseStored = true;
    private long finishedAtNanos;
    private @Nullable SseWriter connection;

    ResumableStream(int number, ReplayMemoryBudget budget) {
        this.number = number;
        this.budget = budget;
    }

    synchronized boolean isConnected() {
        return connection != null;
    }

    /** Whether it ended longer ago than this. */
    synchronized boolean isFinishedLongerThan(long nanos) {
        return isFinished && System.nanoTime() - finishedAtNanos > nanos;
    }

    /** Sends over a connection from now on; a primed client can resume from the start. */
    synchronized void connect(SseWriter opened, long retryMillis, boolean primed) {
        replaceConnection(opened);
        if (primed) {
            opened.sendPrimingEvent(eventId(lastEvent), retryMillis);
        }
    }

    /**
     * Replays the events after the given one and continues; returns false if that is not possible.
     */
    synchronized boolean resume(SseWriter opened, int after) {
        if (after > lastEvent || !isResponseStored) {
            return false;
        }
        replaceConnection(opened);
        for (StoredEvent event : stored) {
            if (event.event > after) {
                opened.send(eventId(event.event), event.text, SseWriter.EventKind.RESPONSE);
            }
        }
        if (isFinished) {
            connection = null;
            opened.finish();
        }
        return true;
    }

    /** Whether a client can resume after an event. */
    synchronized boolean canResumeAfter(int event) {
        return event <= lastEvent && isResponseStored;
    }

    private void replaceConnection(SseWriter opened) {
        SseWriter old = connection;
        connection = opened;
        wasConnected = true;
        if (old != null) {
            old.finish();
        }
    }

    /** Sends a message; returns false if it was neither sent nor stored. */
    synchronized boolean send(EncodedJson text, SseWriter.EventKind weight) {
        if (isFinished || !wasConnected) {
            return false;
        }
        lastEvent++;
        boolean sent = connection != null && connection.send(eventId(lastEvent), text, weight);
        return store(text) || sent;
    }

    /** Ends the stream, with a response if there is one. */
    synchronized void finish(@Nullable EncodedJson answer) {
        if (isFinished) {
            return;
        }
        isFinished = true;
        finishedAtNanos = System.nanoTime();
        SseWriter open = connection;
        connection = null;
        if (answer == null) {
            if (open != null) {
                open.finish();
            }
            return;
        }
        lastEvent++;
        isResponseStored = store(answer);
        if (open != null) {
            open.finish(eventId(lastEvent), answer);
        }
    }

    /** Ends the connection. The client can resume. */
    synchronized void disconnect() {
        SseWriter open = connection;
        connection = null;
        if (open != null) {
            open.finish();
        }
    }

    /** Removes the stored events. */
    synchronized void discardStored() {
        stored.clear();
        budget.release(storedBytes);
        storedBytes = 0;
    }

    @Override
    public synchronized void onStreamLost(SseWriter stream) {
        if (connection == stream) {
            connection = null;
        }
    }

    private boolean store(EncodedJson text) {
        int bytes = text.length();
        while (!stored.isEmpty() && storedBytes + bytes > STORED_BYTES_MAX) {
            int freed = stored.remove().text.length();
            storedBytes -= freed;
            budget.release(freed);
        }
        if (!budget.tryReserve(bytes)) {
            return false;
        }
        storedBytes += bytes;
        stored.add(new StoredEvent(lastEvent, text));
        return true;
    }

    private String eventId(int event) {
        return number + "-" + event;
    }
}
