package dev.patchbay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The scripted server is lenient where an endpoint must not be, which makes it a good victim. */
class LineProberTest {
    private static final LineOracle ORACLE = LineOracle.legacy("2025-11-25");

    @TempDir Path dir;

    @Test
    void acceptsCorrectResponses() throws InterruptedException {
        try (var client = ServerScript.named("s", dir).launch().start()) {
            var prober = new LineProber(client, ORACLE);
            assertThat(prober.probe(Utf8Text.encode(ClientMessages.request("1", "ping", ""))))
                    .isEmpty();
            assertThat(prober.probe(Utf8Text.encode("{broken"))).isEmpty();
            assertThat(prober.probe(Utf8Text.encode(ClientMessages.notification("x", ""))))
                    .isEmpty();
            assertThat(HistoryChecker.check(client.history())).isEmpty();
        }
    }

    @Test
    void reportsWrongResponsesWithTheLine() throws InterruptedException {
        try (var client = ServerScript.named("s", dir).launch().start()) {
            var prober = new LineProber(client, ORACLE);
            byte[] fractional = Utf8Text.encode(ClientMessages.request("1.5", "ping", ""));
            byte[] positional = Utf8Text.encode(ClientMessages.request("2", "tools/list", "[]"));
            assertThat(prober.probe(fractional)).get().asString().contains("Expected id [null]");
            assertThat(prober.probe(positional)).get().asString().contains("\"params\":[]");
            assertThat(prober.fails(positional)).isTrue();
        }
    }

    @Test
    void reportsThatTheProcessEnded() {
        try (var client = ServerScript.named("s", dir).at("tools/list=crash:1").launch().start()) {
            byte[] deadly = Utf8Text.encode(ClientMessages.request("1", "tools/list", ""));
            assertThat(new LineProber(client, ORACLE).fails(deadly)).isTrue();
        }
    }
}
