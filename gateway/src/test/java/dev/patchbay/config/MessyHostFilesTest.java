package dev.patchbay.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.config.HostFile.Scope;
import dev.patchbay.config.HostPlan.Action;
import dev.patchbay.config.HostPlan.Change;
import dev.patchbay.config.Installer.Program;
import dev.patchbay.config.Surroundings.Platform;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The files of hosts as they really are: full of other things, edited by hand and by hosts. */
class MessyHostFilesTest {
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-11-16T01:52:03Z"));
    private static final Program PROGRAM = new Program(Path.of("/opt/patchbay/patchbay"), null);

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
    enum Messy {
        CODEX_TABLES(Host.CODEX, CODEX),
        CODEX_WINDOWS(Host.CODEX, CODEX.replace("\n", "\r\n")),
        CODEX_WITHOUT_END(Host.CODEX, CODEX.stripTrailing()),
        CODEX_EMPTY_LINES(Host.CODEX, CODEX + "\n\n\n# the end"),
        CODE_STATE(Host.CLAUDE_CODE, STATE),
        EDITOR_COMMENTS(Host.VSCODE, EDITOR),
        EDITOR_WINDOWS(Host.VSCODE, EDITOR.replace("\n", "\r\n")),
        DESKTOP_BOM(Host.CLAUDE_DESKTOP, BOM + "{\r\n  \"mcpServers\": {}\r\n}"),
        DESKTOP_ONE_LINE(Host.CLAUDE_DESKTOP, "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}"),
        CURSOR_NO_LIST(Host.CURSOR, "{\n    \"other\": true\n}\n"),
        CURSOR_BRACES(Host.CURSOR, "{}");

        private final Host host;
        private final String text;

        Messy(Host host, String text) {
            this.host = host;
            this.text = text;
        }
    }

    @ParameterizedTest
    @EnumSource
    void comesBackByteByByte(Messy messy) throws IOException {
        for (Platform platform : Platform.values()) {
            var machine = new Machine(folder, platform, Map.of());
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
    void keepsWhatTheHostWroteMeanwhile(Messy messy) throws IOException {
        var machine = machine();
        Path file = write(machine, messy.host, messy.text);
        install(machine, messy.host);
        Files.writeString(file, edited(messy, Files.readString(file)));

        assertThat(uninstall(machine, messy.host)).isEqualTo(Action.CUT);

        String after = Files.readString(file);
        assertThat(after).doesNotContain("/opt/patchbay/patchbay");
        assertThat(values(machine, messy, after))
                .isEqualTo(values(machine, messy, edited(messy, listed(messy))));
    }

    /** The text after the host has written something of its own into it. */
    private static String edited(Messy messy, String text) {
        return messy.host == Host.CODEX
                ? text + "\n[tui]\ntheme = \"dark\"\n"
                : text.replaceFirst("\\{", "{\"written\": \"meanwhile\", ");
    }

    /** A list that was made for our entry may stay, empty. */
    private static String listed(Messy messy) {
        return messy.host == Host.CURSOR
                ? messy.text
                        .replaceFirst("\\s*}\\s*$", "%s\"mcpServers\": {}}")
                        .formatted(messy.text.contains(":") ? "," : "")
                : messy.text;
    }

    private static Json values(Machine machine, Messy messy, String text) {
        var file = new HostFiles(machine.surroundings).of(messy.host, Scope.USER).orElseThrow();
        var faults = new ArrayList<Finding>();
        var root = HostText.read(file, text, faults);
        assertThat(faults).as(text).isEmpty();
        return NodeJson.of(Objects.requireNonNull(root));
    }

    @Test
    void followsALinkAndLeavesItALink() throws IOException {
        var machine = machine();
        Path real = Files.createDirectories(machine.home.resolve("dots")).resolve("m.json");
        Files.writeString(real, "{\"mcpServers\": {}}\n");
        Path link = machine.file(Host.CURSOR, Scope.USER);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, Path.of("..", "dots", "m.json"));

        Path backup = install(machine, Host.CURSOR);

        assertThat(backup).hasParent(real.toRealPath().getParent());
        assertThat(link).isSymbolicLink();
        assertThat(real).content().contains("patchbay");
        uninstall(machine, Host.CURSOR);
        assertThat(link).isSymbolicLink();
        assertThat(real).hasContent("{\"mcpServers\": {}}");
    }

    @Test
    void keepsTheRightsOfTheFileAndHidesTheCopy() throws IOException {
        var machine = machine();
        Path file = write(machine, Host.CLAUDE_CODE, STATE);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        Path backup = install(machine, Host.CLAUDE_CODE);

        assertThat(rights(file)).isEqualTo("rw-r-----");
        assertThat(rights(backup)).isEqualTo("rw-------");
        uninstall(machine, Host.CLAUDE_CODE);
        assertThat(rights(file)).isEqualTo("rw-r-----");
    }

    private static String rights(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void saysWhichFileItCannotRead() throws IOException {
        var machine = machine();
        Path file = machine.file(Host.CURSOR, Scope.USER);
        Files.createDirectories(file);
        refuses(machine, file, "directory");
        Files.delete(file);
        Files.write(file, "{\"a\": \"\u00ff\"}".getBytes(StandardCharsets.ISO_8859_1));
        refuses(machine, file, "UTF-8");
        Files.delete(file);
        Files.delete(file.getParent());
        Files.createFile(file.getParent());
        refuses(machine, file, "directory");
    }

    private static void refuses(Machine machine, Path file, String why) {
        assertThatThrownBy(() -> installer(machine).planInstall(Host.CURSOR, Scope.USER, PROGRAM))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(why);
    }

    @Test
    void saysThatAListOfServersIsNoList() throws IOException {
        var machine = machine();
        write(machine, Host.CURSOR, "{\"mcpServers\": [1]}");
        var plan =
                new Importer(machine.surroundings)
                        .plan(Host.CURSOR, machine.work.resolve("patchbay.json"));
        assertThat(plan.sources().getLast().faults())
                .extracting(Finding::problem)
                .containsExactly("It should be an object");
    }

    @Test
    void importsWithoutASecretInAnyWord() throws IOException {
        var machine = machine();
        write(machine, Host.CODEX, CODEX);
        write(machine, Host.CLAUDE_CODE, STATE);
        write(machine, Host.VSCODE, EDITOR);
        for (Host host : List.of(Host.CODEX, Host.CLAUDE_CODE, Host.VSCODE)) {
            var plan =
                    new Importer(machine.surroundings)
                            .plan(host, machine.work.resolve("patchbay.json"));
            assertThat(plan.rows()).isNotEmpty();
            assertThat(plan.rows().toString())
                    .doesNotContain("hunter2")
                    .doesNotContain("verysecret");
        }
    }

    private Machine machine() throws IOException {
        return new Machine(folder, Platform.LINUX, Map.of());
    }

    private static Path write(Machine machine, Host host, String text) throws IOException {
        Path file = machine.file(host, Scope.USER);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static Installer installer(Machine machine) {
        return new Installer(machine.surroundings, CLOCK);
    }

    private static Path install(Machine machine, Host host) throws IOException {
        var plan = installer(machine).planInstall(host, Scope.USER, PROGRAM);
        assertThat(plan).isInstanceOf(Change.class);
        return installer(machine).apply((Change) plan);
    }

    private static Action uninstall(Machine machine, Host host) throws IOException {
        var plan = installer(machine).planUninstall(host, Scope.USER);
        assertThat(plan).isInstanceOf(Change.class);
        installer(machine).apply((Change) plan);
        return ((Change) plan).action();
    }
}
