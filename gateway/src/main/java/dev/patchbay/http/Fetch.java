package dev.patchbay.http;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.io.IOException;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;

/**
 * Asks small things over HTTP and reads the whole answer, within limits of time and size. It
 * follows no redirect.
 */
public final class Fetch {
    private static final Duration TIME_MAX = Duration.ofSeconds(15);
    private static final int BODY_BYTES_MAX = 256 * 1024;

    /** What is asked; an empty body is none. As text it is the method only: it holds secrets. */
    public record Ask(String method, URI url, Map<String, String> headers, String body) {
        public Ask {
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
    public record Answer(int status, String challenge, String body) {
        @Override
        public String toString() {
            return "HTTP " + status;
        }
    }

    private Fetch() {}

    /** Asks; who does not answer in time, or answers at too great length, is an error. */
    public static Answer send(Ask ask) throws IOException, InterruptedException {
        var asking = new FutureTask<>(() -> exchange(ask));
        Thread thread = Thread.ofVirtual().name("fetch").start(asking);
        try {
            return asking.get(TIME_MAX.toNanos(), NANOSECONDS);
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
        return Proxies.of(url).type() == Proxy.Type.HTTP;
    }

    private static Answer exchange(Ask ask) throws IOException, InterruptedException {
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(ask.headers);
        headers.put("Accept-Encoding", "identity");
        var body = new Wire.JsonBody(ask.body.getBytes(StandardCharsets.UTF_8));
        var wire = new SocketWire();
        try (Wire.Answer answer = wire.send(new Wire.Ask(ask.method, ask.url, headers, body))) {
            String challenge = answer.header("WWW-Authenticate");
            return new Answer(answer.status(), challenge == null ? "" : challenge, text(answer));
        }
    }

    private static String text(Wire.Answer answer) throws IOException {
        if (Answers.type(answer).equals(Accepts.EVENTS)) {
            return ""; // it may never end, and says nothing that was asked for
        }
        Answers.checkEncoding(answer);
        byte[] bytes = answer.body().readNBytes(BODY_BYTES_MAX + 1);
        if (bytes.length > BODY_BYTES_MAX) {
            throw new IOException("The answer has more than %,d bytes".formatted(BODY_BYTES_MAX));
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
