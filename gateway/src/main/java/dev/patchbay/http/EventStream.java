package dev.patchbay.http;

import dev.patchbay.json.JsonText;

import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Server-sent events on their way to one client. Nobody who sends waits: events queue up to a
 * bound, beyond which the client loses those it can do without.
 */
final class EventStream extends IteratingCallback {
    /** What may become of an event that finds the queue full. */
    enum Weight {
        /** It is dropped. */
        NOTIFICATION(64 * 1024),
        /** It is refused, and its sender told so. */
        REQUEST(1024 * 1024),
        /** It is queued all the same: there is only one in a stream. */
        ANSWER(Integer.MAX_VALUE);

        private final int queueBytesMax;

        Weight(int queueBytesMax) {
            this.queueBytesMax = queueBytesMax;
        }
    }

    /** Told when the stream breaks before its end. */
    interface Owner {
        void lost(EventStream stream);
    }

    private static final int GATHER_BYTES_MAX = 64 * 1024;
    private static final int COPY_BYTES_MAX = 16 * 1024;
    private static final byte[] HEAD = ascii("event: message\ndata: ");
    private static final byte[] END = ascii("\n\n");
    private static final byte[] ALIVE = ascii(": keep-alive\n\n");

    private final Response response;
    private final Callback end;
    private final Owner owner;
    private final ArrayDeque<ByteBuffer> queue = new ArrayDeque<>();
    private long queuedBytes;
    private boolean ending;
    private boolean ended;
    private volatile long lastWrite = System.nanoTime();

    EventStream(Response response, Callback end, Owner owner) {
        this.response = response;
        this.end = end;
        this.owner = owner;
    }

    /** Sends a message; false if there was no room for it, or the stream has ended. */
    boolean send(@Nullable String id, JsonText text, Weight weight) {
        synchronized (queue) {
            if (ending || (queuedBytes > 0 && queuedBytes + text.length() > weight.queueBytesMax)) {
                return false;
            }
            addEvent(id, text);
        }
        iterate();
        return true;
    }

    /** Sends an event without data that gives the client a place to resume from. */
    void prime(String id, long retryMillis) {
        synchronized (queue) {
            add(ByteBuffer.wrap(ascii("id: " + id + "\nretry: " + retryMillis + "\ndata: \n\n")));
        }
        iterate();
    }

    /** Ends the stream behind what waits. */
    void finish() {
        synchronized (queue) {
            ending = true;
        }
        iterate();
    }

    /** Sends the last message and ends the stream with it. */
    void finish(@Nullable String id, JsonText text) {
        synchronized (queue) {
            if (ending) {
                return;
            }
            addEvent(id, text);
            ending = true;
        }
        iterate();
    }

    /**
     * Shows that the stream is there: its client may wait for that before it does anything else.
     */
    void show() {
        keepAlive(0);
    }

    /** Shows that we are there, if nothing was sent for a while. */
    void keepAlive(long quietNanos) {
        if (System.nanoTime() - lastWrite < quietNanos) {
            return;
        }
        synchronized (queue) {
            if (ending || queuedBytes > 0) {
                return;
            }
            add(ByteBuffer.wrap(ALIVE));
        }
        iterate();
    }

    /** Gives the stream up: nobody reads it. */
    void lose() {
        abort(new IOException("The client is gone"));
    }

    @Override
    protected Action process() {
        ByteBuffer next;
        boolean last;
        synchronized (queue) {
            if (queue.isEmpty() && (ended || !ending)) {
                return ended ? Action.SUCCEEDED : Action.IDLE;
            }
            next = gather();
            last = ending && queue.isEmpty();
            ended = last;
        }
        lastWrite = System.nanoTime();
        response.write(last, next, this);
        return Action.SCHEDULED;
    }

    @Override
    protected void onCompleteSuccess() {
        end.succeeded();
    }

    @Override
    protected void onCompleteFailure(Throwable cause) {
        synchronized (queue) {
            ending = true;
            queue.clear();
            queuedBytes = 0;
        }
        owner.lost(this);
        end.failed(cause);
    }

    /** Takes what waits, as much as goes well into one write. */
    private ByteBuffer gather() {
        ByteBuffer first = queue.poll();
        if (first == null) {
            return BufferUtil.EMPTY_BUFFER;
        }
        queuedBytes -= first.remaining();
        ByteBuffer next = queue.peek();
        if (next == null || first.remaining() + next.remaining() > GATHER_BYTES_MAX) {
            return first;
        }
        var gathered = ByteBuffer.allocate(GATHER_BYTES_MAX).put(first);
        while (next != null && next.remaining() <= gathered.remaining()) {
            queuedBytes -= next.remaining();
            gathered.put(queue.remove());
            next = queue.peek();
        }
        return gathered.flip();
    }

    private void add(ByteBuffer part) {
        queuedBytes += part.remaining();
        Pieces.cut(part, queue);
    }

    private void addEvent(@Nullable String id, JsonText text) {
        byte[] head = id == null ? HEAD : ascii("event: message\nid: " + id + "\ndata: ");
        if (text.length() > COPY_BYTES_MAX) {
            add(ByteBuffer.wrap(head));
            text.toBuffers().forEach(this::add);
            add(ByteBuffer.wrap(END));
            return;
        }
        byte[] event = Arrays.copyOf(head, head.length + text.length() + END.length);
        text.copyTo(event, head.length);
        System.arraycopy(END, 0, event, head.length + text.length(), END.length);
        add(ByteBuffer.wrap(event));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
