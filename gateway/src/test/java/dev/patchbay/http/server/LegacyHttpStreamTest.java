package dev.patchbay.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.RawHttpConnection;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The event streams of legacy sessions: priming, resumption and server requests. */
class LegacyHttpStreamTest {
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

    @Test
    void serverRequestArrivesOnStreamOfItsCall() throws Exception {
        String session = fixture.openSession("2025-11-25", ALICE);
        try (RawHttpConnection client = fixture.connect()) {
            client.send(fixture.post(HttpServerFixture.call("7", "ask", "{}"), ALICE, session));
            assertThat(client.readResponseHead().header("Content-Type"))
                    .contains("text/event-stream");
            RawHttpConnection.SseEvent primer = client.readEvent().orElseThrow();
            assertThat(primer.data()).isEmpty();
            assertThat(primer.id()).isNotEmpty();
            assertThat(primer.retry()).isNotEmpty();
            RawHttpConnection.SseEvent asked = client.readEvent().orElseThrow();
            assertThat(asked.data()).contains("roots/list");
            String id = asked.json().member("id").orElseThrow().toString();
            String answer =
                    "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"roots\":[\"r\"]}}";
            assertThat(fixture.exchange(answer, BOB, session).status()).isEqualTo(404);
            RawHttpConnection.Response taken = fixture.exchange(answer, ALICE, session);
            assertThat(taken.status()).isEqualTo(202);
            assertThat(taken.body()).isEmpty();
            assertThat(client.readEvent().orElseThrow().data())
                    .contains("roots")
                    .contains("\"id\":7");
            assertThat(client.readEvent()).isEmpty();
        }
    }

    /** A question must not wait for a connection that is gone. */
    @Test
    void serverRequestUsesTheSessionStreamWhenItsCallHasLostItsConnection() throws Exception {
        String session = fixture.openSession("2025-11-25", ALICE);
        try (RawHttpConnection standing = fixture.connect()) {
            standing.send(fixture.requestHead("GET", "Accept: text/event-stream", ALICE, session));
            assertThat(standing.readResponseHead().status()).isEqualTo(200);
            try (RawHttpConnection client = fixture.connect()) {
                client.send(
                        fixture.post(
                                HttpServerFixture.call("7", "askLater", "{}"), ALICE, session));
                HttpServerFixture.awaitTrue(
                        "the call runs", () -> fixture.service.waiting.get() == 1);
            }
            fixture.openSession("2025-11-25", ALICE); // the server has seen the connection end
            fixture.service.released.countDown();
            String asked = standing.readEvent().orElseThrow().data();
            while (!asked.contains("roots/list")) { // an event without data comes first
                asked = standing.readEvent().orElseThrow().data();
            }
        }
    }

    @Test
    void clientWithoutAnyConnectionCannotBeAsked() throws Exception {
        String session = fixture.openSession("2025-11-25", ALICE);
        try (RawHttpConnection client = fixture.connect()) {
            client.send(
                    fixture.post(HttpServerFixture.call("7", "untilGone", "{}"), ALICE, session));
            HttpServerFixture.awaitTrue("the call runs", () -> fixture.service.waiting.get() == 1);
            assertThat(fixture.service.gone.getCount()).isOne();
        }
        assertThat(fixture.service.gone.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void clientThatNamesEventsFirstGetsEvents() throws Exception {
        String session = fixture.openSession("2025-11-25", ALICE);
        String body = HttpServerFixture.call("7", "who", "{}");
        try (RawHttpConnection client = fixture.connect()) {
            client.send(
                    fixture.requestHead(
                                    "POST",
                                    ALICE,
                                    session,
                                    "Content-Type: application/json",
                                    "Accept: text/event-stream, application/json",
                                    "Content-Length: " + body.length())
                            + body);
            assertThat(client.readResponseHead().header("Content-Type"))
                    .contains("text/event-stream");
            assertThat(client.readEvent().orElseThrow().data()).isEmpty();
            assertThat(client.readEvent().orElseThrow().data()).contains("\"id\":7");
        }
        assertThat(fixture.exchange(body, ALICE, session).header("Content-Type"))
                .contains("application/json");
    }

    /** As a server wants that ends the stream of a call before the response. */
    @Test
    void callGoesOnOverAnotherConnectionAfterItsStreamWasEnded() throws Exception {
        String session = fixture.openSession("2025-11-25", ALICE);
        String last;
        try (RawHttpConnection client = fixture.connect()) {
            client.send(
                    fixture.post(HttpServerFixture.call("7", "endStream", "{}"), ALICE, session));
            client.readResponseHead();
            last = client.readEvent().orElseThrow().id();
            assertThat(client.readEvent()).isEmpty();
        }
        fixture.service.released.countDown();
        try (RawHttpConnection client = fixture.connect()) {
            client.send(resumeRequest(session, last));
            assertThat(client.readResponseHead().status()).isEqualTo(200);
            assertThat(client.readEvent().orElseThrow().data()).contains("resumed");
        }
    }

    /** Without a first event it would have nothing to resume from. */
    @Test
    void streamOfAnOlderClientIsNotEnded() throws Exception {
        String session = fixture.openSession("2025-06-18", ALICE);
        fixture.service.released.countDown();
        assertThat(
                        fixture.exchange(
                                        HttpServerFixture.call("7", "endStream", "{}"),
                                        ALICE,
                                        session)
                                .body())
                .contains("resumed");
    }

    @Test
    void olderClientGetsNoPrimingEvent() throws Exception {
        String session = fixture.openSession("2025-06-18", ALICE);
        try (RawHttpConnection client = fixture.connect()) {
            client.send(
                    fixture.post(HttpServerFixture.call("7", "progress", "{}"), ALICE, session));
            client.readResponseHead();
            assertThat(client.readEvent().orElseThrow().data()).contains("notifications/progress");
            assertThat(client.readEvent().orElseThrow().data()).contains("\"id\":7");
        }
    }

    @Test
    void brokenStreamResumesAfterLastEvent() throws Exception {
        String session = fixture.openSession("2025-11-25", ALICE);
        String last;
        try (RawHttpConnection client = fixture.connect()) {
            String call = HttpServerFixture.call("7", "wait", "{\"loud\":true,\"steps\":3}");
            client.send(fixture.post(call, ALICE, session));
            client.readResponseHead();
            client.readEvent();
            RawHttpConnection.SseEvent first = client.readEvent().orElseThrow();
            assertThat(first.data()).contains("\"progress\":1");
            last = "Last-Event-ID: " + first.id();
        }
        fixture.service.released.countDown();
        HttpServerFixture.awaitTrue("over", () -> fixture.service.waiting.get() == 0);
        for (int again = 0; again < 2; again++) {
            try (RawHttpConnection client = fixture.connect()) {
                client.send(
                        fixture.requestHead(
                                "GET", ALICE, session, last, "Accept: text/event-stream"));
                assertThat(client.readResponseHead().status()).isEqualTo(200);
                assertThat(client.readEvent().orElseThrow().data()).contains("\"progress\":2");
                assertThat(client.readEvent().orElseThrow().data()).contains("\"progress\":3");
                assertThat(client.readEvent().orElseThrow().data()).contains("\"id\":7");
                assertThat(client.readEvent()).isEmpty();
            }
        }
    }

    @Test
    void brokenStreamResumesWhileRequestIsRunning() throws Exception {
        String session = fixture.openSession("2025-11-25", ALICE);
        String last;
        try (RawHttpConnection client = fixture.connect()) {
            String call = HttpServerFixture.call("7", "wait", "{\"loud\":true,\"steps\":1}");
            client.send(fixture.post(call, ALICE, session));
            client.readResponseHead();
            last = "Last-Event-ID: " + client.readEvent().orElseThrow().id();
        }
        try (RawHttpConnection client = fixture.connect()) {
            client.send(
                    fixture.requestHead("GET", ALICE, session, last, "Accept: text/event-stream"));
            client.readResponseHead();
            assertThat(client.readEvent().orElseThrow().data()).contains("\"progress\":1");
            fixture.service.released.countDown();
            assertThat(client.readEvent().orElseThrow().data()).contains("released");
            assertThat(client.readEvent()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"99-1", "0-99", "x", "1", "-1-1", "99999999999-1", "1-"})
    void eventOfAnotherSessionOpensTheStreamFromNowOn(String event) throws Exception {
        String session = fixture.openSession("2025-11-25", ALICE);
        try (RawHttpConnection client = fixture.connect()) {
            client.send(resumeRequest(session, event));
            assertThat(client.readResponseHead().status()).isEqualTo(200);
            assertThat(client.readEvent().orElseThrow().id()).isEqualTo("0-0");
        }
    }

    @Test
    void eventThatAStreamOfTheSessionNeverSentCannotBeResumed() throws Exception {
        String session = fixture.openSession("2025-11-25", ALICE);
        String stream;
        try (RawHttpConnection client = fixture.connect()) {
            String call = HttpServerFixture.call("7", "wait", "{\"loud\":true,\"steps\":1}");
            client.send(fixture.post(call, ALICE, session));
            client.readResponseHead();
            String id = client.readEvent().orElseThrow().id();
            stream = id.substring(0, id.indexOf('-'));
            fixture.service.released.countDown();
        }
        try (RawHttpConnection client = fixture.connect()) {
            client.send(resumeRequest(session, stream + "-99"));
            assertThat(client.readResponse().status()).isEqualTo(400);
        }
    }

    private String resumeRequest(String session, String event) {
        return fixture.requestHead(
                "GET", ALICE, session, "Last-Event-ID: " + event, "Accept: text/event-stream");
    }

    /** A client may wait for the stream before it does anything else. */
    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    void sessionStreamOpensBeforeFirstEvent(String version) throws Exception {
        String session = fixture.openSession(version, ALICE);
        try (RawHttpConnection client = fixture.connect()) {
            client.send(fixture.requestHead("GET", ALICE, session, "Accept: text/event-stream"));
            assertThat(client.readResponseHead().status()).isEqualTo(200);
        }
    }

    @Test
    void closedSessionStreamCanBeReopened() throws Exception {
        String session = fixture.openSession("2025-11-25", ALICE);
        String listen = fixture.requestHead("GET", ALICE, session, "Accept: text/event-stream");
        RawHttpConnection first = fixture.connect();
        assertThat(first.send(listen).readResponseHead().status()).isEqualTo(200);
        first.close();
        HttpServerFixture.awaitTrue(
                "the place is free",
                () -> {
                    try (RawHttpConnection next = fixture.connect()) {
                        return next.send(listen).readResponseHead().status() == 200;
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    /** The Java SDK up to 2.0.1 fails on a retry line; its HTTP client is the JDK's. */
    @ParameterizedTest
    @CsvSource({"Java-http-client/17.0.1, ''", "node, 1000"})
    void javaClientGetsNoRetryLine(String agent, String retry) throws Exception {
        String session = fixture.openSession("2025-11-25", ALICE);
        String userAgent = "User-Agent: " + agent;
        try (RawHttpConnection call = fixture.connect();
                RawHttpConnection stream = fixture.connect()) {
            String progress = HttpServerFixture.call("7", "progress", "{}");
            call.send(fixture.post(progress, ALICE, session, userAgent));
            call.readResponseHead();
            RawHttpConnection.SseEvent primer = call.readEvent().orElseThrow();
            assertThat(primer.id()).isNotEmpty();
            assertThat(primer.retry()).isEqualTo(retry);
            String accept = "Accept: text/event-stream";
            stream.send(fixture.requestHead("GET", ALICE, session, accept, userAgent));
            assertThat(stream.readResponseHead().status()).isEqualTo(200);
            assertThat(stream.readEvent().orElseThrow().retry()).isEqualTo(retry);
        }
    }
}
