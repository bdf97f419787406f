package dev.patchbay.http.client;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.http.client.wire.HttpSender;

import java.io.IOException;

/**
 * The event stream in the response to a POST, up to the response message. If it fails before that,
 * it is resumed after the last event, if the server sent event ids.
 */
final class PostResponseStream {
    private static final int EMPTY_RESUMES_MAX = 2;
    private static final int FAILED_RESUMES_MAX = 4;

    /** The result of an attempt to resume: the response, events only, or no stream. */
    private enum ResumeResult {
        ANSWERED,
        ENDED,
        FAILED
    }

    private final HttpChannel channel;
    private final MessagePost post;
    private final StreamCursor cursor = new StreamCursor();

    /** Whether the last connection failed; otherwise the server has ended it. */
    private boolean isBroken;

    PostResponseStream(HttpChannel channel, MessagePost post) {
        this.channel = channel;
        this.post = post;
    }

    void read(HttpSender.Response first) throws IOException, InterruptedException {
        if (readUntilResponse(first)) {
            return;
        }
        int fruitless = 0;
        int misses = 0;
        while (!post.isModern()
                && cursor.canResume()
                && fruitless < EMPTY_RESUMES_MAX
                && misses < FAILED_RESUMES_MAX) {
            if (channel.awaitClose(cursor.delayMillis() << misses)) {
                return;
            }
            if (!isBroken) {
                channel.reportStreamEnd(post.callId());
            }
            long before = cursor.eventCount();
            switch (resume()) {
                case ANSWERED -> {
                    return;
                }
                case ENDED -> {
                    misses = 0;
                    fruitless = cursor.eventCount() == before ? fruitless + 1 : 0;
                }
                case FAILED -> misses++;
            }
        }
        throw streamEnded();
    }

    private static IOException streamEnded() {
        return new IOException("the event stream ended before the response");
    }

    /**
     * Resumes the stream once. Only the stream can bring the response, so one failure is not the
     * end.
     */
    private ResumeResult resume() throws IOException, InterruptedException {
        HttpSender.Response next;
        try {
            next =
                    channel.authorizedSender()
                            .send(() -> ServerEventStream.newRequest(channel, cursor));
        } catch (IOException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            channel.logDebug("A stream could not be taken up", e);
            return ResumeResult.FAILED;
        }
        try (next) {
            if (ResponseInspector.isTransient(next.status())) {
                return ResumeResult.FAILED;
            }
            if (next.status() != 200
                    || !ResponseInspector.mediaType(next).equals(AcceptHeader.EVENTS)) {
                throw streamEnded();
            }
            return readUntilResponse(next) ? ResumeResult.ANSWERED : ResumeResult.ENDED;
        }
    }

    /** Reads one connection to its end or to the response; returns whether the response came. */
    private boolean readUntilResponse(HttpSender.Response answer) throws IOException {
        isBroken = false;
        ResponseInspector.checkEncoding(answer);
        var events = new SseReader(answer.body(), HttpChannel.BODY_BYTES_MAX);
        try {
            for (SseReader.Event event = events.next(); event != null; event = events.next()) {
                cursor.countEvent(events);
                if (event.isMessage() && post.deliver(post.decode(event.data()))) {
                    answer.drain();
                    return true;
                }
            }
        } catch (SseReader.EventTooLongException e) {
            throw e;
        } catch (IOException e) {
            if (Thread.currentThread().isInterrupted() || !cursor.canResume()) {
                throw e;
            }
            isBroken = true;
            channel.logDebug("A stream broke", e);
        }
        cursor.update(events);
        return false;
    }
}
