package dev.patchbay.http.client;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.patchbay.http.client.wire.HttpSender;
import dev.patchbay.http.client.wire.SocketHttpSender;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;

/**
 * Downloads a file with limits of time and size. It follows redirects, but never from https to
 * http. Without TLS it connects to this machine only.
 */
public final class HttpDownload {
    private static final int REDIRECTS_MAX = 5;
    private static final int CHUNK_BYTES = 64 * 1024;

    /** What to download, and how much at most. */
    public record Source(URI url, String accept, long bytesMax, Duration timeout) {}

    private HttpDownload() {}

    /**
     * Writes the body of a response with status 200; returns the status of the last response.
     *
     * @throws IOException if the connection fails, takes too long or the body is too large
     */
    public static int get(Source source, OutputStream to) throws IOException, InterruptedException {
        var loading = new FutureTask<>(() -> follow(source, to));
        Thread thread = Thread.ofVirtual().name("download").start(loading);
        try {
            return loading.get(source.timeout().toNanos(), NANOSECONDS);
        } catch (TimeoutException _) {
            throw new IOException("no complete response in time");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        } finally {
            thread.interrupt();
        }
    }

    private static int follow(Source source, OutputStream to)
            throws IOException, InterruptedException {
        URI url = source.url();
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(Map.of("Accept", source.accept(), "Accept-Encoding", "identity"));
        for (int i = 0; i <= REDIRECTS_MAX; i++) {
            requireProtected(url);
            var request = new HttpSender.Request("GET", url, headers, HttpSender.RequestBody.NONE);
            try (HttpSender.Response answer = new SocketHttpSender().send(request)) {
                String location = answer.header("Location");
                if (answer.status() / 100 != 3 || location == null) {
                    if (answer.status() == 200) {
                        ResponseInspector.checkEncoding(answer);
                        copy(answer.body(), to, source.bytesMax());
                    }
                    return answer.status();
                }
                url = redirect(url, location);
            }
        }
        throw new IOException("too many redirects");
    }

    private static URI redirect(URI from, String location) throws IOException {
        URI target;
        try {
            target = from.resolve(location);
        } catch (IllegalArgumentException e) {
            throw new IOException("The response redirects to an invalid URL", e);
        }
        if ("https".equalsIgnoreCase(from.getScheme())
                && !"https".equalsIgnoreCase(target.getScheme())) {
            throw new IOException("The response redirects from https to another protocol");
        }
        return target;
    }

    private static void requireProtected(URI url) throws IOException {
        if (url.getHost() == null) {
            throw new IOException("The URL has no host: " + url);
        }
        if ("https".equalsIgnoreCase(url.getScheme())) {
            return;
        }
        if (!"http".equalsIgnoreCase(url.getScheme()) || !isThisMachine(url.getHost())) {
            throw new IOException("The URL must begin with https: " + url);
        }
    }

    private static boolean isThisMachine(String host) throws UnknownHostException {
        return InetAddress.getByName(host).isLoopbackAddress();
    }

    private static void copy(InputStream from, OutputStream to, long bytesMax) throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        long total = 0;
        int count = from.read(chunk);
        while (count >= 0) {
            total += count;
            if (total > bytesMax) {
                throw new IOException("The response is larger than %,d bytes".formatted(bytesMax));
            }
            to.write(chunk, 0, count);
            count = from.read(chunk);
        }
    }
}
