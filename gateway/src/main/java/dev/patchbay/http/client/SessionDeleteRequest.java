package dev.patchbay.http.client;

import dev.patchbay.http.client.wire.HttpSender;
import dev.patchbay.http.client.wire.ScheduledTimeout;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Deletes the session at a server. The result does not matter. */
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
            // The response is ignored.
        } catch (IOException | InterruptedException e) {
            channel.logDebug("A session could not be ended", e);
        }
    }
}
