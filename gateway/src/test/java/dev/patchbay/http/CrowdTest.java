package dev.patchbay.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawHttp;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many clients at once: they never meet, and the slow ones are nobody else's trouble. */
class CrowdTest {
    private static final int CLIENTS = 64;
    private static final int CALLS_EACH = 100;

    /** Threat C1: all clients use the same ids at the same time. */
    @Test
    void clientsWithTheSameIdsGetTheirOwnAnswers() throws Exception {
        try (Bench bench = Bench.start();
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

    private static int modern(Bench bench, String nonce) throws IOException {
        return exchange(
                bench, nonce, id -> bench.modernCall(id, "echo", "{\"n\":\"" + nonce + id + "\"}"));
    }

    private static int legacy(Bench bench, String nonce) throws IOException {
        String session = bench.session("2025-06-18");
        return exchange(
                bench,
                nonce,
                id ->
                        bench.post(
                                Bench.call(id, "echo", "{\"n\":\"" + nonce + id + "\"}"), session));
    }

    private interface Requests {
        byte[] of(String id);
    }

    private static int exchange(Bench bench, String nonce, Requests requests) throws IOException {
        try (RawHttp client = bench.connect()) {
            int right = 0;
            for (int i = 0; i < CALLS_EACH; i++) {
                String id = Integer.toString(i);
                RawHttp.Reply reply = client.send(requests.of(id)).reply();
                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.json().member("id").orElseThrow()).hasToString(id);
                assertThat(reply.body()).contains(nonce + id + "\\\"");
                right++;
            }
            return right;
        }
    }

    private static HttpLimits hasty(Duration header, Duration idle, int connectionsMax) {
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
        return watch.net();
    }

    /** Threat A7: headers that never end. */
    @Test
    void headersThatNeverEndHoldNobodyUp() throws Exception {
        HttpLimits limits = hasty(Duration.ofSeconds(4), Duration.ofSeconds(30), 1_000);
        try (Bench bench = Bench.start(Access.OPEN, limits)) {
            List<RawHttp> slow = connect(bench, 300);
            for (RawHttp client : slow) {
                client.send("P");
            }
            assertThat(time(() -> bench.ask(bench.modernCall("1", "echo", "{}"))))
                    .isLessThan(Duration.ofSeconds(1));
            for (RawHttp client : slow) {
                trickle(client);
            }
            for (RawHttp client : slow) {
                assertThat(client.isClosedByServer()).isTrue();
                client.close();
            }
        }
    }

    private static void trickle(RawHttp client) {
        try {
            client.send("O");
        } catch (IOException _) {
            // Closed already, which is what is wanted.
        }
    }

    @Test
    void bodyThatNeverEndsIsGivenUp() throws Exception {
        HttpLimits limits = hasty(Duration.ofSeconds(5), Duration.ofSeconds(30), 100);
        try (Bench bench = Bench.start(Access.OPEN, limits);
                RawHttp client = bench.connect()) {
            client.send(
                    "POST /mcp HTTP/1.1\r\n"
                            + String.join("\r\n", bench.headers("Content-Length: 100"))
                            + "\r\n\r\n{");
            assertThat(client.reply().status()).isEqualTo(408);
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void connectionThatSaysNothingIsClosed() throws Exception {
        HttpLimits limits = hasty(Duration.ofSeconds(5), Duration.ofMillis(500), 100);
        try (Bench bench = Bench.start(Access.OPEN, limits);
                RawHttp client = bench.connect()) {
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void connectionsAreBoundedAndTheirPlacesComeFree() throws Exception {
        HttpLimits limits = hasty(Duration.ofSeconds(5), Duration.ofSeconds(30), 20);
        try (Bench bench = Bench.start(Access.OPEN, limits)) {
            List<RawHttp> idle = connect(bench, 30);
            RawHttp.Reply reply = bench.ask(bench.modernCall("1", "echo", "{}"));
            assertThat(reply.status()).isEqualTo(200);
            for (RawHttp client : idle) {
                client.close();
            }
        }
    }

    /** Threat A7: streams that nobody reads. */
    @Test
    void streamsThatNobodyReadsHoldNobodyUp() throws Exception {
        try (Bench bench = Bench.start()) {
            List<RawHttp> deaf = connect(bench, 200);
            for (RawHttp client : deaf) {
                client.send(
                        bench.modern(
                                "1",
                                "subscriptions/listen",
                                "{\"notifications\":{\"toolsListChanged\":true}}"));
            }
            Bench.await("all listen", () -> bench.service.listeners.size() == 200);
            for (int i = 0; i < 100; i++) {
                bench.service.listeners.forEach(listener -> listener.listChanged("tools"));
            }
            assertThat(time(() -> bench.ask(bench.modernCall("1", "echo", "{}"))))
                    .isLessThan(Duration.ofSeconds(1));
            for (RawHttp client : deaf) {
                client.reset();
            }
            Bench.await("all forgotten", bench.service.listeners::isEmpty);
        }
    }

    @Test
    void requestsAtWorkInASessionAreBounded() throws Exception {
        var counts = new HttpLimits.Counts(100, 10, 3);
        try (Bench bench = Bench.start(Access.OPEN, HttpLimits.DEFAULTS.withCounts(counts))) {
            String session = bench.session("2025-11-25");
            List<RawHttp> waiting = connect(bench, 3);
            for (int i = 0; i < 3; i++) {
                String call = Bench.call(Integer.toString(i), "wait", "{}");
                waiting.get(i).send(bench.post(call, session));
            }
            Bench.await("at work", () -> bench.service.waiting.get() == 3);
            RawHttp.Reply full = bench.ask(Messages.request("9", "tools/list", ""), session);
            assertThat(full.body()).contains("OVERLOADED").contains("\"id\":9");
            bench.service.released.countDown();
            for (RawHttp client : waiting) {
                assertThat(client.reply().body()).contains("released");
                client.close();
            }
        }
    }

    private static List<RawHttp> connect(Bench bench, int count) throws IOException {
        var clients = new ArrayList<RawHttp>();
        for (int i = 0; i < count; i++) {
            clients.add(bench.connect());
        }
        return clients;
    }
}
