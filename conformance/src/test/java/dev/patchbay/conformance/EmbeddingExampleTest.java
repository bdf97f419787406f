package dev.patchbay.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestHost;
import dev.patchbay.testkit.PackagedProgram;
import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The gateway as a library: what the guide shows is a program that runs. */
class EmbeddingExampleTest {
    private static final PackagedProgram PROGRAM = PackagedProgram.find().orElseThrow();
    private static final Path EXAMPLE = PROGRAM.root().resolve("examples/embedding/Embedding.java");

    /** A program that starts a server and does not end. */
    private static final String ENDLESS_PROGRAM =
            """
            import dev.patchbay.embedding.EmbeddedGateway;
            import dev.patchbay.gateway.*;
            import dev.patchbay.server.*;

            void main(String[] words) throws Exception {
                var args = List.of(words).subList(1, words.length);
                var transport = new ServerSpec.Transport.Stdio(words[0], args, Map.of(), null);
                var options = ServerSpec.Options.DEFAULTS;
                var gateway = EmbeddedGateway.open(GatewaySettings.DEFAULTS).gateway();
                gateway.register(new ServerSpec(new ServerId("s"), transport, options));
                gateway.discover(DiscoveryRequest.ALL);
                IO.println("started");
                new java.util.concurrent.CountDownLatch(1).await();
            }
            """;

    @TempDir private Path home;

    @Test
    void killedProgramLeavesNoServerBehind() throws Exception {
        ServerScript script = ServerScript.named("s", home).withOption("ignore-eof");
        Path source = Files.writeString(home.resolve("Endless.java"), ENDLESS_PROGRAM);
        Process process = java(source, script.command()).start();
        try (var said = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(said.readLine()).isEqualTo("started");
            long server = script.recording().pids().getFirst();
            assertThat(ProcessInspector.isAlive(server)).isTrue();
            process.destroyForcibly();
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> !ProcessInspector.isAlive(server)))
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    /** A source file run on the packaged jar alone. */
    private ProcessBuilder java(Path source, List<String> words) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command =
                new ArrayList<>(List.of(java, "-cp", PROGRAM.jar().toString(), source.toString()));
        command.addAll(words);
        var builder = new ProcessBuilder(command).directory(home.toFile());
        builder.environment().put("HOME", home.toString());
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    @Test
    void guideShowsTheExampleThatRuns() throws Exception {
        assertThat(Files.readString(PROGRAM.root().resolve("docs/embedding.md")))
                .contains("```java\n" + Files.readString(EXAMPLE) + "```\n");
    }

    @Test
    void exampleRunsAgainstThePackagedJar() throws Exception {
        Path out = home.resolve("out");
        Process process =
                java(EXAMPLE, PROGRAM.launcherCommand("repl")).redirectOutput(out.toFile()).start();
        assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(Files.readString(out))
                .containsSubsequence(
                        "repl: disconnected to connecting",
                        "repl: connecting to connected",
                        "discovered repl: success",
                        "evaluate is repl.evaluate",
                        "=> 42 : int",
                        "not sent: Invalid arguments for repl.evaluate",
                        "offers repl.evaluate\nrepl: connected to disabled",
                        "repl is disabled",
                        "unregistered: true");
    }
}
