package dev.patchbay.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Program;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The gateway as a library: what the guide shows is a program that runs. */
class EmbeddingExampleTest {
    private static final Program PROGRAM = Program.find().orElseThrow();
    private static final Path EXAMPLE = PROGRAM.root().resolve("examples/embedding/Embedding.java");

    @TempDir private Path home;

    @Test
    void theExampleOfTheGuideIsTheOneThatRuns() throws Exception {
        assertThat(Files.readString(PROGRAM.root().resolve("docs/embedding.md")))
                .contains("```java\n" + Files.readString(EXAMPLE) + "```\n");
    }

    @Test
    void theExampleRunsAgainstThePackagedJar() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command =
                new ArrayList<>(List.of(java, "-cp", PROGRAM.jar().toString(), EXAMPLE.toString()));
        command.addAll(PROGRAM.launcher("repl"));
        Path out = home.resolve("out");
        var builder = new ProcessBuilder(command).directory(home.toFile());
        builder.environment().put("HOME", home.toString());
        Process process =
                builder.redirectOutput(out.toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(Files.readString(out))
                .containsSubsequence(
                        "repl: disconnected to connecting",
                        "repl: connecting to connected",
                        "discovered repl: success",
                        "evaluate is repl.evaluate",
                        "=> 42 : int",
                        "not sent: The arguments of repl.evaluate do not fit its schema",
                        "offers repl.evaluate\nrepl: connected to disabled",
                        "repl is disabled",
                        "unregistered: true");
    }
}
