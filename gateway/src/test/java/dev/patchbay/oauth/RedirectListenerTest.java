package dev.patchbay.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

class RedirectListenerTest {
    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void readsFirstLineOfCompleteHead() throws IOException {
        assertThat(RedirectListener.readRequestLine(bytes("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")))
                .isEqualTo("GET /a HTTP/1.1");
        assertThatThrownBy(() -> RedirectListener.readRequestLine(bytes("GET /a HTTP/1.1\r\n")))
                .isInstanceOf(IOException.class);
    }

    /** The time grows with the size of a head, not with its square. */
    @Test
    void longHeadIsReadInLinearTime() {
        String head = "GET /" + "a".repeat(40_000);
        var watch = Stopwatch.start();
        for (int i = 0; i < 50; i++) {
            assertThatThrownBy(() -> RedirectListener.readRequestLine(bytes(head)))
                    .isInstanceOf(IOException.class);
        }
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(5));
    }
}
