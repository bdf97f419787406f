package dev.patchbay.http;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Tells a server that its session is over. Whether it listens does not matter any more. */
final class Farewell implements Runnable {
    private static final Duration TIME = Duration.ofSeconds(2);

    private final HttpChannel channel;
    private final Wire.Ask ask;

    Farewell(HttpChannel channel) {
        this.channel = channel;
        Map<String, String> headers = channel.headers().basic(channel.session());
        ask = new Wire.Ask("DELETE", channel.target().url(), headers, Wire.JsonBody.NONE);
    }

    void start() {
        Thread.ofVirtual().name("farewell").start(this);
    }

    @Override
    public void run() {
        try (var _ = Deadlines.after(TIME, Thread.currentThread()::interrupt);
                var _ = channel.wire().send(ask)) {
            // The answer is of no interest.
        } catch (IOException | InterruptedException e) {
            channel.note("A session could not be ended", e);
        }
    }
}
