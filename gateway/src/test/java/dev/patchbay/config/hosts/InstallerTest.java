package dev.patchbay.config.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.config.Environment.Platform;
import dev.patchbay.config.hosts.HostFile.Scope;
import dev.patchbay.config.hosts.InstallPlan.Action;
import dev.patchbay.config.hosts.InstallPlan.Change;
import dev.patchbay.config.hosts.Installer.LaunchCommand;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Patchbay put into the files of hosts, and taken out again. */
class InstallerTest {
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-11-16T01:52:03Z"));
    private static final LaunchCommand PROGRAM =
            new LaunchCommand(
                    Path.of("/opt/patchbay/patchbay"), Path.of("/home/kim/patchbay.json"));

    private static final Map<McpHost, String> SAMPLES =
            new TreeMap<>(
                    Map.of(
                            McpHost.CLAUDE_DESKTOP, "claude-desktop.json",
                            McpHost.CLAUDE_CODE, "claude-code-state.json",
                            McpHost.CURSOR, "cursor.json",
                            McpHost.VSCODE, "vscode-mcp.json",
                            McpHost.CODEX, "codex.toml"));

    @TempDir Path folder;

    @TestFactory
    List<DynamicTest> uninstallRestoresEveryFile() {
        var tests = new ArrayList<DynamicTest>();
        for (var platform : Platform.values()) {
            for (var host : McpHost.values()) {
                for (var scope : Scope.values()) {
                    var name = platform + " " + host + " " + scope;
                    if (host != McpHost.CLAUDE_DESKTOP || scope == Scope.USER) {
                        tests.add(
                                DynamicTest.dynamicTest(
                                        name, () -> checkRoundTrip(platform, host, scope)));
                    }
                }
            }
        }
        return tests;
    }

    private void checkRoundTrip(Platform platform, McpHost host, Scope scope) throws IOException {
        var machine = new TestMachine(folder, platform, Map.of());
        var sample = machine.sample(SAMPLES.get(host));
        var crlf = sample.replace("\n", "\r\n");
        var file = machine.hostFile(host, scope);
        for (var text : List.of(sample, crlf, sample.stripTrailing(), "", "\n")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            install(machine, host, scope);
            assertThat(Files.readString(file))
                    .contains("patchbay")
                    .hasSizeGreaterThan(text.length());
            assertThat(uninstall(machine, host, scope)).isEqualTo(Action.RESTORE);
            assertThat(Files.readString(file)).isEqualTo(text);
            assertThat(file.getParent()).isDirectoryNotContaining("glob:**patchbay*");
        }
        Files.delete(file);
        install(machine, host, scope);
        assertThat(uninstall(machine, host, scope)).isEqualTo(Action.DELETE);
        assertThat(file.getParent()).isEmptyDirectory();
    }

    @Test
    void addsEntryAndLeavesOthersUnchanged() throws IOException {
        var machine = machine();
        var file = machine.writeSample(McpHost.CLAUDE_DESKTOP, Scope.USER, "claude-desktop.json");
        var backup = install(machine, McpHost.CLAUDE_DESKTOP, Scope.USER);
        assertThat(backup.getFileName())
                .hasToString("claude_desktop_config.json.patchbay-backup-20261116-015203");
        assertThat(Files.readString(backup)).isEqualTo(machine.sample("claude-desktop.json"));
        assertThat(Files.readString(file))
                .isEqualTo(
                        machine.sample("claude-desktop.json")
                                .replace(
                                        "      }\n    }\n  },\n",
                                        """
                                              }
                                            },
                                            "patchbay": {
                                              "command": "/opt/patchbay/patchbay",
                                              "args": ["stdio", "--config", \
                                        "/home/kim/patchbay.json"],
                                              "env": {
                                                "PATCHBAY_NAMES": "safe"
                                              }
                                            }
                                          },
                                        """));
    }

    @Test
    void writesTomlTableForCodex() throws IOException {
        var machine = machine();
        var file = machine.writeSample(McpHost.CODEX, Scope.USER, "codex.toml");
        install(machine, McpHost.CODEX, Scope.USER);
        assertThat(Files.readString(file))
                .isEqualTo(
                        machine.sample("codex.toml")
                                + """

                                [mcp_servers.patchbay]
                                command = "/opt/patchbay/patchbay"
                                args = ["stdio", "--config", "/home/kim/patchbay.json"]
                                env = { PATCHBAY_NAMES = "safe" }
                                """);
    }

    @Test
    void writesEntryInFormOfEachHost() {
        var plain = new LaunchCommand(Path.of("/p/patchbay"), null);
        assertThat(Installer.entryFor(McpHost.CURSOR, plain).toString())
                .isEqualTo("{\"command\":\"/p/patchbay\",\"args\":[\"stdio\"]}");
        assertThat(Installer.entryFor(McpHost.VSCODE, plain).toString())
                .isEqualTo("{\"type\":\"stdio\",\"command\":\"/p/patchbay\",\"args\":[\"stdio\"]}");
        assertThat(Installer.entryFor(McpHost.CODEX, plain).toString())
                .contains("\"env\":{\"PATCHBAY_NAMES\":\"safe\"}");
        assertThat(
                        Installer.entryFor(
                                McpHost.CURSOR,
                                new LaunchCommand(Path.of("C:\\p\\patchbay.cmd"), null)))
                .hasToString(
                        "{\"command\":\"cmd\",\"args\":[\"/c\",\"C:\\\\p\\\\patchbay.cmd\","
                                + "\"stdio\"]}");
    }

    @Test
    void secondInstallAndUninstallDoNothing() throws IOException {
        var machine = machine();
        install(machine, McpHost.CURSOR, Scope.USER);
        assertThat(plan(machine, McpHost.CURSOR, PROGRAM)).isInstanceOf(InstallPlan.NoChange.class);
        uninstall(machine, McpHost.CURSOR, Scope.USER);
        assertThat(installer(machine).planUninstall(McpHost.CURSOR, Scope.USER))
                .isInstanceOf(InstallPlan.NoChange.class);
    }

    @Test
    void replacesOwnEntryAndStillRestores() throws IOException {
        for (var host : McpHost.values()) {
            var machine = machine();
            var file = machine.writeSample(host, Scope.USER, SAMPLES.get(host));
            install(machine, host, Scope.USER);
            var other = new LaunchCommand(Path.of("/other/patchbay"), null);
            var change = (Change) plan(machine, host, other);
            assertThat(change.action()).isEqualTo(Action.REPLACE);
            installer(machine).apply(change);
            assertThat(file).content().contains("/other/patchbay").doesNotContain("/opt/");
            uninstall(machine, host, Scope.USER);
            assertThat(Files.readString(file)).isEqualTo(machine.sample(SAMPLES.get(host)));
        }
    }

    @Test
    void removesOnlyOwnEntryFromChangedFile() throws IOException {
        for (var host : McpHost.values()) {
            var machine = machine();
            var file = machine.writeSample(host, Scope.USER, SAMPLES.get(host));
            install(machine, host, Scope.USER);
            var mark = host == McpHost.CODEX ? "small" : "npx";
            var text = Files.readString(file);
            var key = host == McpHost.CURSOR ? "node" : mark;
            Files.writeString(file, text.replaceFirst("\"" + key + "\"", "\"changed\""));
            var change = (Change) installer(machine).planUninstall(host, Scope.USER);
            assertThat(change.action()).isEqualTo(Action.CUT);
            assertThat(change.notes()).hasSize(1);
            installer(machine).apply(change);
            assertThat(Files.readString(file))
                    .isEqualTo(
                            machine.sample(SAMPLES.get(host))
                                    .replaceFirst("\"" + key + "\"", "\"changed\""));
        }
    }

    @Test
    void keepsTextAfterOwnTable() throws IOException {
        var machine = machine();
        var file = machine.writeSample(McpHost.CODEX, Scope.USER, "codex.toml");
        install(machine, McpHost.CODEX, Scope.USER);
        var more =
                """

                # mine
                [mcp_servers.patchbay.tools]
                A = '''
                [x]
                '''

                # next
                [tui]
                a = 1
                """;
        Files.writeString(file, Files.readString(file) + more);
        uninstall(machine, McpHost.CODEX, Scope.USER);
        assertThat(Files.readString(file))
                .startsWith(machine.sample("codex.toml"))
                .endsWith("# mine\n\n# next\n[tui]\na = 1\n")
                .doesNotContain("patchbay");
    }

    @Test
    void refusesUnparsableFile() throws IOException {
        for (var host : McpHost.values()) {
            var machine = machine();
            var file = machine.writeSample(host, Scope.USER, SAMPLES.get(host));
            Files.writeString(file, "{\"mcpServers\": ");
            assertThat(plan(machine, host, PROGRAM)).isInstanceOf(InstallPlan.Refused.class);
            assertThat(installer(machine).planUninstall(host, Scope.USER))
                    .isInstanceOf(InstallPlan.Refused.class);
        }
        var machine = machine();
        var codex = machine.writeSample(McpHost.CODEX, Scope.USER, "codex.toml");
        Files.writeString(codex, "mcp_servers = { a = { command = 'x' } }\n");
        assertThat(plan(machine, McpHost.CODEX, PROGRAM)).isInstanceOf(InstallPlan.Refused.class);
    }

    @Test
    void refusesToReplaceOtherServerNamedPatchbay() throws IOException {
        var machine = machine();
        var file = machine.writeSample(McpHost.CURSOR, Scope.USER, "cursor.json");
        Files.writeString(file, "{\"mcpServers\": {\"patchbay\": {\"command\": \"synth\"}}}");
        assertThat(plan(machine, McpHost.CURSOR, PROGRAM)).isInstanceOf(InstallPlan.Refused.class);
        assertThat(installer(machine).planUninstall(McpHost.CURSOR, Scope.USER))
                .isInstanceOf(InstallPlan.NoChange.class);
    }

    @Test
    void refusesFileChangedSincePlan() throws IOException {
        var machine = machine();
        var file = machine.writeSample(McpHost.CURSOR, Scope.USER, "cursor.json");
        var change = (Change) plan(machine, McpHost.CURSOR, PROGRAM);
        Files.writeString(file, "{}");
        assertThatThrownBy(() -> installer(machine).apply(change))
                .isInstanceOf(FileSystemException.class);
        assertThat(Files.readString(file)).isEqualTo("{}");
    }

    @Test
    void notesWhenHostMayNotBeInstalled() throws IOException {
        var change = (Change) plan(machine(), McpHost.VSCODE, PROGRAM);
        assertThat(change.notes())
                .singleElement()
                .asString()
                .contains("does not exist and is created");
        assertThat(change.entryText()).startsWith("{\n  \"type\": \"stdio\",\n");
    }

    private TestMachine machine() throws IOException {
        return new TestMachine(folder, Platform.LINUX, Map.of());
    }

    private static Installer installer(TestMachine machine) {
        return new Installer(machine.userEnvironment, CLOCK);
    }

    private static InstallPlan plan(TestMachine machine, McpHost host, LaunchCommand program)
            throws IOException {
        return installer(machine).planInstall(host, Scope.USER, program);
    }

    private static Path install(TestMachine machine, McpHost host, Scope scope) throws IOException {
        var plan = installer(machine).planInstall(host, scope, PROGRAM);
        assertThat(plan).isInstanceOf(Change.class);
        return installer(machine).apply((Change) plan);
    }

    private static Action uninstall(TestMachine machine, McpHost host, Scope scope)
            throws IOException {
        var plan = installer(machine).planUninstall(host, scope);
        assertThat(plan).isInstanceOf(Change.class);
        installer(machine).apply((Change) plan);
        return ((Change) plan).action();
    }
}
