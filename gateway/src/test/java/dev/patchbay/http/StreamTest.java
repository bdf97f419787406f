package dev.patchbay.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawHttp;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Answers of modern requests that something goes before, and clients that hang up. */
class StreamTest {
    private static final String LISTEN =
            "{\"notifications\":{\"toolsListChanged\":true,\"promptsListChanged\":true}}";

    private Bench bench;

    @BeforeEach
    void start() throws IOException {
        HttpLimits.Times usual = HttpLimits.DEFAULTS.times();
        var times =
                new HttpLimits.Times(
                        usual.header(),
                        usual.body(),
                        usual.idle(),
                        Duration.ofMillis(300),
                        usual.session());
        bench = Bench.start(Access.OPEN, HttpLimits.DEFAULTS.withTimes(times));
    }

    @AfterEach
    void stop() {
        bench.close();
    }

    @Test
    void progressComesBeforeTheAnswerThatEndsTheStream() throws IOException {
        try (RawHttp client = bench.connect()) {
            client.send(bench.modernCall("5", "progress", "{\"steps\":3}"));
            RawHttp.Head head = client.head();
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("Content-Type")).contains("text/event-stream");
            assertThat(head.header("X-Accel-Buffering")).contains("no");
            for (int step = 1; step <= 3; step++) {
                RawHttp.Event event = client.event().orElseThrow();
                assertThat(event.name()).isEqualTo("message");
                assertThat(event.id()).isEmpty();
                assertThat(event.data()).contains("\"progress\":" + step);
            }
            assertThat(client.event().orElseThrow().data()).contains("\"id\":5");
            assertThat(client.event()).isEmpty();
            client.send(bench.modernCall("6", "echo", "{}"));
            assertThat(client.reply().status()).isEqualTo(200);
        }
    }

    @Test
    void clientThatTakesNoEventsGetsTheAnswerAlone() throws IOException {
        byte[] request = bench.modernCall("5", "progress", "{\"steps\":3}");
        String only =
                new String(request, StandardCharsets.UTF_8).replace(", text/event-stream", "");
        try (RawHttp client = bench.connect()) {
            RawHttp.Reply reply = client.send(only).reply();
            assertThat(reply.header("Content-Type")).contains("application/json");
            assertThat(reply.body()).contains("done");
        }
    }

    @Test
    void clientThatTakesOnlyEventsGetsOneEvent() throws IOException {
        byte[] request = bench.modernCall("5", "echo", "{}");
        String only =
                new String(request, StandardCharsets.UTF_8)
                        .replace("application/json, text/event-stream", "text/event-stream");
        try (RawHttp client = bench.connect()) {
            client.send(only).head();
            assertThat(client.event().orElseThrow().data()).contains("\"id\":5");
            assertThat(client.event()).isEmpty();
        }
    }

    @Test
    void listeningClientHearsOfChangesAndSignsOfLife() throws Exception {
        try (RawHttp client = bench.connect()) {
            client.send(bench.modern("\"sub\"", "subscriptions/listen", LISTEN));
            assertThat(client.head().header("Content-Type")).contains("text/event-stream");
            RawHttp.Event first = client.event().orElseThrow();
            assertThat(first.data()).contains("acknowledged").contains("toolsListChanged");
            assertThat(first.data()).doesNotContain("promptsListChanged");
            Bench.await("listening", () -> !bench.service.listeners.isEmpty());
            bench.service.listeners.forEach(listener -> listener.listChanged("tools"));
            assertThat(client.event().orElseThrow().data())
                    .contains("notifications/tools/list_changed")
                    .contains("\"io.modelcontextprotocol/subscriptionId\":\"sub\"");
            assertThat(client.streamLine().orElseThrow()).startsWith(":");
        }
        Bench.await("no listener left", bench.service.listeners::isEmpty);
    }

    /** Threat C4, fault 57: whoever listens and leaves, by the hundred, leaves nothing behind. */
    @Test
    void listenersThatLeaveAreForgotten() throws Exception {
        for (int round = 0; round < 10; round++) {
            var clients = new ArrayList<RawHttp>();
            for (int i = 0; i < 100; i++) {
                RawHttp client = bench.connect();
                clients.add(client);
                client.send(bench.modern("\"s" + i + "\"", "subscriptions/listen", LISTEN));
            }
            Bench.await("all listen", () -> bench.service.listeners.size() == 100);
            for (RawHttp client : clients) {
                client.close();
            }
            Bench.await("no listener left", bench.service.listeners::isEmpty);
        }
    }

    @Test
    void listeningNeedsEvents() throws IOException {
        List<String> headers =
                List.of(
                        bench.host(),
                        "Content-Type: application/json",
                        "Accept: application/json",
                        "MCP-Protocol-Version: 2026-07-28",
                        "Mcp-Method: subscriptions/listen");
        String body = Messages.request("1", "subscriptions/listen", Messages.modernParams(LISTEN));
        assertThat(bench.ask(RawHttp.post("/mcp", headers, body)).status()).isEqualTo(406);
    }

    /** Fault 47 over HTTP: the cancel is seen within half a second. */
    @Test
    void clientThatHangsUpCancelsItsRequest() throws Exception {
        try (RawHttp client = bench.connect()) {
            client.send(bench.modernCall("1", "wait", "{}"));
            Bench.await("at work", () -> bench.service.waiting.get() == 1);
        }
        assertIsInterruptedSoon();
        Bench.await("over", () -> bench.service.waiting.get() == 0);
    }

    @Test
    void clientThatCrashesCancelsItsRequest() throws Exception {
        RawHttp client = bench.connect();
        client.send(bench.modernCall("1", "wait", "{\"loud\":true,\"steps\":1}"));
        Bench.await("at work", () -> bench.service.waiting.get() == 1);
        assertThat(client.head().status()).isEqualTo(200);
        assertThat(client.event()).isPresent();
        client.reset();
        assertIsInterruptedSoon();
    }

    private void assertIsInterruptedSoon() throws InterruptedException {
        var watch = Stopwatch.start();
        assertThat(bench.service.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(watch.net()).isLessThan(Duration.ofMillis(700));
    }

    @Test
    void requestBehindOneThatWaitsIsKeptAndServed() throws Exception {
        try (RawHttp client = bench.connect()) {
            client.send(bench.modernCall("1", "wait", "{}"));
            Bench.await("at work", () -> bench.service.waiting.get() == 1);
            client.send(bench.modernCall("2", "echo", "{\"second\":true}"));
            client.send(bench.modernCall("3", "echo", "{\"third\":true}"));
            assertThat(bench.service.interrupted.await(600, TimeUnit.MILLISECONDS)).isFalse();
            bench.service.released.countDown();
            assertThat(client.reply().body()).contains("\"id\":1").contains("released");
            assertThat(client.reply().body()).contains("\"id\":2").contains("second");
            assertThat(client.reply().body()).contains("\"id\":3").contains("third");
        }
    }

    @Test
    void clientThatWaitsPatientlyIsNotTakenForGone() throws Exception {
        try (RawHttp client = bench.connect()) {
            client.send(bench.modernCall("1", "wait", "{}"));
            assertThat(bench.service.interrupted.await(1, TimeUnit.SECONDS)).isFalse();
            bench.service.released.countDown();
            assertThat(client.reply().body()).contains("released");
        }
    }

    @Test
    void largeAnswerArrivesWhole() throws IOException {
        try (RawHttp client = bench.connect()) {
            client.send(bench.modernCall("1", "big", "{\"bytes\":6000000}"));
            RawHttp.Reply reply = client.reply();
            assertThat(reply.body()).hasSizeGreaterThan(6_000_000);
            assertThat(reply.body()).endsWith("}");
        }
    }

    @Test
    void slowReaderLosesNotificationsButNotItsAnswerNorItsNeighbours() throws Exception {
        String filler = "x".repeat(10_000);
        try (RawHttp slow = bench.connect()) {
            slow.socket().setReceiveBufferSize(128 * 1024);
            slow.send(
                    bench.modernCall(
                            "1", "progress", "{\"steps\":2000,\"filler\":\"" + filler + "\"}"));
            Bench.await("called", () -> bench.service.calls.get() == 1);
            var watch = Stopwatch.start();
            assertThat(bench.ask(bench.modernCall("2", "echo", "{}")).status()).isEqualTo(200);
            assertThat(watch.net()).isLessThan(Duration.ofSeconds(1));
            slow.head();
            int events = 0;
            String last = "";
            Optional<RawHttp.Event> event = slow.event();
            while (event.isPresent()) {
                events++;
                last = event.get().data();
                event = slow.event();
            }
            assertThat(events).isBetween(2, 1_999);
            assertThat(last).contains("\"id\":1").contains("done");
        }
    }

    @Test
    void endOfTheServerAnswersWhatIsAtWork() throws Exception {
        try (RawHttp client = bench.connect();
                RawHttp quick = bench.connect()) {
            client.send(bench.modernCall("1", "wait", "{}"));
            quick.send(bench.modern("2", "subscriptions/listen", LISTEN));
            assertThat(quick.head().status()).isEqualTo(200);
            assertThat(quick.event()).isPresent();
            Bench.await("at work", () -> bench.service.waiting.get() == 1);
            bench.server.close(Duration.ofMillis(300));
            assertThat(client.reply().body()).contains("\"id\":1").contains("Shutting down");
            assertThat(quick.event().orElseThrow().data())
                    .contains("\"id\":2")
                    .contains("\"resultType\":\"complete\"");
            assertThat(quick.event()).isEmpty();
        }
    }
}
