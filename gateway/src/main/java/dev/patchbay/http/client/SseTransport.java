package dev.patchbay.http.client;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.http.client.wire.HttpSender;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.jsonrpc.Decoder;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The transport of 2024-11-05: one event stream for all incoming messages, and an endpoint, named
 * by its first event, for all outgoing ones. The endpoint must have the same origin, or a server
 * could have our headers sent elsewhere.
 */
final class SseTransport implements Runnable {
    private static final Duration ENDPOINT_TIMEOUT = Duration.ofSeconds(10);

    private final HttpChannel channel;
    private final Decoder decoder = new Decoder(JsonLimits.DEFAULTS);
    private final CountDownLatch endpointKnown = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable URI endpoint;
    private volatile String failureReason = "the event stream names no endpoint for messages";
    private volatile String advice = "";

    SseTransport(HttpChannel channel) {
        this.channel = channel;
        this.thread = Thread.ofVirtual().name("old sse").unstarted(this);
    }

    void start() {
        thread.start();
    }

    void stop() {
        thread.interrupt();
    }

    /** The endpoint; null if the server does not name a valid one in time. */
    @Nullable URI awaitEndpoint() throws InterruptedException {
        boolean _ = endpointKnown.await(ENDPOINT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        return endpoint;
    }

    /** Why there is no endpoint. */
    String failureReason() {
        return failureReason;
    }

    /** What the user must do to get access; empty if access is not the problem. */
    String advice() {
        return advice;
    }

    @Override
    public void run() {
        try (HttpSender.Response answer = channel.authorizedSender().send(this::newRequest)) {
            if (answer.status() != 200
                    || !ResponseInspector.mediaType(answer).equals(AcceptHeader.EVENTS)) {
                channel.noteRetryAfter(answer);
                advice = channel.authorizedSender().advice(answer);
                failureReason =
                        ResponseInspector.describe(answer, ResponseInspector.readErrorBody(answer));
            } else {
                ResponseInspector.checkEncoding(answer);
                read(new SseReader(answer.body(), HttpChannel.BODY_BYTES_MAX));
            }
        } catch (IOException | RuntimeException | Error e) {
            failureReason = String.valueOf(e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            boolean used = endpoint != null;
            endpointKnown.countDown();
            if (used || channel.target().usesSseTransport()) {
                channel.closeBecause(used ? "the event stream ended" : failureReason);
            }
        }
    }

    private HttpSender.Request newRequest() {
        Map<String, String> headers = channel.requestHeaders().forStream(Map.of());
        return new HttpSender.Request(
                "GET", channel.target().url(), headers, HttpSender.RequestBody.NONE);
    }

    private void read(SseReader events) throws IOException {
        for (SseReader.Event event = events.next(); event != null; event = events.next()) {
            if (event.name().equals("endpoint") && endpoint == null) {
                endpoint = resolveEndpoint(event.data().toString());
                endpointKnown.countDown();
            } else if (event.isMessage()) {
                byte[] data = event.data().bytes();
                channel.deliver(decoder.decode(data, 0, data.length));
            }
        }
    }

    private URI resolveEndpoint(String text) throws IOException {
        URI base = channel.target().url();
        URI address;
        try {
            address = base.resolve(text.strip());
        } catch (IllegalArgumentException e) {
            throw new IOException("the endpoint for messages is not a valid URL", e);
        }
        boolean same =
                lowerCase(base.getScheme()).equals(lowerCase(address.getScheme()))
                        && lowerCase(base.getHost()).equals(lowerCase(address.getHost()))
                        && port(base) == port(address)
                        && address.getUserInfo() == null;
        if (!same) {
            throw new IOException(
                    "the endpoint for messages is on another server, which is not allowed");
        }
        return address;
    }

    private static String lowerCase(@Nullable String text) {
        return text == null ? "" : text.toLowerCase(Locale.ROOT);
    }

    private static int port(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return lowerCase(uri.getScheme()).equals("https") ? 443 : 80;
    }
}
