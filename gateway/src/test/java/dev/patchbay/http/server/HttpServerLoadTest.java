package dev.patchbay.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.RawHttpConnection;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many clients at once: they never meet, and the slow ones are nobody else's trouble. */
@Tag("slow")
class HttpServerLoadTest {
    private static final int CLIENTS = 64;
    private static final int CALLS_EACH = 100;

    /** Threat C1: all clients use the same ids at the same time. */
    @Test
    void clientsWithSameIdsGetTheirOwnResponses() throws Exception {
        try (HttpServerFixture bench = HttpServerFixture.start();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var clients = new ArrayList<Future<Integer>>();
            for (int i = 0; i < CLIENTS; i++) {
                String nonce = "nonce-" + i + "-";
                boolean modern = i % 2 == 0;
                clients.add(
                        threads.submit(() -> modern ? modern(bench, nonce) : legacy(bench, nonce)));
            }
            for (Future<Integer> client : clients) {
                assertThat(client.get()).isEqualTo(CALLS_EACH);
            }
            assertThat(bench.service.calls).hasValue(CLIENTS * CALLS_EACH);
        }
    }

    private static int modern(HttpServerFixture bench, String nonce) throws IOException {
        return exchange(
                bench, nonce, id -> bench.modernCall(id, "echo", "{\"n\":\"" + nonce + id + "\"}"));
    }

    private static int legacy(HttpServerFixture bench, String nonce) throws IOException {
        String session = bench.openSession("2025-06-18");
        return exchange(
                bench,
                nonce,
                id ->
                        bench.post(
                                HttpServerFixture.call(
                                        id, "echo", "{\"n\":\"" + nonce + id + "\"}"),
                                session));
    }

    private interface RequestFactory {
        byte[] create(String id);
    }

    private static int exchange(HttpServerFixture bench, String nonce, RequestFactory requests)
            throws IOException {
        try (RawHttpConnection client = bench.connect()) {
            int right = 0;
            for (int i = 0; i < CALLS_EACH; i++) {
                String id = Integer.toString(i);
                RawHttpConnection.Response reply = client.send(requests.create(id)).readResponse();
                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.json().member("id").orElseThrow()).hasToString(id);
                assertThat(reply.body()).contains(nonce + id + "\\\"");
                right++;
            }
            return right;
        }
    }

    private static HttpLimits withShortTimes(Duration header, Duration idle, int connectionsMax) {
        HttpLimits.Times usual = HttpLimits.DEFAULTS.times();
        return HttpLimits.DEFAULTS
                .withTimes(
                        new HttpLimits.Times(
                                header,
                                Duration.ofSeconds(1),
                                idle,
                                usual.keepAlive(),
                                usual.session()))
                .withCounts(new HttpLimits.Counts(connectionsMax, 100, 100));
    }

    private static Duration time(Callable<?> action) throws Exception {
        var watch = Stopwatch.start();
        action.call();
        return watch.activeTime();
    }

    /** Threat A7: headers that never end. */
    @Test
    void endlessHeadersDoNotBlockOthers() throws Exception {
        HttpLimits limits = withShortTimes(Duration.ofSeconds(4), Duration.ofSeconds(30), 1_000);
        try (HttpServerFixture bench =
                HttpServerFixture.start(TokenAuthenticator.ALLOW_ALL, limits)) {
            List<RawHttpConnection> slow = connect(bench, 300);
            for (RawHttpConnection client : slow) {
                client.send("P");
            }
            assertThat(time(() -> bench.exchange(bench.modernCall("1", "echo", "{}"))))
                    .isLessThan(Duration.ofSeconds(1));
            for (RawHttpConnection client : slow) {
                sendOneByte(client);
            }
            for (RawHttpConnection client : slow) {
                assertThat(client.isClosedByServer()).isTrue();
                client.close();
            }
        }
    }

    private static void sendOneByte(RawHttpConnection client) {
        try {
            client.send("O");
        } catch (IOException _) {
            // Closed already, which is what is wanted.
        }
    }

    @Test
    void endlessBodyTimesOut() throws Exception {
        HttpLimits limits = withShortTimes(Duration.ofSeconds(5), Duration.ofSeconds(30), 100);
        try (HttpServerFixture bench =
                        HttpServerFixture.start(TokenAuthenticator.ALLOW_ALL, limits);
                RawHttpConnection client = bench.connect()) {
            client.send(
                    "POST /mcp HTTP/1.1\r\n"
                            + String.join("\r\n", bench.headers("Content-Length: 100"))
                            + "\r\n\r\n{");
            assertThat(client.readResponse().status()).isEqualTo(408);
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void silentConnectionIsClosed() throws Exception {
        HttpLimits limits = withShortTimes(Duration.ofSeconds(5), Duration.ofMillis(500), 100);
        try (HttpServerFixture bench =
                        HttpServerFixture.start(TokenAuthenticator.ALLOW_ALL, limits);
                RawHttpConnection client = bench.connect()) {
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void connectionsAreBoundedAndIdleOnesAreReplaced() throws Exception {
        HttpLimits limits = withShortTimes(Duration.ofSeconds(5), Duration.ofSeconds(30), 20);
        try (HttpServerFixture bench =
                HttpServerFixture.start(TokenAuthenticator.ALLOW_ALL, limits)) {
            List<RawHttpConnection> idle = connect(bench, 30);
            RawHttpConnection.Response reply = bench.exchange(bench.modernCall("1", "echo", "{}"));
            assertThat(reply.status()).isEqualTo(200);
            for (RawHttpConnection client : idle) {
                client.close();
            }
        }
    }

    /** Threat A7: streams that nobody reads. */
    @Test
    void unreadStreamsDoNotBlockOthers() throws Exception {
        try (HttpServerFixture bench = HttpServerFixture.start()) {
            List<RawHttpConnection> deaf = connect(bench, 200);
            for (RawHttpConnection client : deaf) {
                client.send(
                        bench.modern(
                                "1",
                                "subscriptions/listen",
                                "{\"notifications\":{\"toolsListChanged\":true}}"));
            }
            HttpServerFixture.awaitTrue("all listen", () -> bench.service.listeners.size() == 200);
            for (int i = 0; i < 100; i++) {
                bench.service.listeners.forEach(listener -> listener.listChanged("tools"));
            }
            assertThat(time(() -> bench.exchange(bench.modernCall("1", "echo", "{}"))))
                    .isLessThan(Duration.ofSeconds(1));
            for (RawHttpConnection client : deaf) {
                client.reset();
            }
            HttpServerFixture.awaitTrue("all forgotten", bench.service.listeners::isEmpty);
        }
    }

    @Test
    void inFlightRequestsOfSessionAreBounded() throws Exception {
        var counts = new HttpLimits.Counts(100, 10, 3);
        try (HttpServerFixture bench =
                HttpServerFixture.start(
                        TokenAuthenticator.ALLOW_ALL, HttpLimits.DEFAULTS.withCounts(counts))) {
            String session = bench.openSession("2025-11-25");
            List<RawHttpConnection> waiting = connect(bench, 3);
            for (int i = 0; i < 3; i++) {
                String call = HttpServerFixture.call(Integer.toString(i), "wait", "{}");
                waiting.get(i).send(bench.post(call, session));
            }
            HttpServerFixture.awaitTrue("at work", () -> bench.service.waiting.get() == 3);
            RawHttpConnection.Response full =
                    bench.exchange(ClientMessages.request("9", "tools/list", ""), session);
            assertThat(full.body()).contains("OVERLOADED").contains("\"id\":9");
            bench.service.released.countDown();
            for (RawHttpConnection client : waiting) {
                assertThat(client.readResponse().body()).contains("released");
                client.close();
            }
        }
    }

    private static List<RawHttpConnection> connect(HttpServerFixture bench, int count)
            throws IOException {
        var clients = new ArrayList<RawHttpConnection>();
        for (int i = 0; i < count; i++) {
            clients.add(bench.connect());
        }
        return clients;
    }
}
