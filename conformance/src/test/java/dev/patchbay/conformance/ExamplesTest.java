package dev.patchbay.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.SchemaCheck;
import dev.patchbay.testkit.Launch;
import dev.patchbay.testkit.Program;
import dev.patchbay.testkit.RawClient;

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
    private static final Program PROGRAM = Program.find().orElseThrow();
    private static final Path EXAMPLES = PROGRAM.root().resolve("examples");

    @TempDir private Path home;

    @Test
    void javaReplAnswersAsItsReadmeSays() throws Exception {
        Map<String, String> expected =
                Map.of(
                        "2", "defined method square(int)int",
                        "3", "=> 49 : int",
                        "4", "[ERROR] java.lang.ArithmeticException: / by zero",
                        "5", "square");
        try (RawClient client = start(EXAMPLES.resolve("java-repl"), "stdio")) {
            for (String line : session()) {
                client.sendLine(line);
                String id = line.replaceAll(".*\"id\":([0-9]+).*", "$1");
                if (!id.equals(line)) {
                    assertThat(client.awaitAnswer(id).toString())
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
    void twoServersHaveNamesThatDoNotCollide() throws Exception {
        try (RawClient client = start(EXAMPLES.resolve("two-servers"), "stdio")) {
            client.initialize("2025-11-25");
            assertThat(client.request("tools/list", "{}").toString())
                    .contains("\"work.evaluate\"", "\"play.evaluate\"");
            assertThat(client.call("evaluate", "{\"code\":\"1\"}").toString())
                    .contains("AMBIGUOUS_TOOL", "play.evaluate", "work.evaluate");
            assertThat(client.call("work.evaluate", "{\"code\":\"6 * 7\"}").toString())
                    .contains("=> 42 : int");
            assertThat(client.call("work.evaluate", "{\"code\":\"int mine = 1;\"}").toString())
                    .contains("mine = 1");
            assertThat(client.call("play.evaluate", "{\"code\":\"mine\"}").toString())
                    .contains("cannot find symbol");
        }
    }

    @Test
    void firstCommandOfTheReadmePrintsItsResult() throws Exception {
        var command = PROGRAM.launcher("call", "java.evaluate", "code=IntStream.range(0,5).sum()");
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

    private RawClient start(Path folder, String command) {
        return Launch.of(PROGRAM.launcher(command))
                .in(folder)
                .env("HOME", home.toString())
                .env("XDG_CONFIG_HOME", home.toString())
                .deadline(Duration.ofSeconds(90))
                .checkedBy(SchemaCheck::ofClient)
                .start();
    }
}
