package dev.patchbay.config.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Environment;
import dev.patchbay.config.Environment.Platform;
import dev.patchbay.config.hosts.HostFile.Scope;
import dev.patchbay.config.read.ConfigReader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Where hosts keep their files. */
class HostFileLocatorTest {
    @ParameterizedTest
    @CsvSource({
        "claude-desktop,LINUX,USER,/home/kim/.config/Claude/claude_desktop_config.json",
        "claude-desktop,MACOS,USER,"
                + "/home/kim/Library/Application Support/Claude/claude_desktop_config.json",
        "claude-desktop,WINDOWS,USER,/roaming/Claude/claude_desktop_config.json",
        "claude-code,LINUX,USER,/home/kim/.claude.json",
        "claude-code,WINDOWS,USER,/home/kim/.claude.json",
        "claude-code,MACOS,PROJECT,/work/.mcp.json",
        "cursor,LINUX,USER,/home/kim/.cursor/mcp.json",
        "cursor,MACOS,PROJECT,/work/.cursor/mcp.json",
        "vscode,LINUX,USER,/home/kim/.config/Code/User/mcp.json",
        "vscode,MACOS,USER,/home/kim/Library/Application Support/Code/User/mcp.json",
        "vscode,WINDOWS,USER,/roaming/Code/User/mcp.json",
        "vscode,LINUX,PROJECT,/work/.vscode/mcp.json",
        "codex,LINUX,USER,/home/kim/.codex/config.toml",
        "codex,WINDOWS,PROJECT,/work/.codex/config.toml",
    })
    void findsFilesOfEachPlatform(String host, Platform platform, Scope scope, Path path) {
        var files = files(platform, Map.of("APPDATA", "/roaming"));
        assertThat(files.locate(McpHost.byCliName(host).orElseThrow(), scope).orElseThrow().path())
                .isEqualTo(path);
    }

    @Test
    void honoursEnvironmentVariablesOfHosts() {
        var files =
                files(
                        Platform.LINUX,
                        Map.of(
                                "XDG_CONFIG_HOME", "/xdg",
                                "CODEX_HOME", "/codex",
                                "CLAUDE_CONFIG_DIR", "/claude"));
        assertThat(files.locate(McpHost.CLAUDE_DESKTOP, Scope.USER).orElseThrow().path())
                .isEqualTo(Path.of("/xdg/Claude/claude_desktop_config.json"));
        assertThat(files.locate(McpHost.CODEX, Scope.USER).orElseThrow().path())
                .isEqualTo(Path.of("/codex/config.toml"));
        assertThat(files.locate(McpHost.CLAUDE_CODE, Scope.USER).orElseThrow().path())
                .isEqualTo(Path.of("/claude/.claude.json"));
    }

    /** With {@code --config}, or where they lie, the files of others are ours. */
    @Test
    void hostFilesAreValidConfigurations(@TempDir Path folder) throws IOException {
        var machine = new TestMachine(folder, Platform.LINUX, Map.of());
        var desktop =
                "{\"globalShortcut\": \"Ctrl+Space\", \"mcpServers\": {\"fs\": {\"command\":"
                        + " \"npx\", \"args\": [\"-y\", \"fs\"], \"env\": {\"A\": \"1\"}}}}";
        for (var text : List.of(desktop, machine.sample("claude-code-project.json"))) {
            var read = new ConfigReader(Map.of()).read(text);
            assertThat(read).isInstanceOf(ConfigReadResult.Valid.class);
            assertThat(((ConfigReadResult.Valid) read).configuration().servers()).isNotEmpty();
        }
    }

    @Test
    void everyHostHasCliName() {
        assertThat(Arrays.stream(McpHost.values()).map(McpHost::cliName))
                .containsExactly("claude-desktop", "claude-code", "cursor", "vscode", "codex");
        assertThat(McpHost.byCliName("emacs")).isEmpty();
    }

    private static HostFileLocator files(Platform platform, Map<String, String> environment) {
        return new HostFileLocator(
                new Environment(platform, Path.of("/home/kim"), Path.of("/work"), environment));
    }
}
