package dev.patchbay.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

class ProcessCommandTest {
    @TempDir Path folder;

    @Test
    void findsProgramInPath() throws Exception {
        Path program = program(folder, "tool");
        String path = "/nowhere:" + folder;
        assertThat(command("tool").findProgram(path)).isEqualTo(program);
    }

    @Test
    void ignoresRelativeFoldersInPath() throws Exception {
        Path here = Path.of("").toAbsolutePath();
        Path relative = here.relativize(folder.toRealPath());
        program(folder, "tool");
        for (String path : List.of(relative.toString(), ".", "", ":")) {
            assertThatThrownBy(() -> command("tool").findProgram(path))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("command not found: tool (PATH is");
        }
    }

    @Test
    void resolvesRelativePathAgainstTheWorkingFolder() throws Exception {
        Path program = program(Files.createDirectory(folder.resolve("bin")), "tool");
        var command = new ProcessCommand("./bin/tool", List.of(), Map.of(), folder);
        assertThat(command.findProgram(null)).isEqualTo(program);
    }

    @Test
    void reportsProgramThatIsNotExecutable() throws Exception {
        Path file = Files.createFile(folder.resolve("tool"));
        assertThatThrownBy(() -> command(file.toString()).findProgram(null))
                .hasMessage(file + " is not executable");
    }

    @Test
    void reportsMissingFolder() {
        var command = new ProcessCommand("sh", List.of(), Map.of(), folder.resolve("gone"));
        assertThatThrownBy(command::requireFolder).hasMessageContaining("gone");
    }

    @Test
    void escapesControlCharactersInErrorMessages() {
        assertThatThrownBy(() -> command("a\u001b[31m\nb").findProgram("/usr/bin"))
                .hasMessageContaining("a\\u001b[31m\\nb");
    }

    @Test
    void inheritsOnlyHarmlessVariables() {
        var command = new ProcessCommand("sh", List.of(), Map.of("KEY", "k", "LANG", "C"), null);
        var ours =
                Map.of(
                        "PATH", "/bin",
                        "LC_ALL", "en",
                        "LANG", "de",
                        "SECRET", "s",
                        "LCX", "x",
                        "JAVA_TOOL_OPTIONS", "-Dx");
        assertThat(command.fullEnvironment(ours))
                .containsOnly(
                        Map.entry("PATH", "/bin"),
                        Map.entry("LC_ALL", "en"),
                        Map.entry("LANG", "C"),
                        Map.entry("KEY", "k"));
    }

    @Test
    void rejectsArgumentsTheLocaleCannotEncode() throws Exception {
        var command = new ProcessCommand("sh", List.of("caf\u00e9"), Map.of(), null);
        command.requireEncodable(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> command.requireEncodable(StandardCharsets.US_ASCII))
                .hasMessageContaining("LC_ALL");
    }

    private static ProcessCommand command(String name) {
        return new ProcessCommand(name, List.of(), Map.of(), null);
    }

    private static Path program(Path folder, String name) throws IOException {
        Path file = Files.createFile(folder.resolve(name));
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }
}
