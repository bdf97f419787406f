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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Patchbay put into the files of hosts, and taken out again. */
class InstallerTest {
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-11-16T01:52:03Z"));
    private static final LaunchCommand PROGRAM =
            new LaunchCommand(
                    Path.of("/opt/patchbay/patchbay"), Path.of("/home/kim/patchbay.json"));

    /** A command of another server in each sample. */
    private static final String OTHER_COMMAND =
            "\\b(npx|node|uvx|docker|some-command|python|small)\\b";

    @TempDir Path folder;

    @TestFactory
    List<DynamicTest> uninstallRestoresEveryFile() {
        var tests = new ArrayList<DynamicTest>();
        for (var host : McpHost.values()) {
            for (var scope : Scope.values()) {
                tests.add(
                        DynamicTest.dynamicTest(
                                host + " " + scope,
                                () -> checkRoundTrips(Platform.LINUX, host, scope)));
            }
            tests.add(
                    DynamicTest.dynamicTest(
                            host + " on Windows",
                            () -> checkRoundTrips(Platform.WINDOWS, host, Scope.USER)));
        }
        return tests;
    }

    private void checkRoundTrips(Platform platform, McpHost host, Scope scope) throws IOException {
        var machine = new TestMachine(folder, platform, Map.of());
        var files = new HostFileLocator(machine.userEnvironment);
        var found = files.locate(host, scope).orElse(null);
        if (found == null) {
            return;
        }
        var file = found.path();
        Files.createDirectories(file.getParent());
        var texts = HostFileVariants.of(HostSamples.text(machine, host), found);
        boolean full = platform == Platform.LINUX && scope == Scope.USER;
        texts.keySet()
                .retainAll(
                        full
                                ? List.of("as written", "CRLF", "no servers yet", "empty")
                                : List.of("as written"));
        for (var text : texts.entrySet()) {
            Files.writeString(file, text.getValue());
            install(machine, host, scope);
            assertThat(Files.readString(file))
                    .as(text.getKey())
                    .contains("patchbay")
                    .hasSizeGreaterThan(text.getValue().length());
            assertThat(uninstall(machine, host, scope)).as(text.getKey()).isEqualTo(Action.RESTORE);
            assertThat(Files.readString(file)).as(text.getKey()).isEqualTo(text.getValue());
            assertThat(file.getParent()).isDirectoryNotContaining("glob:**patchbay-*");
        }
        Files.delete(file);
        install(machine, host, scope);
        assertThat(uninstall(machine, host, scope)).isEqualTo(Action.DELETE);
        assertThat(file.getParent()).isEmptyDirectory();
    }

    /** The condition for an exact undo, without a disk: the same edit gives the same text. */
    @ParameterizedTest
    @EnumSource
    void everyVariantOfAFileCanBeRestored(McpHost host) throws IOException {
        var machine = machine();
        var file =
                new HostFileLocator(machine.userEnvironment).locate(host, Scope.USER).orElseThrow();
        var entry = PatchbayEntry.create(host, PROGRAM);
        var texts = HostFileVariants.of(HostSamples.text(machine, host), file);
        assertThat(texts).hasSizeGreaterThan(8);
        texts.forEach(
                (name, text) -> {
                    var before = new HostFileText(file, text);
                    var after = new HostFileText(file, before.withEntry(entry));
                    assertThat(after.errors()).as(name).isEmpty();
                    assertThat(after.ownEntry()).as(name).isEqualTo(entry);
                    assertThat(before.withEntry(after.ownEntry()))
                            .as(name)
                            .isEqualTo(before.withEntry(entry));
                    var rest = new HostFileText(file, after.withoutEntry());
                    assertThat(rest.errors()).as(name).isEmpty();
                    assertThat(rest.ownEntry()).as(name).isNull();
                    if (before.servers() != null && !before.servers().members().isEmpty()) {
                        assertThat(rest.servers().members())
                                .as(name)
                                .hasSameSizeAs(before.servers().members());
                    }
                });
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
        assertThat(PatchbayEntry.create(McpHost.CURSOR, plain).toString())
                .isEqualTo("{\"command\":\"/p/patchbay\",\"args\":[\"stdio\"]}");
        assertThat(PatchbayEntry.create(McpHost.VSCODE, plain).toString())
                .isEqualTo("{\"type\":\"stdio\",\"command\":\"/p/patchbay\",\"args\":[\"stdio\"]}");
        assertThat(PatchbayEntry.create(McpHost.CODEX, plain).toString())
                .contains("\"env\":{\"PATCHBAY_NAMES\":\"safe\"}");
        var withView = new LaunchCommand(Path.of("/p/patchbay"), Path.of("/c.json"), "work");
        assertThat(PatchbayEntry.create(McpHost.CURSOR, withView).toString())
                .contains("[\"stdio\",\"--config\",\"/c.json\",\"--view\",\"work\"]");
        assertThat(
                        PatchbayEntry.create(
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
            var file = machine.writeSample(host, Scope.USER, HostSamples.name(host));
            install(machine, host, Scope.USER);
            var other = new LaunchCommand(Path.of("/other/patchbay"), null);
            var change = (Change) plan(machine, host, other);
            assertThat(change.action()).isEqualTo(Action.REPLACE);
            installer(machine).apply(change);
            assertThat(file).content().contains("/other/patchbay").doesNotContain("/opt/");
            uninstall(machine, host, Scope.USER);
            assertThat(Files.readString(file)).isEqualTo(machine.sample(HostSamples.name(host)));
        }
    }

    @Test
    void removesOnlyOwnEntryFromChangedFile() throws IOException {
        for (var host : McpHost.values()) {
            var machine = machine();
            var file = machine.writeSample(host, Scope.USER, HostSamples.name(host));
            install(machine, host, Scope.USER);
            var text = Files.readString(file);
            assertThat(text).containsPattern(OTHER_COMMAND);
            Files.writeString(file, text.replaceFirst(OTHER_COMMAND, "changed"));
            var change = (Change) installer(machine).planUninstall(host, Scope.USER);
            assertThat(change.action()).isEqualTo(Action.CUT);
            assertThat(change.notes()).hasSize(1);
            installer(machine).apply(change);
            assertThat(Files.readString(file))
                    .isEqualTo(
                            machine.sample(HostSamples.name(host))
                                    .replaceFirst(OTHER_COMMAND, "changed"));
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
            var file = machine.writeSample(host, Scope.USER, HostSamples.name(host));
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
