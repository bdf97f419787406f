package dev.patchbay.app.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.Environment;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

class GatewayIdentityTest {
    @TempDir Path folder;
    private Path file;

    @BeforeEach
    void writeFile() throws IOException {
        file =
                Files.writeString(
                        folder.resolve("a.json"),
                        "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"args\":[\"${TOKEN}\"]}}}");
    }

    private GatewayIdentity of(Path directory, @Nullable Path chosen, String... variables) {
        var all = new HashMap<>(Map.of("PATH", "/bin"));
        for (int i = 0; i < variables.length; i += 2) {
            all.put(variables[i], variables[i + 1]);
        }
        var environment =
                new Environment(Environment.Platform.LINUX, folder.resolve("home"), directory, all);
        return GatewayIdentity.of(environment, file, chosen);
    }

    @Test
    void isSharedFromDifferentDirectories() {
        assertThat(of(folder, file).fits(of(folder.resolve("b"), file))).isTrue();
    }

    @Test
    void differsIfTheFileHasRelativePaths() throws IOException {
        Files.writeString(file, "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"args\":[\".\"]}}}");
        assertThat(of(folder, file).fits(of(folder.resolve("b"), file))).isFalse();
    }

    @Test
    void ignoresVariablesThatMatterToNobody() {
        assertThat(of(folder, file, "TERM", "x").fits(of(folder, file, "TERM", "y"))).isTrue();
    }

    @Test
    void differsByVariablesOfTheFile() {
        assertThat(of(folder, file, "TOKEN", "x").fits(of(folder, file, "TOKEN", "y"))).isFalse();
        assertThat(of(folder, file, "PATH", "x").fits(of(folder, file, "PATH", "y"))).isFalse();
    }

    @Test
    void differsByVariablesThatTheFileUsesOnlyNow() throws IOException {
        GatewayIdentity first = of(folder, file, "NEW", "x");
        Files.writeString(file, "{\"mcpServers\":{\"a\":{\"command\":\"${env:NEW:-n}\"}}}");
        assertThat(first.fits(of(folder, file, "NEW", "y"))).isFalse();
        assertThat(first.fits(of(folder, file, "NEW", "x"))).isTrue();
    }

    @Test
    void keepsTheProjectsFileApartFromTheSameFileByChoice() {
        assertThat(of(folder, null).fits(of(folder, file))).isFalse();
    }

    @Test
    void answersACommandWithAnotherPath() {
        GatewayIdentity host = of(folder, file, "TOKEN", "x");
        assertThat(host.answers(of(folder, file, "TOKEN", "x", "PATH", "y"))).isTrue();
        assertThat(host.answers(of(folder, file, "PATH", "y"))).isTrue();
    }

    @Test
    void doesNotAnswerACommandThatHasItsOwnValueOrFolders() {
        GatewayIdentity host = of(folder, file, "TOKEN", "x");
        assertThat(host.answers(of(folder, file, "TOKEN", "y"))).isFalse();
        assertThat(host.answers(of(folder, file, "XDG_STATE_HOME", "/s"))).isFalse();
        assertThat(host.answers(of(folder, null))).isFalse();
    }

    @Test
    void findsVariablesOfText() {
        assertThat(GatewayIdentity.variablesIn("${A} ${B:-x} ${env:C} ${secret:D} $E ${"))
                .contains("A", "B", "C")
                .doesNotContain("E");
    }
}
