package dev.patchbay.http.server;

import dev.patchbay.json.EncodedJson;

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
 * Writes server-sent events to one client. Senders never block: events are queued up to a limit,
 * beyond which dispensable events are dropped.
 */
final class SseWriter extends IteratingCallback {
    /** What happens to an event if the queue is full. */
    enum EventKind {
        /** The event is dropped. */
        NOTIFICATION(64 * 1024),
        /** The event is refused, and the sender is informed. */
        REQUEST(1024 * 1024),
        /** The event is queued anyway: there is only one in a stream. */
        RESPONSE(Integer.MAX_VALUE);

        private final int queueBytesMax;

        EventKind(int queueBytesMax) {
            this.queueBytesMax = queueBytesMax;
        }
    }

    /** Called when the stream fails before its end. */
    interface Listener {
        void onStreamLost(SseWriter stream);
    }

    private static final int WRITE_BYTES_MAX = 64 * 1024;
    private static final int COPY_BYTES_MAX = 16 * 1024;
    private static final byte[] EVENT_PREFIX = ascii("event: message\ndata: ");
    private static final byte[] EVENT_SUFFIX = ascii("\n\n");
    private static final byte[] KEEP_ALIVE = ascii(": keep-alive\n\n");

    private final Response response;
    private final Callback completion;
    private final Listener listener;
    private final ArrayDeque<ByteBuffer> queue = new ArrayDeque<>();
    private long queuedBytes;
    private boolean isFinishing;
    private boolean isLastWritten;
    private volatile long lastWriteNanos = System.nanoTime();

    SseWriter(Response response, Callback end, Listener owner) {
        this.response = response;
        this.completion = end;
        this.listener = owner;
    }

    /** Sends a message; returns false if there is no room or the stream has ended. */
    boolean send(@Nullable String id, EncodedJson text, EventKind weight) {
        synchronized (queue) {
            if (isFinishing
                    || (queuedBytes > 0 && queuedBytes + text.length() > weight.queueBytesMax)) {
                return false;
            }
            addEvent(id, text);
        }
        iterate();
        return true;
    }

    /**
     * Sends an event without data that gives the client an id to resume from.
     *
     * @param retryMillis when to reconnect; zero to leave that to the client
     */
    void sendPrimingEvent(String id, long retryMillis) {
        String retry = retryMillis > 0 ? "retry: " + retryMillis + "\n" : "";
        synchronized (queue) {
            add(ByteBuffer.wrap(ascii("id: " + id + "\n" + retry + "data: \n\n")));
        }
        iterate();
    }

    /** Ends the stream after the queued events. */
    void finish() {
        synchronized (queue) {
            isFinishing = true;
        }
        iterate();
    }

    /** Sends the last message and ends the stream with it. */
    void finish(@Nullable String id, EncodedJson text) {
        synchronized (queue) {
            if (isFinishing) {
                return;
            }
            addEvent(id, text);
            isFinishing = true;
        }
        iterate();
    }

    /** Sends a comment at once: a client may wait for the stream to open. */
    void sendKeepAlive() {
        sendKeepAliveIfQuiet(0);
    }

    /** Sends a comment if nothing was sent for a while. */
    void sendKeepAliveIfQuiet(long quietNanos) {
        if (System.nanoTime() - lastWriteNanos < quietNanos) {
            return;
        }
        synchronized (queue) {
            if (isFinishing || queuedBytes > 0) {
                return;
            }
            add(ByteBuffer.wrap(KEEP_ALIVE));
        }
        iterate();
    }

    /** Gives up the stream, because the client does not read it. */
    void disconnect() {
        abort(new IOException("The client is gone"));
    }

    @Override
    protected Action process() {
        ByteBuffer next;
        boolean last;
        synchronized (queue) {
            if (queue.isEmpty() && (isLastWritten || !isFinishing)) {
                return isLastWritten ? Action.SUCCEEDED : Action.IDLE;
            }
            next = takeBatch();
            last = isFinishing && queue.isEmpty();
            isLastWritten = last;
        }
        lastWriteNanos = System.nanoTime();
        response.write(last, next, this);
        return Action.SCHEDULED;
    }

    @Override
    protected void onCompleteSuccess() {
        completion.succeeded();
    }

    @Override
    protected void onCompleteFailure(Throwable cause) {
        synchronized (queue) {
            isFinishing = true;
            queue.clear();
            queuedBytes = 0;
        }
        listener.onStreamLost(this);
        completion.failed(cause);
    }

    /** Takes queued events for one write. */
    private ByteBuffer takeBatch() {
        ByteBuffer first = queue.poll();
        if (first == null) {
            return BufferUtil.EMPTY_BUFFER;
        }
        queuedBytes -= first.remaining();
        ByteBuffer next = queue.peek();
        if (next == null || first.remaining() + next.remaining() > WRITE_BYTES_MAX) {
            return first;
        }
        var gathered = ByteBuffer.allocate(WRITE_BYTES_MAX).put(first);
        while (next != null && next.remaining() <= gathered.remaining()) {
            queuedBytes -= next.remaining();
            gathered.put(queue.remove());
            next = queue.peek();
        }
        return gathered.flip();
    }

    private void add(ByteBuffer part) {
        queuedBytes += part.remaining();
        LargeBodyWriter.split(part, queue);
    }

    private void addEvent(@Nullable String id, EncodedJson text) {
        byte[] head = id == null ? EVENT_PREFIX : ascii("event: message\nid: " + id + "\ndata: ");
        if (text.length() > COPY_BYTES_MAX) {
            add(ByteBuffer.wrap(head));
            text.toBuffers().forEach(this::add);
            add(ByteBuffer.wrap(EVENT_SUFFIX));
            return;
        }
        byte[] event = Arrays.copyOf(head, head.length + text.length() + EVENT_SUFFIX.length);
        text.copyTo(event, head.length);
        System.arraycopy(EVENT_SUFFIX, 0, event, head.length + text.length(), EVENT_SUFFIX.length);
        add(ByteBuffer.wrap(event));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
