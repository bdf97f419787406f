package dev.patchbay.conformance.repl;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.patchbay.testkit.JsonTree;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The REPL's processes: when they start, when they end, and that none is left behind. */
class ReplProcessTest {
    @TempDir private Path home;

    private static ProcessHandle sessionOf(Repl repl) throws InterruptedException {
        JsonTree result = repl.evaluate("ProcessHandle.current().pid()");
        String pid = result.at("structuredContent", "value").text();
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    private static void assertEnds(ProcessHandle process) throws Exception {
        process.onExit().get(Repl.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void answersWhatIsInFlightAtTheEndOfInputAndLeavesNothingBehind() throws Exception {
        try (var repl = Repl.open(home)) {
            ProcessHandle session = sessionOf(repl);
            String slow = "TimeUnit.MILLISECONDS.sleep(700); \"last\"";
            String id = repl.client.sendRequest("tools/call", Repl.params(slow, ""));
            repl.client.closeInput();
            JsonTree result = repl.client.awaitAnswer(id).at("result");
            assertThat(result.at("structuredContent", "value").text()).isEqualTo("\"last\"");
            assertThat(repl.client.exitCode(Duration.ofSeconds(20))).isZero();
            assertThat(repl.client.violations()).isEmpty();
            assertEnds(session);
        }
    }

    @Test
    void evaluationThatNeverEndsDoesNotHoldTheEnd() throws Exception {
        try (var repl = Repl.open(home)) {
            ProcessHandle session = sessionOf(repl);
            repl.client.sendRequest("tools/call", Repl.params("while (true);", ""));
            repl.client.closeInput();
            repl.client.exitCode(Duration.ofSeconds(30));
            assertEnds(session);
        }
    }

    @Test
    void sessionEndsWithAServerThatIsKilled() throws Exception {
        try (var repl = Repl.open(home)) {
            ProcessHandle session = sessionOf(repl);
            repl.client.sendRequest("tools/call", Repl.params("while (true);", ""));
            repl.client.kill();
            assertEnds(session);
        }
    }

    @Test
    void evaluatesOnACommandLineWithNothingConfigured() throws Exception {
        var launch = Repl.launch(home, "call", "java.evaluate", "code=IntStream.range(0,5).sum()");
        try (var client = launch.start()) {
            client.closeInput();
            assertThat(new String(client.next(Repl.PATIENCE), UTF_8)).isEqualTo("=> 10 : int");
            assertThat(client.exitCode(Duration.ofSeconds(20))).isZero();
        }
    }
}
