package dev.patchbay.http;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.Executors;

import javax.net.ssl.SSLException;

/** The wire of the JDK's HTTP client, in HTTP/1.1. */
final class JdkWire implements Wire {
    private static final Duration CONNECT_MAX = Duration.ofSeconds(60);

    /** Made when the first server is reached: it takes a while, and many need none. */
    private static final class Shared {
        private static final HttpClient CLIENT =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(CONNECT_MAX)
                        .executor(Executors.newVirtualThreadPerTaskExecutor())
                        .build();
    }

    @Override
    public Answer send(Ask ask) throws IOException, InterruptedException {
        byte[] body = ask.body().bytes();
        var publisher =
                body.length == 0
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofByteArray(body);
        var request = HttpRequest.newBuilder(ask.url()).method(ask.method(), publisher);
        ask.headers().forEach(request::setHeader);
        try {
            return new JdkAnswer(
                    Shared.CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
        } catch (ConnectException e) {
            throw new NotReached(connectText(e), e);
        } catch (HttpConnectTimeoutException e) {
            throw new NotReached("It does not take the connection", e);
        } catch (SSLException e) {
            throw new NotReached("TLS failed: " + e.getMessage(), e);
        }
    }

    private static String connectText(ConnectException e) {
        boolean unknown =
                e.getCause() != null
                        && e.getCause().getCause() instanceof UnresolvedAddressException;
        return unknown ? "Its name is not known" : "It refuses the connection";
    }

    private record JdkAnswer(HttpResponse<InputStream> response) implements Answer {
        @Override
        public int status() {
            return response.statusCode();
        }

        @Override
        public @Nullable String header(String name) {
            return response.headers().firstValue(name).orElse(null);
        }

        @Override
        public InputStream body() {
            return response.body();
        }

        @Override
        public void close() {
            try {
                response.body().close();
            } catch (IOException _) {
                // It was to be given up anyway.
            }
        }
    }
}
