package dev.patchbay.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.RawHttpConnection;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What one client, with or without a token, can take away from the others: nothing. */
class HttpServerSharesTest {
    private static final String ALICE = "Authorization: Bearer token-of-alice";
    private static final String BOB = "Authorization: Bearer token-of-bob";
    private static final int CONNECTIONS_MAX = 40;
    private static final int BODY_BYTES_MAX = 1024 * 1024;

    private final List<RawHttpConnection> connections = new ArrayList<>();
    private HttpServerFixture fixture;

    @BeforeEach
    void start() throws IOException {
        var tokens = Map.of("alice", "token-of-alice", "bob", "token-of-bob");
        HttpLimits limits =
                HttpLimits.DEFAULTS
                        .withCounts(new HttpLimits.Counts(CONNECTIONS_MAX, 20, 20))
                        .withSizes(
                                new HttpLimits.Sizes(
                                        BODY_BYTES_MAX, 16 * 1024, 4L * BODY_BYTES_MAX));
        var open = new PublicRoute("x".repeat(4 * 1024 * 1024));
        fixture =
                HttpServerFixture.start(
                        TokenAuthenticator.ofTokens(tokens),
                        limits,
                        Map.of("/assets", open, "/healthz", new PublicRoute("well")));
    }

    private record PublicRoute(String text) implements HttpRoute {
        @Override
        public Response serve(Request request) {
            return Response.text(200, text);
        }

        @Override
        public boolean isPublic() {
            return true;
        }
    }

    @AfterEach
    void stop() throws IOException {
        for (RawHttpConnection connection : connections) {
            connection.close();
        }
        fixture.close();
    }

    private RawHttpConnection open(byte[] request) throws IOException {
        RawHttpConnection connection = fixture.connect();
        connections.add(connection);
        try {
            connection.send(request);
        } catch (IOException _) {
            // Closed already to make room.
        }
        return connection;
    }

    private int status(String path) throws IOException {
        String head = "GET " + path + " HTTP/1.1\r\n" + fixture.host() + "\r\n\r\n";
        return fixture.exchange(head.getBytes(StandardCharsets.US_ASCII)).status();
    }

    private int call(String token) throws IOException {
        return fixture.exchange(fixture.modernCall("1", "echo", "{}", token)).status();
    }

    private byte[] listen(String token) {
        return fixture.modern(
                "1",
                "subscriptions/listen",
                "{\"notifications\":{\"toolsListChanged\":true}}",
                token);
    }

    private byte[] unfinishedBody(String token, int bytes) {
        String head =
                "POST /mcp HTTP/1.1\r\n"
                        + String.join(
                                "\r\n", fixture.headers(token, "Content-Length: " + BODY_BYTES_MAX))
                        + "\r\n\r\n";
        return (head + "{\"a\":\"" + "x".repeat(bytes)).getBytes(StandardCharsets.US_ASCII);
    }

    private byte[] largeCall(String token) {
        String arguments = "{\"text\":\"" + "x".repeat(BODY_BYTES_MAX / 2) + "\"}";
        return fixture.modernCall("1", "echo", arguments, token);
    }

    /** Finding 4: bodies that never end do not fill the memory. */
    @Test
    void unfinishedBodiesAreBoundedForEachPrincipal() throws Exception {
        List<RawHttpConnection> unfinished = new ArrayList<>();
        unfinished.add(open(unfinishedBody(ALICE, BODY_BYTES_MAX / 2 + 1_000)));
        unfinished.add(open(unfinishedBody(ALICE, BODY_BYTES_MAX / 2 + 1_000)));
        awaitLargeCall(503);
        for (int i = 0; i < 6; i++) {
            RawHttpConnection more = open(unfinishedBody(ALICE, BODY_BYTES_MAX / 2 + 1_000));
            assertThat(more.readResponse().status()).isEqualTo(503);
        }
        assertThat(call(ALICE)).as("a small request needs no budget").isEqualTo(200);
        assertThat(fixture.exchange(largeCall(BOB)).status()).isEqualTo(200);
        for (RawHttpConnection connection : unfinished) {
            connection.close();
        }
        awaitLargeCall(200);
    }

    private void awaitLargeCall(int status) throws InterruptedException {
        HttpServerFixture.awaitTrue(
                "a large call gets " + status,
                () -> {
                    try {
                        return fixture.exchange(largeCall(ALICE)).status() == status;
                    } catch (IOException _) {
                        return false; // refused before all of it was sent
                    }
                });
    }

    /** Finding 6: connections without a token lock out neither each other nor those with one. */
    @Test
    void connectionsWithoutTokenLockNobodyOut() throws IOException {
        String asset = "GET /assets HTTP/1.1\r\n" + fixture.host() + "\r\n\r\n";
        byte[] pipelined = asset.repeat(20).getBytes(StandardCharsets.US_ASCII);
        RawHttpConnection known = open(fixture.modernCall("1", "echo", "{}", ALICE));
        assertThat(known.readResponse().status()).isEqualTo(200);
        for (int i = 0; i < 3 * CONNECTIONS_MAX; i++) {
            open(pipelined);
        }
        assertThat(call(BOB)).isEqualTo(200);
        assertThat(status("/healthz")).isEqualTo(200);
        known.send(fixture.modernCall("2", "echo", "{}", ALICE));
        assertThat(known.readResponse().status()).as("a connection with a token").isEqualTo(200);
    }

    /** Finding 7: the streams of one principal leave places to the others. */
    @Test
    void streamsOfOnePrincipalLeavePlacesToOthers() throws IOException {
        for (int i = 0; i < 2 * CONNECTIONS_MAX; i++) {
            open(listen(ALICE));
        }
        assertThat(call(BOB)).isEqualTo(200);
        assertThat(status("/healthz")).isEqualTo(200);
        assertThat(call(ALICE)).isEqualTo(429);
        for (int i = 0; i < CONNECTIONS_MAX / 2; i++) {
            RawHttpConnection stream = open(listen(BOB));
            assertThat(stream.readResponseHead().status()).isEqualTo(200);
        }
        assertThat(call(BOB)).isEqualTo(200);
        assertThat(status("/healthz")).isEqualTo(200);
    }

    /** The sessions of one principal make room for those of another. */
    @Test
    void sessionsOfOnePrincipalMakeRoomForOthers() throws IOException {
        for (int i = 0; i < 20; i++) {
            fixture.openSession("2025-11-25", ALICE);
        }
        assertThat(fixture.exchange(HttpServerFixture.initialize("2025-11-25"), ALICE).status())
                .isEqualTo(503);
        fixture.openSession("2025-11-25", BOB);
    }
}
