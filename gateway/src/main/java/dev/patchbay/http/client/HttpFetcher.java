package dev.patchbay.http.client;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.http.client.wire.HttpSender;
import dev.patchbay.http.client.wire.ProxyResolver;
import dev.patchbay.http.client.wire.SocketHttpSender;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;

/**
 * Sends small HTTP requests and reads the whole response, with limits of time and size. It follows
 * no redirects.
 */
public final class HttpFetcher {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final int BODY_BYTES_MAX = 256 * 1024;

    /**
     * A request. Its text is only the method, because it holds secrets.
     *
     * @param addresses the only addresses to connect to; empty to resolve the host
     * @param body empty for none
     */
    public record Request(
            String method,
            URI url,
            List<InetAddress> addresses,
            Map<String, String> headers,
            String body) {
        public Request {
            addresses = List.copyOf(addresses);
            headers = Map.copyOf(headers);
        }

        @Override
        public String toString() {
            return method;
        }
    }

    /**
     * A response. Its text is only the status, because it may hold secrets.
     *
     * @param challenge all challenges of the server; empty if there is none
     */
    public record Response(int status, String challenge, String body) {
        @Override
        public String toString() {
            return "HTTP " + status;
        }
    }

    private HttpFetcher() {}

    /** Sends a request; a timeout or a response that is too large is an error. */
    public static Response send(Request ask) throws IOException, InterruptedException {
        var asking = new FutureTask<>(() -> exchange(ask));
        Thread thread = Thread.ofVirtual().name("fetch").start(asking);
        try {
            return asking.get(TIMEOUT.toNanos(), NANOSECONDS);
        } catch (TimeoutException _) {
            throw new IOException("no response in time");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        } finally {
            thread.interrupt();
        }
    }

    /** Whether a proxy resolves the host of a URL. */
    public static boolean isProxied(URI url) {
        return ProxyResolver.isProxied(url);
    }

    private static Response exchange(Request ask) throws IOException, InterruptedException {
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(ask.headers);
        headers.put("Accept-Encoding", "identity");
        var body = new HttpSender.RequestBody(ask.body.getBytes(StandardCharsets.UTF_8));
        var sender = new SocketHttpSender(ask.addresses);
        try (HttpSender.Response answer =
                sender.send(new HttpSender.Request(ask.method, ask.url, headers, body))) {
            return new Response(
                    answer.status(), answer.joinedHeader("WWW-Authenticate"), readText(answer));
        }
    }

    private static String readText(HttpSender.Response answer) throws IOException {
        if (ResponseInspector.mediaType(answer).equals(AcceptHeader.EVENTS)) {
            return ""; // it may never end and contains nothing useful
        }
        ResponseInspector.checkEncoding(answer);
        byte[] bytes = answer.body().readNBytes(BODY_BYTES_MAX + 1);
        if (bytes.length > BODY_BYTES_MAX) {
            throw new IOException(
                    "The response is larger than %,d bytes".formatted(BODY_BYTES_MAX));
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
