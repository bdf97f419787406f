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
import org.junit.jupiter.params.provider.FieldSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Where hosts keep their files. */
class HostFileLocatorTest {
    static final List<String> MORE_FILES =
            List.of(
                    "gemini-cli,LINUX,USER,/home/kim/.gemini/settings.json",
                    "gemini-cli,WINDOWS,PROJECT,/work/.gemini/settings.json",
                    "windsurf,MACOS,USER,/home/kim/.codeium/windsurf/mcp_config.json",
                    "zed,LINUX,USER,/home/kim/.config/zed/settings.json",
                    "zed,MACOS,USER,/home/kim/.config/zed/settings.json",
                    "zed,WINDOWS,USER,/roaming/Zed/settings.json",
                    "zed,LINUX,PROJECT,/work/.zed/settings.json",
                    "cline,LINUX,USER,/home/kim/.cline/data/settings/cline_mcp_settings.json",
                    "roo,LINUX,USER,/home/kim/.config/Code/User/globalStorage"
                            + "/rooveterinaryinc.roo-cline"
                            + "/settings/mcp_settings.json",
                    "roo,WINDOWS,PROJECT,/work/.roo/mcp.json",
                    "continue,WINDOWS,USER,/home/kim/.continue/config.yaml",
                    "continue,LINUX,PROJECT,/work/.continue/mcpServers/patchbay.yaml",
                    "lm-studio,MACOS,USER,/home/kim/.lmstudio/mcp.json",
                    "goose,LINUX,USER,/home/kim/.config/goose/config.yaml",
                    "goose,MACOS,USER,/home/kim/.config/goose/config.yaml",
                    "goose,WINDOWS,USER,/roaming/Block/goose/config/config.yaml",
                    "opencode,WINDOWS,USER,/home/kim/.config/opencode/opencode.json",
                    "opencode,LINUX,PROJECT,/work/opencode.json",
                    "copilot-cli,MACOS,USER,/home/kim/.copilot/mcp-config.json",
                    "copilot-cli,LINUX,PROJECT,/work/.github/mcp.json",
                    "jetbrains,WINDOWS,USER,/home/kim/.junie/mcp/mcp.json",
                    "jetbrains,LINUX,PROJECT,/work/.junie/mcp/mcp.json",
                    "amp,MACOS,USER,/home/kim/.config/amp/settings.json",
                    "amp,WINDOWS,USER,/roaming/amp/settings.json",
                    "amp,LINUX,PROJECT,/work/.amp/settings.json",
                    "warp,LINUX,USER,/home/kim/.warp/.mcp.json",
                    "warp,LINUX,PROJECT,/work/.warp/.mcp.json",
                    "kiro,LINUX,USER,/home/kim/.kiro/settings/mcp.json",
                    "kiro,MACOS,PROJECT,/work/.kiro/settings/mcp.json");

    @ParameterizedTest
    @FieldSource("MORE_FILES")
    void findsFilesOfMoreHosts(String row) {
        var words = row.split(",", -1);
        findsFilesOfEachPlatform(
                words[0], Platform.valueOf(words[1]), Scope.valueOf(words[2]), Path.of(words[3]));
    }

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

    /** Some programs have two places, and only one of them is in use. */
    @Test
    void prefersTheFileThatExists(@TempDir Path folder) throws IOException {
        var machine = new TestMachine(folder, Platform.LINUX, Map.of());
        for (var host : List.of(McpHost.OPENCODE, McpHost.AMP, McpHost.CLINE, McpHost.LM_STUDIO)) {
            var files =
                    new HostFileLocator(machine.userEnvironment)
                            .locate(host).stream()
                                    .filter(it -> it.scope() == Scope.USER)
                                    .map(HostFile::path)
                                    .toList();
            assertThat(files).hasSize(2);
            Files.createDirectories(files.getLast().getParent());
            Files.writeString(files.getLast(), "{}");
            assertThat(machine.hostFile(host, Scope.USER)).isEqualTo(files.getLast());
            Files.createDirectories(files.getFirst().getParent());
            Files.writeString(files.getFirst(), "{}");
            assertThat(machine.hostFile(host, Scope.USER)).isEqualTo(files.getFirst());
        }
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
                .startsWith("claude-desktop", "claude-code", "cursor", "vscode", "codex")
                .contains("gemini-cli", "lm-studio", "copilot-cli", "opencode")
                .hasSize(19);
        assertThat(McpHost.byCliName("emacs")).isEmpty();
    }

    private static HostFileLocator files(Platform platform, Map<String, String> environment) {
        return new HostFileLocator(
                new Environment(platform, Path.of("/home/kim"), Path.of("/work"), environment));
    }
}
