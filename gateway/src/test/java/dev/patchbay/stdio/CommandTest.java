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

class CommandTest {
    @TempDir Path folder;

    @Test
    void findsAProgramByItsNameInPath() throws Exception {
        Path program = program(folder, "tool");
        String path = "/nowhere:" + folder;
        assertThat(command("tool").program(path)).isEqualTo(program);
    }

    @Test
    void looksInNoFolderOfPathThatIsNotAbsolute() throws Exception {
        Path here = Path.of("").toAbsolutePath();
        Path relative = here.relativize(folder.toRealPath());
        program(folder, "tool");
        for (String path : List.of(relative.toString(), ".", "", ":")) {
            assertThatThrownBy(() -> command("tool").program(path))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("\"tool\" in PATH");
        }
    }

    @Test
    void takesAPathFromTheFolderItRunsIn() throws Exception {
        Path program = program(Files.createDirectory(folder.resolve("bin")), "tool");
        var command = new Command("./bin/tool", List.of(), Map.of(), folder);
        assertThat(command.program(null)).isEqualTo(program);
    }

    @Test
    void saysThatAProgramIsNotExecutable() throws Exception {
        Path file = Files.createFile(folder.resolve("tool"));
        assertThatThrownBy(() -> command(file.toString()).program(null))
                .hasMessage(file + " is not executable");
    }

    @Test
    void saysThatAFolderIsNotThere() {
        var command = new Command("sh", List.of(), Map.of(), folder.resolve("gone"));
        assertThatThrownBy(command::checkedFolder).hasMessageContaining("gone");
    }

    @Test
    void showsNoControlCharactersOfANameThatIsNotFound() {
        assertThatThrownBy(() -> command("a\u001b[31m\nb").program("/usr/bin"))
                .hasMessageContaining("a\\u{1b}[31m\\nb");
    }

    @Test
    void passesOnOnlyWhatEveryProgramMaySee() {
        var command = new Command("sh", List.of(), Map.of("KEY", "k", "LANG", "C"), null);
        var ours =
                Map.of(
                        "PATH", "/bin",
                        "LC_ALL", "en",
                        "LANG", "de",
                        "SECRET", "s",
                        "LCX", "x",
                        "JAVA_TOOL_OPTIONS", "-Dx");
        assertThat(command.environment(ours))
                .containsOnly(
                        Map.entry("PATH", "/bin"),
                        Map.entry("LC_ALL", "en"),
                        Map.entry("LANG", "C"),
                        Map.entry("KEY", "k"));
    }

    @Test
    void refusesToPassOnQuestionMarksForLetters() throws Exception {
        var command = new Command("sh", List.of("caf\u00e9"), Map.of(), null);
        command.requireExpressible(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> command.requireExpressible(StandardCharsets.US_ASCII))
                .hasMessageContaining("LC_ALL");
    }

    private static Command command(String name) {
        return new Command(name, List.of(), Map.of(), null);
    }

    private static Path program(Path folder, String name) throws IOException {
        Path file = Files.createFile(folder.resolve(name));
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }
}
