package dev.patchbay.http;

import java.io.IOException;

/**
 * The events that come back on a post, up to its answer. If the stream breaks before, it is taken
 * up behind the last event, as far as the server gave one to go by.
 */
final class PostStream {
    private static final int FRUITLESS_MAX = 2;
    private static final int MISSES_MAX = 4;

    /** What came of a try to take the stream up: the answer, less than that, or no stream. */
    private enum Course {
        ANSWERED,
        ENDED,
        MISSED
    }

    private final HttpChannel channel;
    private final Post post;
    private final Resumption resumption = new Resumption();

    PostStream(HttpChannel channel, Post post) {
        this.channel = channel;
        this.post = post;
    }

    void read(Wire.Answer first) throws IOException, InterruptedException {
        if (readTo(first)) {
            return;
        }
        int fruitless = 0;
        int misses = 0;
        while (!post.isModern()
                && resumption.isPossible()
                && fruitless < FRUITLESS_MAX
                && misses < MISSES_MAX) {
            if (channel.awaitEnd(resumption.pauseMillis() << misses)) {
                return;
            }
            long before = resumption.events();
            switch (takeUp()) {
                case ANSWERED -> {
                    return;
                }
                case ENDED -> {
                    misses = 0;
                    fruitless = resumption.events() == before ? fruitless + 1 : 0;
                }
                case MISSED -> misses++;
            }
        }
        throw over();
    }

    private static IOException over() {
        return new IOException("Its stream ended before the answer");
    }

    /** Takes the stream up once. Only it can bring the answer, so that one miss is not the end. */
    private Course takeUp() throws IOException, InterruptedException {
        Wire.Answer next;
        try {
            next = channel.admission().send(() -> ServerStream.ask(channel, resumption));
        } catch (IOException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            channel.note("A stream could not be taken up", e);
            return Course.MISSED;
        }
        try (next) {
            if (Answers.isPassing(next.status())) {
                return Course.MISSED;
            }
            if (next.status() != 200 || !Answers.type(next).equals(Accepts.EVENTS)) {
                throw over();
            }
            return readTo(next) ? Course.ANSWERED : Course.ENDED;
        }
    }

    /** Reads one connection to its end, or to the answer; whether the answer came. */
    private boolean readTo(Wire.Answer answer) throws IOException {
        Answers.checkEncoding(answer);
        var events = new SseReader(answer.body(), HttpChannel.BODY_BYTES_MAX);
        try {
            for (SseReader.Event event = events.next(); event != null; event = events.next()) {
                resumption.saw(events);
                if (event.isMessage() && post.take(post.decode(event.data()))) {
                    answer.finish();
                    return true;
                }
            }
        } catch (SseReader.TooLong e) {
            throw e;
        } catch (IOException e) {
            if (Thread.currentThread().isInterrupted() || !resumption.isPossible()) {
                throw e;
            }
            channel.note("A stream broke", e);
        }
        resumption.note(events);
        return false;
    }
}
