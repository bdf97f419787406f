package dev.patchbay.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.SchemaCheck;
import dev.patchbay.testkit.PackagedProgram;
import dev.patchbay.testkit.ProcessLaunch;
import dev.patchbay.testkit.RawStdioClient;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What the examples and the README say happens, happens. */
class ExamplesTest {
    private static final PackagedProgram PROGRAM = PackagedProgram.find().orElseThrow();
    private static final Path EXAMPLES = PROGRAM.root().resolve("examples");

    @TempDir private Path home;

    @Test
    void javaReplExampleMatchesItsReadme() throws Exception {
        Map<String, String> expected =
                Map.of(
                        "2", "defined method square(int)int",
                        "3", "=> 49 : int",
                        "4", "[ERROR] java.lang.ArithmeticException: / by zero",
                        "5", "square");
        try (RawStdioClient client = start(EXAMPLES.resolve("java-repl"), "stdio")) {
            for (String line : session()) {
                client.sendLine(line);
                String id = line.replaceAll(".*\"id\":([0-9]+).*", "$1");
                if (!id.equals(line)) {
                    assertThat(client.awaitResponse(id).toString())
                            .contains(expected.getOrDefault(id, "serverInfo"));
                }
            }
            assertThat(client.violations()).isEmpty();
        }
    }

    private static List<String> session() throws IOException {
        return Files.readAllLines(EXAMPLES.resolve("java-repl/session.jsonl"));
    }

    @Test
    void twoServersExampleHasDistinctNames() throws Exception {
        Path folder = EXAMPLES.resolve("two-servers");
        trust(folder);
        try (RawStdioClient client = start(folder, "stdio")) {
            client.initialize("2025-11-25");
            assertThat(client.request("tools/list", "{}").toString())
                    .contains("\"work.evaluate\"", "\"play.evaluate\"");
            assertThat(client.callTool("evaluate", "{\"code\":\"1\"}").toString())
                    .contains("AMBIGUOUS_TOOL", "play.evaluate", "work.evaluate");
            assertThat(client.callTool("work.evaluate", "{\"code\":\"6 * 7\"}").toString())
                    .contains("=> 42 : int");
            assertThat(client.callTool("work.evaluate", "{\"code\":\"int mine = 1;\"}").toString())
                    .contains("mine = 1");
            assertThat(client.callTool("play.evaluate", "{\"code\":\"mine\"}").toString())
                    .contains("cannot find symbol");
        }
    }

    @Test
    void firstCommandOfTheReadmePrintsItsResult() throws Exception {
        var command =
                PROGRAM.launcherCommand("call", "java.evaluate", "code=IntStream.range(0,5).sum()");
        Path out = home.resolve("out");
        Process process =
                new ProcessBuilder(command)
                        .directory(home.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        assertThat(process.waitFor(Duration.ofSeconds(90))).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(out).hasContent("=> 10 : int");
    }

    private void trust(Path folder) throws Exception {
        var builder =
                new ProcessBuilder(PROGRAM.launcherCommand("trust", "--yes"))
                        .directory(folder.toFile())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("HOME", home.toString());
        builder.environment().put("XDG_CONFIG_HOME", home.toString());
        Process process = builder.start();
        assertThat(process.waitFor(Duration.ofSeconds(90))).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    private RawStdioClient start(Path folder, String command) {
        return ProcessLaunch.of(PROGRAM.launcherCommand(command))
                .workingDirectory(folder)
                .env("HOME", home.toString())
                .env("XDG_CONFIG_HOME", home.toString())
                .deadline(Duration.ofSeconds(90))
                .checkedWith(SchemaCheck::ofClient)
                .start();
    }
}
