package dev.patchbay.conformance.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.SchemaCheck;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Launch;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.Program;
import dev.patchbay.testkit.RawClient;
import dev.patchbay.testkit.StrictJson;

import java.nio.file.Path;
import java.time.Duration;

/** A client of a running {@code patchbay repl}. */
final class Repl implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    final RawClient client;

    private Repl(RawClient client) {
        this.client = client;
    }

    static Repl open(Path home) throws InterruptedException {
        return open(home, PATIENCE);
    }

    static Repl open(Path home, Duration patience) throws InterruptedException {
        Launch launch = launch(home, "repl").deadline(patience);
        var repl = new Repl(launch.checkedBy(SchemaCheck::ofClient).start());
        repl.client.initialize("2025-11-25");
        return repl;
    }

    /** How the program is started with nothing of the user's around it. */
    static Launch launch(Path home, String... arguments) {
        Program program = Program.find().orElseThrow(() -> new AssertionError(Program.MISSING));
        return Launch.of(program.launcher(arguments))
                .in(home)
                .deadline(PATIENCE)
                .env("PATCHBAY_JAVA_HOME", System.getProperty("java.home"))
                .env("HOME", home.toString())
                .env("XDG_CONFIG_HOME", home.toString())
                .env("XDG_STATE_HOME", home.toString())
                .env("XDG_CACHE_HOME", home.toString());
    }

    static String params(String code, String rest) {
        String arguments = "{\"code\":" + StrictJson.quote(code) + rest + "}";
        return Messages.callParams("evaluate", arguments);
    }

    /** Evaluates code; the result of the call. */
    JsonTree evaluate(String code) throws InterruptedException {
        return client.request("tools/call", params(code, "")).at("result");
    }

    JsonTree evaluate(String code, int timeoutMs) throws InterruptedException {
        String rest = ",\"timeoutMs\":" + timeoutMs;
        return client.request("tools/call", params(code, rest)).at("result");
    }

    static String text(JsonTree result) {
        return result.at("content", 0, "text").text();
    }

    static boolean isError(JsonTree result) {
        return result.at("isError") == JsonTree.Literal.TRUE;
    }

    /** Nothing but correct messages came out so far, and nobody's answer lies around. */
    void assertClean() {
        assertThat(client.violations()).isEmpty();
        assertThat(client.alive()).isTrue();
    }

    @Override
    public void close() {
        client.close();
        assertThat(client.violations()).isEmpty();
    }
}
