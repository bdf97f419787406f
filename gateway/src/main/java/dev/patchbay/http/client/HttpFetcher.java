package dev.patchbay.http.client;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.http.client.wire.HttpSender;
import dev.patchbay.http.client.wire.ProxyResolver;
import dev.patchbay.http.client.wire.SocketHttpSender;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Proxy;
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
 * Asks small things over HTTP and reads the whole answer, within limits of time and size. It
 * follows no redirect.
 */
public final class HttpFetcher {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final int BODY_BYTES_MAX = 256 * 1024;

    /**
     * A request. As text it is the method only: it holds secrets.
     *
     * @param addresses the only addresses to connect to; empty to look the host up
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
     * What came back. As text it is the status only: it may hold secrets.
     *
     * @param challenge what the server wants to be shown; empty if it does not say
     */
    public record Response(int status, String challenge, String body) {
        @Override
        public String toString() {
            return "HTTP " + status;
        }
    }

    private HttpFetcher() {}

    /** Asks; who does not answer in time, or answers at too great length, is an error. */
    public static Response send(Request ask) throws IOException, InterruptedException {
        var asking = new FutureTask<>(() -> exchange(ask));
        Thread thread = Thread.ofVirtual().name("fetch").start(asking);
        try {
            return asking.get(TIMEOUT.toNanos(), NANOSECONDS);
        } catch (TimeoutException _) {
            throw new IOException("No answer in time");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        } finally {
            thread.interrupt();
        }
    }

    /** Whether a proxy looks the name in a URL up, and not this machine. */
    public static boolean isProxied(URI url) {
        return ProxyResolver.resolve(url).type() == Proxy.Type.HTTP;
    }

    private static Response exchange(Request ask) throws IOException, InterruptedException {
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(ask.headers);
        headers.put("Accept-Encoding", "identity");
        var body = new HttpSender.RequestBody(ask.body.getBytes(StandardCharsets.UTF_8));
        var sender = new SocketHttpSender(ask.addresses);
        try (HttpSender.Response answer =
                sender.send(new HttpSender.Request(ask.method, ask.url, headers, body))) {
            String challenge = answer.header("WWW-Authenticate");
            return new Response(
                    answer.status(), challenge == null ? "" : challenge, readText(answer));
        }
    }

    private static String readText(HttpSender.Response answer) throws IOException {
        if (ResponseInspector.mediaType(answer).equals(AcceptHeader.EVENTS)) {
            return ""; // it may never end, and says nothing that was asked for
        }
        ResponseInspector.checkEncoding(answer);
        byte[] bytes = answer.body().readNBytes(BODY_BYTES_MAX + 1);
        if (bytes.length > BODY_BYTES_MAX) {
            throw new IOException("The answer has more than %,d bytes".formatted(BODY_BYTES_MAX));
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
