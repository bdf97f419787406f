package dev.patchbay.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.RawHttpConnection;
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
class ModernStreamingTest {
    private static final String LISTEN =
            "{\"notifications\":{\"toolsListChanged\":true,\"promptsListChanged\":true}}";

    private HttpServerFixture fixture;

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
        fixture =
                HttpServerFixture.start(
                        TokenAuthenticator.ALLOW_ALL, HttpLimits.DEFAULTS.withTimes(times));
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void progressPrecedesResponseThatEndsStream() throws IOException {
        try (RawHttpConnection client = fixture.connect()) {
            client.send(fixture.modernCall("5", "progress", "{\"steps\":3}"));
            RawHttpConnection.ResponseHead head = client.readResponseHead();
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("Content-Type")).contains("text/event-stream");
            assertThat(head.header("X-Accel-Buffering")).contains("no");
            for (int step = 1; step <= 3; step++) {
                RawHttpConnection.SseEvent event = client.readEvent().orElseThrow();
                assertThat(event.name()).isEqualTo("message");
                assertThat(event.id()).isEmpty();
                assertThat(event.data()).contains("\"progress\":" + step);
            }
            assertThat(client.readEvent().orElseThrow().data()).contains("\"id\":5");
            assertThat(client.readEvent()).isEmpty();
            client.send(fixture.modernCall("6", "echo", "{}"));
            assertThat(client.readResponse().status()).isEqualTo(200);
        }
    }

    @Test
    void clientWithoutEventStreamGetsResponseOnly() throws IOException {
        byte[] request = fixture.modernCall("5", "progress", "{\"steps\":3}");
        String only =
                new String(request, StandardCharsets.UTF_8).replace(", text/event-stream", "");
        try (RawHttpConnection client = fixture.connect()) {
            RawHttpConnection.Response reply = client.send(only).readResponse();
            assertThat(reply.header("Content-Type")).contains("application/json");
            assertThat(reply.body()).contains("done");
        }
    }

    @Test
    void clientWithOnlyEventStreamGetsOneEvent() throws IOException {
        byte[] request = fixture.modernCall("5", "echo", "{}");
        String only =
                new String(request, StandardCharsets.UTF_8)
                        .replace("application/json, text/event-stream", "text/event-stream");
        try (RawHttpConnection client = fixture.connect()) {
            client.send(only).readResponseHead();
            assertThat(client.readEvent().orElseThrow().data()).contains("\"id\":5");
            assertThat(client.readEvent()).isEmpty();
        }
    }

    @Test
    void subscribedClientGetsChangesAndKeepAlives() throws Exception {
        try (RawHttpConnection client = fixture.connect()) {
            client.send(fixture.modern("\"sub\"", "subscriptions/listen", LISTEN));
            assertThat(client.readResponseHead().header("Content-Type"))
                    .contains("text/event-stream");
            RawHttpConnection.SseEvent first = client.readEvent().orElseThrow();
            assertThat(first.data()).contains("acknowledged").contains("toolsListChanged");
            assertThat(first.data()).doesNotContain("promptsListChanged");
            HttpServerFixture.awaitTrue("listening", () -> !fixture.service.listeners.isEmpty());
            fixture.service.listeners.forEach(listener -> listener.listChanged("tools"));
            assertThat(client.readEvent().orElseThrow().data())
                    .contains("notifications/tools/list_changed")
                    .contains("\"io.modelcontextprotocol/subscriptionId\":\"sub\"");
            assertThat(client.readStreamLine().orElseThrow()).startsWith(":");
        }
        HttpServerFixture.awaitTrue("no listener left", fixture.service.listeners::isEmpty);
    }

    /** Threat C4, fault 57: whoever listens and leaves, by the hundred, leaves nothing behind. */
    @Test
    void disconnectedSubscribersAreRemoved() throws Exception {
        for (int round = 0; round < 10; round++) {
            var clients = new ArrayList<RawHttpConnection>();
            for (int i = 0; i < 100; i++) {
                RawHttpConnection client = fixture.connect();
                clients.add(client);
                client.send(fixture.modern("\"s" + i + "\"", "subscriptions/listen", LISTEN));
            }
            HttpServerFixture.awaitTrue(
                    "all listen", () -> fixture.service.listeners.size() == 100);
            for (RawHttpConnection client : clients) {
                client.close();
            }
            HttpServerFixture.awaitTrue("no listener left", fixture.service.listeners::isEmpty);
        }
    }

    @Test
    void subscriptionRequiresEventStream() throws IOException {
        List<String> headers =
                List.of(
                        fixture.host(),
                        "Content-Type: application/json",
                        "Accept: application/json",
                        "MCP-Protocol-Version: 2026-07-28",
                        "Mcp-Method: subscriptions/listen");
        String body =
                ClientMessages.request(
                        "1", "subscriptions/listen", ClientMessages.modernParams(LISTEN));
        assertThat(fixture.exchange(RawHttpConnection.postRequest("/mcp", headers, body)).status())
                .isEqualTo(406);
    }

    /** Fault 47 over HTTP: the cancel is seen within half a second. */
    @Test
    void disconnectCancelsRequest() throws Exception {
        try (RawHttpConnection client = fixture.connect()) {
            client.send(fixture.modernCall("1", "wait", "{}"));
            HttpServerFixture.awaitTrue("at work", () -> fixture.service.waiting.get() == 1);
        }
        assertInterruptedSoon();
        HttpServerFixture.awaitTrue("over", () -> fixture.service.waiting.get() == 0);
    }

    @Test
    void connectionResetCancelsRequest() throws Exception {
        RawHttpConnection client = fixture.connect();
        client.send(fixture.modernCall("1", "wait", "{\"loud\":true,\"steps\":1}"));
        HttpServerFixture.awaitTrue("at work", () -> fixture.service.waiting.get() == 1);
        assertThat(client.readResponseHead().status()).isEqualTo(200);
        assertThat(client.readEvent()).isPresent();
        client.reset();
        assertInterruptedSoon();
    }

    private void assertInterruptedSoon() throws InterruptedException {
        var watch = Stopwatch.start();
        assertThat(fixture.service.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(watch.activeTime()).isLessThan(Duration.ofMillis(700));
    }

    @Test
    void pipelinedRequestBehindSlowOneIsServed() throws Exception {
        try (RawHttpConnection client = fixture.connect()) {
            client.send(fixture.modernCall("1", "wait", "{}"));
            HttpServerFixture.awaitTrue("at work", () -> fixture.service.waiting.get() == 1);
            client.send(fixture.modernCall("2", "echo", "{\"second\":true}"));
            client.send(fixture.modernCall("3", "echo", "{\"third\":true}"));
            assertThat(fixture.service.interrupted.await(600, TimeUnit.MILLISECONDS)).isFalse();
            fixture.service.released.countDown();
            assertThat(client.readResponse().body()).contains("\"id\":1").contains("released");
            assertThat(client.readResponse().body()).contains("\"id\":2").contains("second");
            assertThat(client.readResponse().body()).contains("\"id\":3").contains("third");
        }
    }

    @Test
    void waitingClientIsNotTreatedAsDisconnected() throws Exception {
        try (RawHttpConnection client = fixture.connect()) {
            client.send(fixture.modernCall("1", "wait", "{}"));
            assertThat(fixture.service.interrupted.await(1, TimeUnit.SECONDS)).isFalse();
            fixture.service.released.countDown();
            assertThat(client.readResponse().body()).contains("released");
        }
    }

    @Test
    void largeResponseArrivesCompletely() throws IOException {
        try (RawHttpConnection client = fixture.connect()) {
            client.send(fixture.modernCall("1", "big", "{\"bytes\":6000000}"));
            RawHttpConnection.Response reply = client.readResponse();
            assertThat(reply.body()).hasSizeGreaterThan(6_000_000);
            assertThat(reply.body()).endsWith("}");
        }
    }

    @Test
    void slowReaderLosesNotificationsButNotItsResponse() throws Exception {
        String filler = "x".repeat(10_000);
        try (RawHttpConnection slow = fixture.connect()) {
            slow.socket().setReceiveBufferSize(128 * 1024);
            slow.send(
                    fixture.modernCall(
                            "1", "progress", "{\"steps\":2000,\"filler\":\"" + filler + "\"}"));
            HttpServerFixture.awaitTrue("called", () -> fixture.service.calls.get() == 1);
            var watch = Stopwatch.start();
            assertThat(fixture.exchange(fixture.modernCall("2", "echo", "{}")).status())
                    .isEqualTo(200);
            assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(1));
            slow.readResponseHead();
            int events = 0;
            String last = "";
            Optional<RawHttpConnection.SseEvent> event = slow.readEvent();
            while (event.isPresent()) {
                events++;
                last = event.get().data();
                event = slow.readEvent();
            }
            assertThat(events).isBetween(2, 1_999);
            assertThat(last).contains("\"id\":1").contains("done");
        }
    }

    @Test
    void shutdownAnswersInFlightRequests() throws Exception {
        try (RawHttpConnection client = fixture.connect();
                RawHttpConnection quick = fixture.connect()) {
            client.send(fixture.modernCall("1", "wait", "{}"));
            quick.send(fixture.modern("2", "subscriptions/listen", LISTEN));
            assertThat(quick.readResponseHead().status()).isEqualTo(200);
            assertThat(quick.readEvent()).isPresent();
            HttpServerFixture.awaitTrue("at work", () -> fixture.service.waiting.get() == 1);
            fixture.server.close(Duration.ofMillis(300));
            assertThat(client.readResponse().body()).contains("\"id\":1").contains("Shutting down");
            assertThat(quick.readEvent().orElseThrow().data())
                    .contains("\"id\":2")
                    .contains("\"resultType\":\"complete\"");
            assertThat(quick.readEvent()).isEmpty();
        }
    }
}
