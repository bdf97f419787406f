package dev.patchbay.http.client;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.http.client.wire.HttpSender;

import java.io.IOException;

/**
 * The events that come back on a post, up to its answer. If the stream breaks before, it is taken
 * up behind the last event, as far as the server gave one to go by.
 */
final class PostResponseStream {
    private static final int EMPTY_RESUMES_MAX = 2;
    private static final int FAILED_RESUMES_MAX = 4;

    /** What came of a try to take the stream up: the answer, less than that, or no stream. */
    private enum ResumeResult {
        ANSWERED,
        ENDED,
        FAILED
    }

    private final HttpChannel channel;
    private final MessagePost post;
    private final StreamCursor cursor = new StreamCursor();

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
        return new IOException("Its stream ended before the answer");
    }

    /** Takes the stream up once. Only it can bring the answer, so that one miss is not the end. */
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

    /** Reads one connection to its end, or to the answer; whether the answer came. */
    private boolean readUntilResponse(HttpSender.Response answer) throws IOException {
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
            channel.logDebug("A stream broke", e);
        }
        cursor.update(events);
        return false;
    }
}
