package dev.patchbay.http;

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
 * The transport of 2024-11-05: one stream on which everything comes, and an address, told by its
 * first event, to which everything is posted. The address must be of the same origin, or a server
 * could have our headers sent to another.
 */
final class OldSse implements Runnable {
    private static final Duration ENDPOINT_MAX = Duration.ofSeconds(10);

    private final HttpChannel channel;
    private final Decoder decoder = new Decoder(JsonLimits.DEFAULTS);
    private final CountDownLatch told = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable URI endpoint;
    private volatile String trouble = "It does not tell where to post";
    private volatile String advice = "";

    OldSse(HttpChannel channel) {
        this.channel = channel;
        this.thread = Thread.ofVirtual().name("old sse").unstarted(this);
    }

    void start() {
        thread.start();
    }

    void stop() {
        thread.interrupt();
    }

    /** Where to post; null if the server does not tell in time, or tells something else. */
    @Nullable URI awaitEndpoint() throws InterruptedException {
        boolean _ = told.await(ENDPOINT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        return endpoint;
    }

    /** Why there is nowhere to post. */
    String trouble() {
        return trouble;
    }

    /** What a person has to do so that there is somewhere; empty if that is not the matter. */
    String advice() {
        return advice;
    }

    @Override
    public void run() {
        try (Wire.Answer answer = channel.admission().send(this::ask)) {
            if (answer.status() != 200 || !Answers.type(answer).equals(Accepts.EVENTS)) {
                channel.refused(answer);
                advice = channel.admission().advice(answer);
                trouble = Answers.text(answer, Answers.start(answer));
            } else {
                Answers.checkEncoding(answer);
                read(new SseReader(answer.body(), HttpChannel.BODY_BYTES_MAX));
            }
        } catch (IOException e) {
            trouble = String.valueOf(e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            boolean used = endpoint != null;
            told.countDown();
            if (used || channel.target().isOldSse()) {
                channel.end(used ? "Its stream has ended" : trouble);
            }
        }
    }

    private Wire.Ask ask() {
        Map<String, String> headers = channel.headers().forStream(Map.of());
        return new Wire.Ask("GET", channel.target().url(), headers, Wire.JsonBody.NONE);
    }

    private void read(SseReader events) throws IOException {
        for (SseReader.Event event = events.next(); event != null; event = events.next()) {
            if (event.name().equals("endpoint") && endpoint == null) {
                endpoint = resolved(event.data().toString());
                told.countDown();
            } else if (event.isMessage()) {
                byte[] data = event.data().bytes();
                channel.deliver(decoder.decode(data, 0, data.length));
            }
        }
    }

    private URI resolved(String text) throws IOException {
        URI base = channel.target().url();
        URI address;
        try {
            address = base.resolve(text.strip());
        } catch (IllegalArgumentException e) {
            throw new IOException("The address it wants posts at is none", e);
        }
        boolean same =
                lower(base.getScheme()).equals(lower(address.getScheme()))
                        && lower(base.getHost()).equals(lower(address.getHost()))
                        && port(base) == port(address)
                        && address.getUserInfo() == null;
        if (!same) {
            throw new IOException("It wants posts sent to another server, which is not done");
        }
        return address;
    }

    private static String lower(@Nullable String text) {
        return text == null ? "" : text.toLowerCase(Locale.ROOT);
    }

    private static int port(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return lower(uri.getScheme()).equals("https") ? 443 : 80;
    }
}
