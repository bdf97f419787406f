package dev.patchbay.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/** The limits that hold unless a test sets others; those tests show that limits are kept. */
class HttpLimitsTest {
    @Test
    void defaultsMatchTheGuide() {
        HttpLimits usual = HttpLimits.DEFAULTS;
        assertThat(usual.counts().connectionsMax()).isEqualTo(4_096);
        assertThat(usual.counts().sessionsMax()).isEqualTo(2_048);
        assertThat(usual.times().header()).isEqualTo(Duration.ofSeconds(10));
        assertThat(usual.times().body()).isEqualTo(Duration.ofSeconds(60));
    }
}
