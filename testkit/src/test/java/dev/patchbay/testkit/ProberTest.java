package dev.patchbay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The scripted server is lenient where an endpoint must not be, which makes it a good victim. */
class ProberTest {
    private static final LineOracle ORACLE = LineOracle.legacy("2025-11-25");

    @TempDir Path dir;

    @Test
    void isContentWithRightAnswers() throws InterruptedException {
        try (var client = ServerScript.named("s", dir).launch().start()) {
            var prober = new Prober(client, ORACLE);
            assertThat(prober.probe(Text.bytes(Messages.request("1", "ping", "")))).isEmpty();
            assertThat(prober.probe(Text.bytes("{broken"))).isEmpty();
            assertThat(prober.probe(Text.bytes(Messages.notification("x", "")))).isEmpty();
            assertThat(HistoryChecker.check(client.history())).isEmpty();
        }
    }

    @Test
    void complainsAboutWrongAnswersAndKeepsTheLine() throws InterruptedException {
        try (var client = ServerScript.named("s", dir).launch().start()) {
            var prober = new Prober(client, ORACLE);
            byte[] fractional = Text.bytes(Messages.request("1.5", "ping", ""));
            byte[] positional = Text.bytes(Messages.request("2", "tools/list", "[]"));
            assertThat(prober.probe(fractional)).get().asString().contains("Expected id [null]");
            assertThat(prober.probe(positional)).get().asString().contains("\"params\":[]");
            assertThat(prober.fails(positional)).isTrue();
        }
    }

    @Test
    void noticesThatTheProcessIsGone() {
        try (var client = ServerScript.named("s", dir).at("tools/list=crash:1").launch().start()) {
            byte[] deadly = Text.bytes(Messages.request("1", "tools/list", ""));
            assertThat(new Prober(client, ORACLE).fails(deadly)).isTrue();
        }
    }
}
