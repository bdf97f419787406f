package dev.patchbay.http;

import dev.patchbay.json.JsonLimits;
import dev.patchbay.jsonrpc.Decoder;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The stream on which a legacy server says what belongs to no call. Not every server has one. It is
 * taken up again when it breaks, more and more slowly if nothing comes of it; where the server
 * gives nothing to go by, what it said meanwhile is lost.
 */
final class ServerStream implements Runnable {
    private static final long PAUSE_MILLIS_MAX = 30_000;

    private static final byte[] NOTHING = new byte[0];

    private final HttpChannel channel;
    private final Decoder decoder = new Decoder(JsonLimits.DEFAULTS);
    private final Resumption resumption = new Resumption();
    private final Thread thread = Thread.ofVirtual().name("server stream").unstarted(this);

    /** Whether the server had it once: what is said in its place then is of the moment. */
    private boolean wasThere;

    /** Whether it was asked for before: what the server said since then is lost. */
    private boolean wasAsked;

    ServerStream(HttpChannel channel) {
        this.channel = channel;
    }

    void start() {
        thread.start();
    }

    void stop() {
        thread.interrupt();
    }

    /** The request for a stream, behind the last event if there was one. */
    static Wire.Ask ask(HttpChannel channel, Resumption resumption) {
        Map<String, String> headers = channel.headers().forStream(channel.session());
        String last = resumption.lastId();
        if (last != null && !last.isEmpty()) {
            headers.put("Last-Event-ID", last);
        }
        return new Wire.Ask("GET", channel.target().url(), headers, Wire.JsonBody.NONE);
    }

    @Override
    public void run() {
        long usual = 0;
        long pause = 0;
        try {
            while (!channel.awaitEnd(pause)) {
                long before = resumption.events();
                if (!readOnce()) {
                    return;
                }
                wasAsked = true;
                boolean fruitful = resumption.events() > before;
                usual =
                        fruitful || usual == 0
                                ? resumption.pauseMillis()
                                : Math.min(PAUSE_MILLIS_MAX, usual * 2);
                pause = resumption.spread(usual, ThreadLocalRandom.current());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the channel is over
        }
    }

    /** Reads one connection to its end; false if there is no such stream. */
    private boolean readOnce() throws InterruptedException {
        try (Wire.Answer answer = channel.admission().send(() -> ask(channel, resumption))) {
            if (answer.status() != 200 || !Answers.type(answer).equals(Accepts.EVENTS)) {
                return mayComeLater(answer);
            }
            if (wasAsked && !resumption.isPossible()) {
                channel.missed();
            }
            wasThere = true;
            Answers.checkEncoding(answer);
            read(new SseReader(answer.body(), HttpChannel.BODY_BYTES_MAX));
        } catch (IOException e) {
            channel.note("The stream of a server broke", e);
        }
        return true;
    }

    /** Whether an answer in place of the stream leaves it open that there is one. */
    private boolean mayComeLater(Wire.Answer answer) {
        int status = answer.status();
        if (channel.isLost(status, status == 400 ? Answers.start(answer) : NOTHING)
                || !channel.admission().advice(answer).isEmpty()) {
            return false;
        }
        return Answers.isPassing(status) || (wasThere && status != 405 && status != 501);
    }

    private void read(SseReader events) throws IOException {
        for (SseReader.Event event = events.next(); event != null; event = events.next()) {
            resumption.saw(events);
            if (event.isMessage()) {
                byte[] data = event.data().bytes();
                channel.deliver(decoder.decode(data, 0, data.length));
            }
        }
        resumption.note(events);
    }
}
