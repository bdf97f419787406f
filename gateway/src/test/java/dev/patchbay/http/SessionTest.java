package dev.patchbay.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawHttp;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Legacy sessions: their handshake, their streams, their end, and whose they are. */
class SessionTest {
    private static final String ALICE = "Authorization: Bearer token-of-alice";
    private static final String BOB = "Authorization: Bearer token-of-bob";

    private Bench bench;

    @BeforeEach
    void start() throws IOException {
        var access = Access.tokens(Map.of("alice", "token-of-alice", "bob", "token-of-bob"));
        bench = Bench.start(access, HttpLimits.DEFAULTS);
    }

    @AfterEach
    void stop() {
        bench.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    void handshakeOpensASession(String version) throws IOException {
        RawHttp.Reply reply = bench.ask(Bench.initialize(version), ALICE);
        assertThat(reply.body()).contains("\"protocolVersion\":\"" + version + "\"");
        assertThat(reply.header("Mcp-Session-Id").orElseThrow()).matches("[!-~]{32,}");
    }

    @Test
    void idsOfSessionsDoNotRepeat() throws IOException {
        var ids = new HashSet<String>();
        for (int i = 0; i < 50; i++) {
            ids.add(bench.session("2025-11-25", ALICE));
        }
        assertThat(ids).hasSize(50);
    }

    @Test
    void failedHandshakeOpensNone() throws IOException {
        RawHttp.Reply reply = bench.ask(Messages.request("1", "initialize", "{}"), ALICE);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.errorCode()).isEqualTo(-32602);
        assertThat(reply.header("Mcp-Session-Id")).isEmpty();
    }

    @Test
    void messageNeedsItsSession() throws IOException {
        String ping = Messages.request("9", "ping", "");
        RawHttp.Reply none = bench.ask(ping, ALICE);
        assertThat(none.status()).isEqualTo(400);
        assertThat(none.body()).contains("\"id\":9");
        assertThat(bench.ask(ping, ALICE, "Mcp-Session-Id: nope").status()).isEqualTo(404);
        assertThat(bench.ask(ping, ALICE, bench.session("2025-06-18", ALICE)).status())
                .isEqualTo(200);
    }

    @Test
    void headerOfTheVersionIsChecked() throws IOException {
        String session = bench.session("2025-06-18", ALICE);
        String ping = Messages.request("9", "ping", "");
        assertThat(bench.ask(ping, ALICE, session, "MCP-Protocol-Version: 2025-06-18").status())
                .isEqualTo(200);
        assertThat(bench.ask(ping, ALICE, session, "MCP-Protocol-Version: 1999-01-01").status())
                .isEqualTo(400);
    }

    @Test
    void unknownMethodIsAnsweredInBand() throws IOException {
        RawHttp.Reply reply =
                bench.ask(
                        Messages.request("1", "no/such", ""),
                        ALICE,
                        bench.session("2025-11-25", ALICE));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.errorCode()).isEqualTo(-32601);
    }

    @Test
    void endedSessionIsGone() throws IOException {
        String session = bench.session("2025-11-25", ALICE);
        try (RawHttp client = bench.connect()) {
            assertThat(client.send(bench.bare("DELETE", ALICE, session)).reply().status())
                    .isEqualTo(204);
            assertThat(client.send(bench.bare("DELETE", ALICE, session)).reply().status())
                    .isEqualTo(404);
        }
        assertThat(bench.ask(Messages.request("1", "ping", ""), ALICE, session).status())
                .isEqualTo(404);
    }

    /** Threat C2. */
    @Test
    void sessionServesNobodyButItsOwner() throws Exception {
        String session = bench.session("2025-11-25", ALICE);
        try (RawHttp stream = bench.connect();
                RawHttp other = bench.connect()) {
            String listen = "Accept: text/event-stream";
            stream.send(bench.bare("GET", ALICE, session, listen));
            assertThat(stream.head().status()).isEqualTo(200);
            assertThat(stream.event().orElseThrow().data()).isEmpty();
            String ping = Messages.request("1", "ping", "");
            assertThat(other.send(bench.post(ping, BOB, session)).reply().status()).isEqualTo(404);
            assertThat(other.send(bench.bare("GET", BOB, session, listen)).reply().status())
                    .isEqualTo(404);
            assertThat(other.send(bench.bare("DELETE", BOB, session)).reply().status())
                    .isEqualTo(404);
            assertThat(other.send(bench.post(ping, session)).reply().status()).isEqualTo(401);
            assertThat(other.send(bench.bare("GET", ALICE, session, listen)).reply().status())
                    .isEqualTo(409);
            bench.service.listeners.forEach(listener -> listener.listChanged("tools"));
            assertThat(stream.event().orElseThrow().data()).contains("tools/list_changed");
        }
    }

    /** Threat C3. */
    @Test
    void cancelReachesTheOwnSessionOnly() throws Exception {
        String alice = bench.session("2025-11-25", ALICE);
        String bob = bench.session("2025-11-25", BOB);
        try (RawHttp client = bench.connect()) {
            client.send(bench.post(Bench.call("1", "wait", "{}"), ALICE, alice));
            Bench.await("at work", () -> bench.service.waiting.get() == 1);
            assertThat(bench.ask(Messages.cancelled("1"), BOB, bob).status()).isEqualTo(202);
            assertThat(bench.ask(Messages.cancelled("1"), BOB, alice).status()).isEqualTo(404);
            assertThat(bench.service.interrupted.await(300, TimeUnit.MILLISECONDS)).isFalse();
            assertThat(bench.ask(Messages.cancelled("1"), ALICE, alice).status()).isEqualTo(202);
            var watch = Stopwatch.start();
            assertThat(bench.service.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(watch.net()).isLessThan(Duration.ofSeconds(1));
            RawHttp.Reply reply = client.reply();
            assertThat(reply.status()).isEqualTo(202);
            assertThat(reply.body()).isEmpty();
        }
    }

    @Test
    void theEndOfASessionStopsItsWork() throws Exception {
        String session = bench.session("2025-11-25", ALICE);
        try (RawHttp client = bench.connect()) {
            client.send(bench.post(Bench.call("1", "wait", "{}"), ALICE, session));
            Bench.await("at work", () -> bench.service.waiting.get() == 1);
            try (RawHttp other = bench.connect()) {
                assertThat(other.send(bench.bare("DELETE", ALICE, session)).reply().status())
                        .isEqualTo(204);
            }
            assertThat(bench.service.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
            Bench.await("over", () -> bench.service.waiting.get() == 0);
            assertThat(client.reply().status()).isEqualTo(202);
        }
    }

    @Test
    void hangingUpIsNoCancel() throws Exception {
        String session = bench.session("2025-11-25", ALICE);
        try (RawHttp client = bench.connect()) {
            client.send(bench.post(Bench.call("1", "wait", "{}"), ALICE, session));
            Bench.await("at work", () -> bench.service.waiting.get() == 1);
        }
        assertThat(bench.service.interrupted.await(800, TimeUnit.MILLISECONDS)).isFalse();
        bench.service.released.countDown();
        Bench.await("over", () -> bench.service.waiting.get() == 0);
        assertThat(bench.ask(Messages.request("2", "ping", ""), ALICE, session).status())
                .isEqualTo(200);
    }

    @Test
    void sameIdTwiceAtOnceIsRefusedOnce() throws Exception {
        String session = bench.session("2025-11-25", ALICE);
        try (RawHttp first = bench.connect()) {
            first.send(bench.post(Bench.call("7", "wait", "{}"), ALICE, session));
            Bench.await("at work", () -> bench.service.waiting.get() == 1);
            RawHttp.Reply second = bench.ask(Bench.call("7", "echo", "{}"), ALICE, session);
            assertThat(second.errorCode()).isEqualTo(-32600);
            bench.service.released.countDown();
            assertThat(first.reply().body()).contains("released");
        }
    }

    @Test
    void clientIsAskedOnTheStreamOfItsRequest() throws Exception {
        String session = bench.session("2025-11-25", ALICE);
        try (RawHttp client = bench.connect()) {
            client.send(bench.post(Bench.call("7", "ask", "{}"), ALICE, session));
            assertThat(client.head().header("Content-Type")).contains("text/event-stream");
            RawHttp.Event primer = client.event().orElseThrow();
            assertThat(primer.data()).isEmpty();
            assertThat(primer.id()).isNotEmpty();
            assertThat(primer.retry()).isNotEmpty();
            RawHttp.Event asked = client.event().orElseThrow();
            assertThat(asked.data()).contains("roots/list");
            String id = asked.json().member("id").orElseThrow().toString();
            String answer =
                    "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"roots\":[\"r\"]}}";
            assertThat(bench.ask(answer, BOB, session).status()).isEqualTo(404);
            RawHttp.Reply taken = bench.ask(answer, ALICE, session);
            assertThat(taken.status()).isEqualTo(202);
            assertThat(taken.body()).isEmpty();
            assertThat(client.event().orElseThrow().data()).contains("roots").contains("\"id\":7");
            assertThat(client.event()).isEmpty();
        }
    }

    @Test
    void olderClientIsNotSentAnEventWithoutData() throws Exception {
        String session = bench.session("2025-06-18", ALICE);
        try (RawHttp client = bench.connect()) {
            client.send(bench.post(Bench.call("7", "progress", "{}"), ALICE, session));
            client.head();
            assertThat(client.event().orElseThrow().data()).contains("notifications/progress");
            assertThat(client.event().orElseThrow().data()).contains("\"id\":7");
        }
    }

    @Test
    void brokenStreamIsTakenUpWhereItBroke() throws Exception {
        String session = bench.session("2025-11-25", ALICE);
        String last;
        try (RawHttp client = bench.connect()) {
            String call = Bench.call("7", "wait", "{\"loud\":true,\"steps\":3}");
            client.send(bench.post(call, ALICE, session));
            client.head();
            client.event();
            RawHttp.Event first = client.event().orElseThrow();
            assertThat(first.data()).contains("\"progress\":1");
            last = "Last-Event-ID: " + first.id();
        }
        bench.service.released.countDown();
        Bench.await("over", () -> bench.service.waiting.get() == 0);
        for (int again = 0; again < 2; again++) {
            try (RawHttp client = bench.connect()) {
                client.send(bench.bare("GET", ALICE, session, last, "Accept: text/event-stream"));
                assertThat(client.head().status()).isEqualTo(200);
                assertThat(client.event().orElseThrow().data()).contains("\"progress\":2");
                assertThat(client.event().orElseThrow().data()).contains("\"progress\":3");
                assertThat(client.event().orElseThrow().data()).contains("\"id\":7");
                assertThat(client.event()).isEmpty();
            }
        }
    }

    @Test
    void brokenStreamGoesOnWhileTheWorkGoesOn() throws Exception {
        String session = bench.session("2025-11-25", ALICE);
        String last;
        try (RawHttp client = bench.connect()) {
            String call = Bench.call("7", "wait", "{\"loud\":true,\"steps\":1}");
            client.send(bench.post(call, ALICE, session));
            client.head();
            last = "Last-Event-ID: " + client.event().orElseThrow().id();
        }
        try (RawHttp client = bench.connect()) {
            client.send(bench.bare("GET", ALICE, session, last, "Accept: text/event-stream"));
            client.head();
            assertThat(client.event().orElseThrow().data()).contains("\"progress\":1");
            bench.service.released.countDown();
            assertThat(client.event().orElseThrow().data()).contains("released");
            assertThat(client.event()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"99-1", "0-99", "x", "1", "-1-1", "99999999999-1", "1-"})
    void unknownEventCannotBeResumed(String event) throws Exception {
        String session = bench.session("2025-11-25", ALICE);
        try (RawHttp client = bench.connect()) {
            client.send(
                    bench.bare(
                            "GET",
                            ALICE,
                            session,
                            "Last-Event-ID: " + event,
                            "Accept: text/event-stream"));
            assertThat(client.reply().status()).isEqualTo(400);
        }
    }

    /** A client may wait for the stream before it does anything else. */
    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    void standingStreamIsThereBeforeThereIsAnyEvent(String version) throws Exception {
        String session = bench.session(version, ALICE);
        try (RawHttp client = bench.connect()) {
            client.send(bench.bare("GET", ALICE, session, "Accept: text/event-stream"));
            assertThat(client.head().status()).isEqualTo(200);
        }
    }

    @Test
    void closedStandingStreamMakesRoomForTheNext() throws Exception {
        String session = bench.session("2025-11-25", ALICE);
        String listen = bench.bare("GET", ALICE, session, "Accept: text/event-stream");
        RawHttp first = bench.connect();
        assertThat(first.send(listen).head().status()).isEqualTo(200);
        first.close();
        Bench.await(
                "the place is free",
                () -> {
                    try (RawHttp next = bench.connect()) {
                        return next.send(listen).head().status() == 200;
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    @Test
    void batchIsServedInTheRevisionThatHasIt() throws IOException {
        String batch =
                "["
                        + Bench.call("1", "echo", "{}")
                        + ","
                        + Messages.notification("notifications/x", "")
                        + ",5,"
                        + Messages.request("2", "ping", "")
                        + "]";
        RawHttp.Reply reply = bench.ask(batch, ALICE, bench.session("2025-03-26", ALICE));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body())
                .startsWith("[")
                .contains("\"id\":1,")
                .contains("\"id\":2,")
                .contains("\"id\":null,");
        RawHttp.Reply newer = bench.ask(batch, ALICE, bench.session("2025-06-18", ALICE));
        assertThat(newer.status()).isEqualTo(400);
        assertThat(newer.errorCode()).isEqualTo(-32600);
    }

    @Test
    void batchOfNotificationsHasNoBody() throws IOException {
        String batch = "[" + Messages.notification("notifications/x", "") + "]";
        RawHttp.Reply reply = bench.ask(batch, ALICE, bench.session("2025-03-26", ALICE));
        assertThat(reply.status()).isEqualTo(202);
    }

    /** Threat C4: sessions by the thousand drive out one another, not those in use. */
    @Test
    void sessionsAreBounded() throws IOException {
        stop();
        var counts = new HttpLimits.Counts(1_000, 10, 16);
        bench = Bench.start(Access.token("token-of-alice"), HttpLimits.DEFAULTS.withCounts(counts));
        String session = bench.session("2025-11-25", ALICE);
        for (int i = 0; i < 100; i++) {
            assertThat(bench.ask(Bench.initialize("2025-11-25"), ALICE).status()).isEqualTo(200);
        }
        assertThat(bench.ask(Messages.request("1", "ping", ""), ALICE, session).status())
                .isEqualTo(200);
        for (int i = 0; i < 9; i++) {
            bench.session("2025-11-25", ALICE);
        }
        RawHttp.Reply full = bench.ask(Bench.initialize("2025-11-25"), ALICE);
        assertThat(full.status()).isEqualTo(503);
        assertThat(full.body()).contains("OVERLOADED").contains("\"id\":0");
    }

    @Test
    void sessionThatNobodyUsesExpires() throws Exception {
        stop();
        HttpLimits.Times usual = HttpLimits.DEFAULTS.times();
        var times =
                new HttpLimits.Times(
                        usual.header(),
                        usual.body(),
                        usual.idle(),
                        usual.keepAlive(),
                        Duration.ofSeconds(2));
        bench = Bench.start(Access.token("token-of-alice"), HttpLimits.DEFAULTS.withTimes(times));
        String session = bench.session("2025-11-25", ALICE);
        assertThat(bench.service.listeners).hasSize(1);
        Bench.await("forgotten", bench.service.listeners::isEmpty);
        assertThat(bench.ask(Messages.request("1", "ping", ""), ALICE, session).status())
                .isEqualTo(404);
    }
}
