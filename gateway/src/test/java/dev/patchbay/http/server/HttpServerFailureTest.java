package dev.patchbay.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.RawHttpConnection;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Map;

/** Failures inside the gateway: each costs one request, never the server. */
class HttpServerFailureTest {
    /** Finding 4: a request that runs out of memory is answered, and the next one is served. */
    @Test
    void requestThatRunsOutOfMemoryIsAnswered() throws IOException {
        HttpRoute failing =
                _ -> {
                    throw new OutOfMemoryError("simulated");
                };
        try (var fixture =
                HttpServerFixture.start(
                        TokenAuthenticator.ALLOW_ALL,
                        HttpLimits.DEFAULTS,
                        Map.of("/fails", failing))) {
            try (RawHttpConnection client = fixture.connect()) {
                RawHttpConnection.Response reply =
                        client.send("GET /fails HTTP/1.1\r\n" + fixture.host() + "\r\n\r\n")
                                .readResponse();
                assertThat(reply.status()).isEqualTo(500);
                assertThat(reply.body()).doesNotContain("simulated");
            }
            assertThat(fixture.exchange(fixture.modernCall("1", "echo", "{}")).status())
                    .isEqualTo(200);
        }
    }
}
