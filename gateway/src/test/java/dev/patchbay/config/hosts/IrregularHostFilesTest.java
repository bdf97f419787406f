package dev.patchbay.config.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.config.Environment.Platform;
import dev.patchbay.config.Finding;
import dev.patchbay.config.hosts.HostFile.Scope;
import dev.patchbay.config.hosts.InstallPlan.Action;
import dev.patchbay.config.hosts.InstallPlan.Change;
import dev.patchbay.config.hosts.Installer.LaunchCommand;
import dev.patchbay.config.syntax.SyntaxNodeJson;
import dev.patchbay.json.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The files of hosts as they really are: full of other things, edited by hand and by hosts. */
class IrregularHostFilesTest {
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-11-16T01:52:03Z"));
    private static final LaunchCommand PROGRAM =
            new LaunchCommand(Path.of("/opt/patchbay/patchbay"), null);

    private static final Set<Scope> ALL_SCOPES = EnumSet.allOf(Scope.class);
    private static final String BOM = "\uFEFF";

    private static final String CODEX =
            """
            model = "o5"
            notify = ["python3", "/home/kim/n.py"]

            [mcp_servers."my.server"]
            command = "node"
            args = [
              "a.js", # a comment with ]
              'b',
            ]

            [mcp_servers."my.server".env]
            "API_TOKEN" = "sk-verysecret123"
            text = \"""
            [mcp_servers.patchbay]
            \"""

            [[hooks.rules]]
            name = "x"
            [[hooks.rules]]
            name = "y"

            [projects."/home/kim/[x]"]
            trust_level = "trusted"
            [mcp_servers.plain]
            url = "https://x.example/mcp"
            """;

    private static final String STATE =
            """
            {"numStartups": 41, "tipsHistory": {"a": 1e3, "big": 12345678901234567890},
             "projects": {"/home/kim/a": {"mcpServers": {"patchbay": {"command": "mine"}},
               "history": [{"display": "say \\"mcpServers\\": {}"}]}},
             "mcpServers": {"pg": {"type": "stdio", "command": "uvx",
               "args": ["pg", "postgresql://u:hunter2@h/db"], "env": {"PGPASSWORD": "hunter2"}}}}\
            """;

    private static final String EDITOR =
            """
            {
            \t// my servers
            \t"inputs": [ {"type": "promptString", "id": "gh", "password": true}, ],
            \t"servers": {
            \t\t"gh": { "url": "https://api.x/mcp", "headers": {"A": "${input:gh}"} }, /* c */
            \t\t"fs": { "command": "npx", "args": ["x"], }, // last
            \t},
            }
            """;

    @TempDir Path folder;

    /** A host and a file of it that is hard to edit. */
    enum IrregularFile {
        CODEX_TABLES(McpHost.CODEX, CODEX),
        CODEX_WINDOWS(McpHost.CODEX, CODEX.replace("\n", "\r\n")),
        CODEX_WITHOUT_END(McpHost.CODEX, CODEX.stripTrailing()),
        CODEX_EMPTY_LINES(McpHost.CODEX, CODEX + "\n\n\n# the end"),
        CODE_STATE(McpHost.CLAUDE_CODE, STATE),
        EDITOR_COMMENTS(McpHost.VSCODE, EDITOR),
        EDITOR_WINDOWS(McpHost.VSCODE, EDITOR.replace("\n", "\r\n")),
        DESKTOP_BOM(McpHost.CLAUDE_DESKTOP, BOM + "{\r\n  \"mcpServers\": {}\r\n}"),
        DESKTOP_ONE_LINE(McpHost.CLAUDE_DESKTOP, "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}"),
        CURSOR_NO_LIST(McpHost.CURSOR, "{\n    \"other\": true\n}\n"),
        CURSOR_BRACES(McpHost.CURSOR, "{}");

        private final McpHost host;
        private final String text;

        IrregularFile(McpHost host, String text) {
            this.host = host;
            this.text = text;
        }
    }

    @ParameterizedTest
    @EnumSource
    void uninstallRestoresEveryByte(IrregularFile messy) throws IOException {
        for (Platform platform : Platform.values()) {
            var machine = new TestMachine(folder, platform, Map.of());
            Path file = write(machine, messy.host, messy.text);

            install(machine, messy.host);
            assertThat(Files.readString(file)).contains("/opt/patchbay/patchbay");
            assertThat(uninstall(machine, messy.host)).isEqualTo(Action.RESTORE);

            assertThat(Files.readString(file)).isEqualTo(messy.text);
            assertThat(file.getParent()).isDirectoryNotContaining("glob:**patchbay-*");
        }
    }

    /** What the host wrote in between stays, and nothing of ours does. */
    @ParameterizedTest
    @EnumSource
    void keepsEditsMadeByHostAfterInstall(IrregularFile messy) throws IOException {
        var machine = machine();
        Path file = write(machine, messy.host, messy.text);
        install(machine, messy.host);
        Files.writeString(file, withHostEdit(messy, Files.readString(file)));

        assertThat(uninstall(machine, messy.host)).isEqualTo(Action.CUT);

        String after = Files.readString(file);
        assertThat(after).doesNotContain("/opt/patchbay/patchbay");
        assertThat(parseValues(machine, messy, after))
                .isEqualTo(parseValues(machine, messy, withHostEdit(messy, withServerList(messy))));
    }

    /** The text after the host has written something of its own into it. */
    private static String withHostEdit(IrregularFile messy, String text) {
        return messy.host == McpHost.CODEX
                ? text + "\n[tui]\ntheme = \"dark\"\n"
                : text.replaceFirst("\\{", "{\"written\": \"meanwhile\", ");
    }

    /** A list that was made for our entry may stay, empty. */
    private static String withServerList(IrregularFile messy) {
        return messy.host == McpHost.CURSOR
                ? messy.text
                        .replaceFirst("\\s*}\\s*$", "%s\"mcpServers\": {}}")
                        .formatted(messy.text.contains(":") ? "," : "")
                : messy.text;
    }

    private static Json parseValues(TestMachine machine, IrregularFile messy, String text) {
        var file =
                new HostFileLocator(machine.userEnvironment)
                        .locate(messy.host, Scope.USER)
                        .orElseThrow();
        var faults = new ArrayList<Finding>();
        var root = HostFileText.parse(file, text, faults);
        assertThat(faults).as(text).isEmpty();
        return SyntaxNodeJson.toJson(Objects.requireNonNull(root));
    }

    @Test
    void followsSymbolicLinkAndKeepsIt() throws IOException {
        var machine = machine();
        Path real = Files.createDirectories(machine.home.resolve("dots")).resolve("m.json");
        Files.writeString(real, "{\"mcpServers\": {}}\n");
        Path link = machine.hostFile(McpHost.CURSOR, Scope.USER);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, Path.of("..", "dots", "m.json"));

        Path backup = install(machine, McpHost.CURSOR);

        assertThat(backup).hasParent(real.toRealPath().getParent());
        assertThat(link).isSymbolicLink();
        assertThat(real).content().contains("patchbay");
        uninstall(machine, McpHost.CURSOR);
        assertThat(link).isSymbolicLink();
        assertThat(real).hasContent("{\"mcpServers\": {}}");
    }

    @Test
    void keepsPermissionsAndMakesBackupOwnerOnly() throws IOException {
        var machine = machine();
        Path file = write(machine, McpHost.CLAUDE_CODE, STATE);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        Path backup = install(machine, McpHost.CLAUDE_CODE);

        assertThat(permissions(file)).isEqualTo("rw-r-----");
        assertThat(permissions(backup)).isEqualTo("rw-------");
        uninstall(machine, McpHost.CLAUDE_CODE);
        assertThat(permissions(file)).isEqualTo("rw-r-----");
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void namesFileThatCannotBeRead() throws IOException {
        var machine = machine();
        Path file = machine.hostFile(McpHost.CURSOR, Scope.USER);
        Files.createDirectories(file);
        assertRefused(machine, file, "directory");
        Files.delete(file);
        Files.write(file, "{\"a\": \"\u00ff\"}".getBytes(StandardCharsets.ISO_8859_1));
        assertRefused(machine, file, "UTF-8");
        Files.delete(file);
        Files.delete(file.getParent());
        Files.createFile(file.getParent());
        assertRefused(machine, file, "directory");
    }

    private static void assertRefused(TestMachine machine, Path file, String why) {
        assertThatThrownBy(
                        () -> installer(machine).planInstall(McpHost.CURSOR, Scope.USER, PROGRAM))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(why);
    }

    @Test
    void reportsServerListOfWrongType() throws IOException {
        var machine = machine();
        write(machine, McpHost.CURSOR, "{\"mcpServers\": [1]}");
        var plan =
                new Importer(machine.userEnvironment)
                        .plan(
                                McpHost.CURSOR,
                                ALL_SCOPES,
                                machine.workingDirectory.resolve("patchbay.json"));
        assertThat(plan.sources().getLast().errors())
                .extracting(Finding::problem)
                .containsExactly("Must be an object");
    }

    @Test
    void importPlanContainsNoSecret() throws IOException {
        var machine = machine();
        write(machine, McpHost.CODEX, CODEX);
        write(machine, McpHost.CLAUDE_CODE, STATE);
        write(machine, McpHost.VSCODE, EDITOR);
        for (McpHost host : List.of(McpHost.CODEX, McpHost.CLAUDE_CODE, McpHost.VSCODE)) {
            var plan =
                    new Importer(machine.userEnvironment)
                            .plan(
                                    host,
                                    ALL_SCOPES,
                                    machine.workingDirectory.resolve("patchbay.json"));
            assertThat(plan.rows()).isNotEmpty();
            assertThat(plan.rows().toString())
                    .doesNotContain("hunter2")
                    .doesNotContain("verysecret");
        }
    }

    private TestMachine machine() throws IOException {
        return new TestMachine(folder, Platform.LINUX, Map.of());
    }

    private static Path write(TestMachine machine, McpHost host, String text) throws IOException {
        Path file = machine.hostFile(host, Scope.USER);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static Installer installer(TestMachine machine) {
        return new Installer(machine.userEnvironment, CLOCK);
    }

    private static Path install(TestMachine machine, McpHost host) throws IOException {
        var plan = installer(machine).planInstall(host, Scope.USER, PROGRAM);
        assertThat(plan).isInstanceOf(Change.class);
        return installer(machine).apply((Change) plan);
    }

    private static Action uninstall(TestMachine machine, McpHost host) throws IOException {
        var plan = installer(machine).planUninstall(host, Scope.USER);
        assertThat(plan).isInstanceOf(Change.class);
        installer(machine).apply((Change) plan);
        return ((Change) plan).action();
    }
}
