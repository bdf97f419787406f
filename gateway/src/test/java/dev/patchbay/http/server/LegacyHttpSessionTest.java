package dev.patchbay.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.RawHttpConnection;
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
class LegacyHttpSessionTest {
    private static final String ALICE = "Authorization: Bearer token-of-alice";
    private static final String BOB = "Authorization: Bearer token-of-bob";

    private HttpServerFixture fixture;

    @BeforeEach
    void start() throws IOException {
        var access =
                TokenAuthenticator.ofTokens(
                        Map.of("alice", "token-of-alice", "bob", "token-of-bob"));
        fixture = HttpServerFixture.start(access, HttpLimits.DEFAULTS);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    void handshakeOpensSession(String version) throws IOException {
        RawHttpConnection.Response reply =
                fixture.exchange(HttpServerFixture.initialize(version), ALICE);
        assertThat(reply.body()).contains("\"protocolVersion\":\"" + version + "\"");
        assertThat(reply.header("Mcp-Session-Id").orElseThrow()).matches("[!-~]{32,}");
    }

    @Test
    void sessionIdsAreUnique() throws IOException {
        var ids = new HashSet<String>();
        for (int i = 0; i < 50; i++) {
            ids.add(fixture.openSession("2025-11-25", ALICE));
        }
        assertThat(ids).hasSize(50);
    }

    @Test
    void failedHandshakeOpensNoSession() throws IOException {
        RawHttpConnection.Response reply =
                fixture.exchange(ClientMessages.request("1", "initialize", "{}"), ALICE);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.errorCode()).isEqualTo(-32602);
        assertThat(reply.header("Mcp-Session-Id")).isEmpty();
    }

    @Test
    void messageNeedsKnownSession() throws IOException {
        String ping = ClientMessages.request("9", "ping", "");
        RawHttpConnection.Response none = fixture.exchange(ping, ALICE);
        assertThat(none.status()).isEqualTo(400);
        assertThat(none.body()).contains("\"id\":9");
        assertThat(fixture.exchange(ping, ALICE, "Mcp-Session-Id: nope").status()).isEqualTo(404);
        assertThat(fixture.exchange(ping, ALICE, fixture.openSession("2025-06-18", ALICE)).status())
                .isEqualTo(200);
    }

    @Test
    void versionHeaderIsChecked() throws IOException {
        String session = fixture.openSession("2025-06-18", ALICE);
        String ping = ClientMessages.request("9", "ping", "");
        assertThat(
                        fixture.exchange(ping, ALICE, session, "MCP-Protocol-Version: 2025-06-18")
                                .status())
                .isEqualTo(200);
        assertThat(
                        fixture.exchange(ping, ALICE, session, "MCP-Protocol-Version: 1999-01-01")
                                .status())
                .isEqualTo(400);
    }

    @Test
    void unknownMethodGetsJsonRpcErrorWithStatus200() throws IOException {
        RawHttpConnection.Response reply =
                fixture.exchange(
                        ClientMessages.request("1", "no/such", ""),
                        ALICE,
                        fixture.openSession("2025-11-25", ALICE));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.errorCode()).isEqualTo(-32601);
    }

    @Test
    void deletedSessionIsNotFound() throws IOException {
        String session = fixture.openSession("2025-11-25", ALICE);
        try (RawHttpConnection client = fixture.connect()) {
            assertThat(
                            client.send(fixture.requestHead("DELETE", ALICE, session))
                                    .readResponse()
                                    .status())
                    .isEqualTo(204);
            assertThat(
                            client.send(fixture.requestHead("DELETE", ALICE, session))
                                    .readResponse()
                                    .status())
                    .isEqualTo(404);
        }
        assertThat(
                        fixture.exchange(ClientMessages.request("1", "ping", ""), ALICE, session)
                                .status())
                .isEqualTo(404);
    }

    /** Threat C2. */
    @Test
    void sessionServesOnlyItsOwner() throws Exception {
        String session = fixture.openSession("2025-11-25", ALICE);
        try (RawHttpConnection stream = fixture.connect();
                RawHttpConnection other = fixture.connect()) {
            String listen = "Accept: text/event-stream";
            stream.send(fixture.requestHead("GET", ALICE, session, listen));
            assertThat(stream.readResponseHead().status()).isEqualTo(200);
            assertThat(stream.readEvent().orElseThrow().data()).isEmpty();
            String ping = ClientMessages.request("1", "ping", "");
            assertThat(other.send(fixture.post(ping, BOB, session)).readResponse().status())
                    .isEqualTo(404);
            assertThat(
                            other.send(fixture.requestHead("GET", BOB, session, listen))
                                    .readResponse()
                                    .status())
                    .isEqualTo(404);
            assertThat(
                            other.send(fixture.requestHead("DELETE", BOB, session))
                                    .readResponse()
                                    .status())
                    .isEqualTo(404);
            assertThat(other.send(fixture.post(ping, session)).readResponse().status())
                    .isEqualTo(401);
            assertThat(
                            other.send(fixture.requestHead("GET", ALICE, session, listen))
                                    .readResponse()
                                    .status())
                    .isEqualTo(409);
            fixture.service.listeners.forEach(listener -> listener.listChanged("tools"));
            assertThat(stream.readEvent().orElseThrow().data()).contains("tools/list_changed");
        }
    }

    /** Threat C3. */
    @Test
    void cancelAffectsOnlyItsOwnSession() throws Exception {
        String alice = fixture.openSession("2025-11-25", ALICE);
        String bob = fixture.openSession("2025-11-25", BOB);
        try (RawHttpConnection client = fixture.connect()) {
            client.send(fixture.post(HttpServerFixture.call("1", "wait", "{}"), ALICE, alice));
            HttpServerFixture.awaitTrue("at work", () -> fixture.service.waiting.get() == 1);
            assertThat(fixture.exchange(ClientMessages.cancelled("1"), BOB, bob).status())
                    .isEqualTo(202);
            assertThat(fixture.exchange(ClientMessages.cancelled("1"), BOB, alice).status())
                    .isEqualTo(404);
            assertThat(fixture.service.interrupted.await(300, TimeUnit.MILLISECONDS)).isFalse();
            assertThat(fixture.exchange(ClientMessages.cancelled("1"), ALICE, alice).status())
                    .isEqualTo(202);
            var watch = Stopwatch.start();
            assertThat(fixture.service.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(1));
            RawHttpConnection.Response reply = client.readResponse();
            assertThat(reply.status()).isEqualTo(202);
            assertThat(reply.body()).isEmpty();
        }
    }

    @Test
    void deletingSessionCancelsItsRequests() throws Exception {
        String session = fixture.openSession("2025-11-25", ALICE);
        try (RawHttpConnection client = fixture.connect()) {
            client.send(fixture.post(HttpServerFixture.call("1", "wait", "{}"), ALICE, session));
            HttpServerFixture.awaitTrue("at work", () -> fixture.service.waiting.get() == 1);
            try (RawHttpConnection other = fixture.connect()) {
                assertThat(
                                other.send(fixture.requestHead("DELETE", ALICE, session))
                                        .readResponse()
                                        .status())
                        .isEqualTo(204);
            }
            assertThat(fixture.service.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
            HttpServerFixture.awaitTrue("over", () -> fixture.service.waiting.get() == 0);
            assertThat(client.readResponse().status()).isEqualTo(202);
        }
    }

    @Test
    void disconnectDoesNotCancelLegacyRequest() throws Exception {
        String session = fixture.openSession("2025-11-25", ALICE);
        try (RawHttpConnection client = fixture.connect()) {
            client.send(fixture.post(HttpServerFixture.call("1", "wait", "{}"), ALICE, session));
            HttpServerFixture.awaitTrue("at work", () -> fixture.service.waiting.get() == 1);
        }
        assertThat(fixture.service.interrupted.await(800, TimeUnit.MILLISECONDS)).isFalse();
        fixture.service.released.countDown();
        HttpServerFixture.awaitTrue("over", () -> fixture.service.waiting.get() == 0);
        assertThat(
                        fixture.exchange(ClientMessages.request("2", "ping", ""), ALICE, session)
                                .status())
                .isEqualTo(200);
    }

    @Test
    void duplicateInFlightIdIsRefused() throws Exception {
        String session = fixture.openSession("2025-11-25", ALICE);
        try (RawHttpConnection first = fixture.connect()) {
            first.send(fixture.post(HttpServerFixture.call("7", "wait", "{}"), ALICE, session));
            HttpServerFixture.awaitTrue("at work", () -> fixture.service.waiting.get() == 1);
            RawHttpConnection.Response second =
                    fixture.exchange(HttpServerFixture.call("7", "echo", "{}"), ALICE, session);
            assertThat(second.errorCode()).isEqualTo(-32600);
            fixture.service.released.countDown();
            assertThat(first.readResponse().body()).contains("released");
        }
    }

    @Test
    void batchIsServedOnlyIn20250326() throws IOException {
        String batch =
                "["
                        + HttpServerFixture.call("1", "echo", "{}")
                        + ","
                        + ClientMessages.notification("notifications/x", "")
                        + ",5,"
                        + ClientMessages.request("2", "ping", "")
                        + "]";
        RawHttpConnection.Response reply =
                fixture.exchange(batch, ALICE, fixture.openSession("2025-03-26", ALICE));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body())
                .startsWith("[")
                .contains("\"id\":1,")
                .contains("\"id\":2,")
                .contains("\"id\":null,");
        RawHttpConnection.Response newer =
                fixture.exchange(batch, ALICE, fixture.openSession("2025-06-18", ALICE));
        assertThat(newer.status()).isEqualTo(400);
        assertThat(newer.errorCode()).isEqualTo(-32600);
    }

    @Test
    void batchOfNotificationsHasNoResponseBody() throws IOException {
        String batch = "[" + ClientMessages.notification("notifications/x", "") + "]";
        RawHttpConnection.Response reply =
                fixture.exchange(batch, ALICE, fixture.openSession("2025-03-26", ALICE));
        assertThat(reply.status()).isEqualTo(202);
    }

    /** Threat C4: sessions by the thousand drive out one another, not those in use. */
    @Test
    void sessionsAreBounded() throws IOException {
        stop();
        var counts = new HttpLimits.Counts(1_000, 10, 16);
        fixture =
                HttpServerFixture.start(
                        TokenAuthenticator.ofToken("token-of-alice"),
                        HttpLimits.DEFAULTS.withCounts(counts));
        String session = fixture.openSession("2025-11-25", ALICE);
        for (int i = 0; i < 100; i++) {
            assertThat(fixture.exchange(HttpServerFixture.initialize("2025-11-25"), ALICE).status())
                    .isEqualTo(200);
        }
        assertThat(
                        fixture.exchange(ClientMessages.request("1", "ping", ""), ALICE, session)
                                .status())
                .isEqualTo(200);
        for (int i = 0; i < 9; i++) {
            fixture.openSession("2025-11-25", ALICE);
        }
        RawHttpConnection.Response full =
                fixture.exchange(HttpServerFixture.initialize("2025-11-25"), ALICE);
        assertThat(full.status()).isEqualTo(503);
        assertThat(full.body()).contains("OVERLOADED").contains("\"id\":0");
    }

    @Test
    void unusedSessionExpires() throws Exception {
        stop();
        HttpLimits.Times usual = HttpLimits.DEFAULTS.times();
        var times =
                new HttpLimits.Times(
                        usual.header(),
                        usual.body(),
                        usual.idle(),
                        usual.keepAlive(),
                        Duration.ofSeconds(2));
        fixture =
                HttpServerFixture.start(
                        TokenAuthenticator.ofToken("token-of-alice"),
                        HttpLimits.DEFAULTS.withTimes(times));
        String session = fixture.openSession("2025-11-25", ALICE);
        assertThat(fixture.service.listenersAdded).hasValue(1);
        HttpServerFixture.awaitTrue("forgotten", fixture.service.listeners::isEmpty);
        assertThat(
                        fixture.exchange(ClientMessages.request("1", "ping", ""), ALICE, session)
                                .status())
                .isEqualTo(404);
    }
}
