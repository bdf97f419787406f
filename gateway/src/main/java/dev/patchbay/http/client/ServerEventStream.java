package dev.patchbay.http.client;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.http.client.wire.HttpSender;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.jsonrpc.Decoder;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The event stream of a legacy server for unsolicited messages. Not every server has one. It is
 * reopened when it fails, with growing delays; without event ids, messages in between are lost.
 */
final class ServerEventStream implements Runnable {
    private static final long DELAY_MILLIS_MAX = 30_000;

    private static final byte[] NO_BODY = new byte[0];

    private final HttpChannel channel;
    private final Decoder decoder = new Decoder(JsonLimits.DEFAULTS);
    private final StreamCursor cursor = new StreamCursor();
    private final Thread thread = Thread.ofVirtual().name("server stream").unstarted(this);

    /** Whether the server had the stream before: then an error is temporary. */
    private boolean wasOpened;

    /** Whether the stream was requested before: messages since then are lost. */
    private boolean wasRequested;

    ServerEventStream(HttpChannel channel) {
        this.channel = channel;
    }

    void start() {
        thread.start();
    }

    void stop() {
        thread.interrupt();
    }

    /** The request for the stream, after the last event if there was one. */
    static HttpSender.Request newRequest(HttpChannel channel, StreamCursor resumption) {
        Map<String, String> headers = channel.requestHeaders().forStream(channel.sessionHeaders());
        String last = resumption.lastEventId();
        if (last != null && !last.isEmpty()) {
            headers.put("Last-Event-ID", last);
        }
        return new HttpSender.Request(
                "GET", channel.target().url(), headers, HttpSender.RequestBody.NONE);
    }

    @Override
    public void run() {
        long usual = 0;
        long pause = 0;
        try {
            while (!channel.awaitClose(pause)) {
                long before = cursor.eventCount();
                if (!readOnce()) {
                    return;
                }
                wasRequested = true;
                boolean fruitful = cursor.eventCount() > before;
                usual =
                        fruitful || usual == 0
                                ? cursor.delayMillis()
                                : Math.min(DELAY_MILLIS_MAX, usual * 2);
                pause = cursor.addJitter(usual, ThreadLocalRandom.current());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the channel is closed
        } catch (RuntimeException | Error e) {
            channel.logDebug("The server's event stream failed", e);
            channel.closeBecause("the event stream could not be read"); // a new one connects
        }
    }

    /** Reads one connection to its end; returns false if there is no such stream. */
    private boolean readOnce() throws InterruptedException {
        try (HttpSender.Response answer =
                channel.authorizedSender().send(() -> newRequest(channel, cursor))) {
            if (answer.status() != 200
                    || !ResponseInspector.mediaType(answer).equals(AcceptHeader.EVENTS)) {
                return mayOpenLater(answer);
            }
            if (wasRequested && !cursor.canResume()) {
                channel.reportMissedMessages();
            }
            wasOpened = true;
            ResponseInspector.checkEncoding(answer);
            read(new SseReader(answer.body(), HttpChannel.BODY_BYTES_MAX));
        } catch (IOException e) {
            channel.logDebug("The stream of a server broke", e);
        }
        return true;
    }

    /** Whether the stream may be available later, after this response. */
    private boolean mayOpenLater(HttpSender.Response answer) {
        int status = answer.status();
        if (channel.closeIfSessionLost(
                        status, status == 400 ? ResponseInspector.readErrorBody(answer) : NO_BODY)
                || !channel.authorizedSender().advice(answer).isEmpty()) {
            return false;
        }
        return ResponseInspector.isTransient(status)
                || (wasOpened && status != 405 && status != 501);
    }

    private void read(SseReader events) throws IOException {
        for (SseReader.Event event = events.next(); event != null; event = events.next()) {
            cursor.countEvent(events);
            if (event.isMessage()) {
                byte[] data = event.data().bytes();
                channel.deliver(decoder.decode(data, 0, data.length));
            }
        }
        cursor.update(events);
    }
}
