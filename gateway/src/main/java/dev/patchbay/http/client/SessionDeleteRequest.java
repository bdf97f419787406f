package dev.patchbay.http.client;

import dev.patchbay.http.client.wire.HttpSender;
import dev.patchbay.http.client.wire.ScheduledTimeout;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Tells a server that its session is over. Whether it listens does not matter any more. */
final class SessionDeleteRequest implements Runnable {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final HttpChannel channel;
    private final HttpSender.Request request;

    SessionDeleteRequest(HttpChannel channel) {
        this.channel = channel;
        Map<String, String> headers =
                channel.requestHeaders().forBodilessRequest(channel.sessionHeaders());
        request =
                new HttpSender.Request(
                        "DELETE", channel.target().url(), headers, HttpSender.RequestBody.NONE);
    }

    void start() {
        Thread.ofVirtual().name("farewell").start(this);
    }

    @Override
    public void run() {
        try (var _ = ScheduledTimeout.after(TIMEOUT, Thread.currentThread()::interrupt);
                var _ = channel.sender().send(request)) {
            // The answer is of no interest.
        } catch (IOException | InterruptedException e) {
            channel.logDebug("A session could not be ended", e);
        }
    }
}
