package dev.patchbay.conformance.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.SchemaCheck;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.PackagedProgram;
import dev.patchbay.testkit.ProcessLaunch;
import dev.patchbay.testkit.RawStdioClient;
import dev.patchbay.testkit.StrictJson;

import java.nio.file.Path;
import java.time.Duration;

/** A client of a running {@code patchbay repl}. */
final class ReplTestClient implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    final RawStdioClient client;

    private ReplTestClient(RawStdioClient client) {
        this.client = client;
    }

    static ReplTestClient open(Path home) throws InterruptedException {
        return open(home, TIMEOUT);
    }

    static ReplTestClient open(Path home, Duration patience) throws InterruptedException {
        ProcessLaunch launch = launchOptions(home, "repl").deadline(patience);
        var repl = new ReplTestClient(launch.checkedWith(SchemaCheck::ofClient).start());
        repl.client.initialize("2025-11-25");
        return repl;
    }

    /** How the program is started with nothing of the user's around it. */
    static ProcessLaunch launchOptions(Path home, String... arguments) {
        PackagedProgram program =
                PackagedProgram.find()
                        .orElseThrow(() -> new AssertionError(PackagedProgram.MISSING));
        return ProcessLaunch.of(program.launcherCommand(arguments))
                .workingDirectory(home)
                .deadline(TIMEOUT)
                .env("PATCHBAY_JAVA_HOME", System.getProperty("java.home"))
                .env("HOME", home.toString())
                .env("XDG_CONFIG_HOME", home.toString())
                .env("XDG_STATE_HOME", home.toString())
                .env("XDG_CACHE_HOME", home.toString());
    }

    static String evaluateParams(String code, String rest) {
        String arguments = "{\"code\":" + StrictJson.quote(code) + rest + "}";
        return ClientMessages.callParams("evaluate", arguments);
    }

    /** Evaluates code; the result of the call. */
    JsonTree evaluate(String code) throws InterruptedException {
        return client.request("tools/call", evaluateParams(code, "")).at("result");
    }

    JsonTree evaluate(String code, int timeoutMs) throws InterruptedException {
        String rest = ",\"timeoutMs\":" + timeoutMs;
        return client.request("tools/call", evaluateParams(code, rest)).at("result");
    }

    static String text(JsonTree result) {
        return result.at("content", 0, "text").asText();
    }

    static boolean isError(JsonTree result) {
        return result.at("isError") == JsonTree.Literal.TRUE;
    }

    /** Nothing but correct messages came out so far, and nobody's answer lies around. */
    void assertOutputCorrect() {
        assertThat(client.violations()).isEmpty();
        assertThat(client.isAlive()).isTrue();
    }

    @Override
    public void close() {
        client.close();
        assertThat(client.violations()).isEmpty();
    }
}
