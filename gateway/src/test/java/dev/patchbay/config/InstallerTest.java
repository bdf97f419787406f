package dev.patchbay.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.config.HostFile.Scope;
import dev.patchbay.config.HostPlan.Action;
import dev.patchbay.config.HostPlan.Change;
import dev.patchbay.config.Installer.Program;
import dev.patchbay.config.Surroundings.Platform;

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
    private static final Program PROGRAM =
            new Program(Path.of("/opt/patchbay/patchbay"), Path.of("/home/kim/patchbay.json"));

    private static final Map<Host, String> SAMPLES =
            new TreeMap<>(
                    Map.of(
                            Host.CLAUDE_DESKTOP, "claude-desktop.json",
                            Host.CLAUDE_CODE, "claude-code-state.json",
                            Host.CURSOR, "cursor.json",
                            Host.VSCODE, "vscode-mcp.json",
                            Host.CODEX, "codex.toml"));

    @TempDir Path folder;

    @TestFactory
    List<DynamicTest> leavesEveryFileAsItWas() {
        var tests = new ArrayList<DynamicTest>();
        for (var platform : Platform.values()) {
            for (var host : Host.values()) {
                for (var scope : Scope.values()) {
                    var name = platform + " " + host + " " + scope;
                    if (host != Host.CLAUDE_DESKTOP || scope == Scope.USER) {
                        tests.add(
                                DynamicTest.dynamicTest(
                                        name, () -> leavesAsItWas(platform, host, scope)));
                    }
                }
            }
        }
        return tests;
    }

    private void leavesAsItWas(Platform platform, Host host, Scope scope) throws IOException {
        var machine = new Machine(folder, platform, Map.of());
        var sample = machine.sample(SAMPLES.get(host));
        var crlf = sample.replace("\n", "\r\n");
        var file = machine.file(host, scope);
        for (var text : List.of(sample, crlf, sample.stripTrailing(), "", "\n")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            there(machine, host, scope);
            assertThat(Files.readString(file))
                    .contains("patchbay")
                    .hasSizeGreaterThan(text.length());
            assertThat(back(machine, host, scope)).isEqualTo(Action.RESTORE);
            assertThat(Files.readString(file)).isEqualTo(text);
            assertThat(file.getParent()).isDirectoryNotContaining("glob:**patchbay*");
        }
        Files.delete(file);
        there(machine, host, scope);
        assertThat(back(machine, host, scope)).isEqualTo(Action.DELETE);
        assertThat(file.getParent()).isEmptyDirectory();
    }

    @Test
    void addsTheEntryAndTouchesNoOther() throws IOException {
        var machine = machine();
        var file = machine.put(Host.CLAUDE_DESKTOP, Scope.USER, "claude-desktop.json");
        var backup = there(machine, Host.CLAUDE_DESKTOP, Scope.USER);
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
    void writesATableForCodex() throws IOException {
        var machine = machine();
        var file = machine.put(Host.CODEX, Scope.USER, "codex.toml");
        there(machine, Host.CODEX, Scope.USER);
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
    void choosesWhatTheHostAccepts() {
        var plain = new Program(Path.of("/p/patchbay"), null);
        assertThat(Installer.entry(Host.CURSOR, plain).toString())
                .isEqualTo("{\"command\":\"/p/patchbay\",\"args\":[\"stdio\"]}");
        assertThat(Installer.entry(Host.VSCODE, plain).toString())
                .isEqualTo("{\"type\":\"stdio\",\"command\":\"/p/patchbay\",\"args\":[\"stdio\"]}");
        assertThat(Installer.entry(Host.CODEX, plain).toString())
                .contains("\"env\":{\"PATCHBAY_NAMES\":\"safe\"}");
        assertThat(Installer.entry(Host.CURSOR, new Program(Path.of("C:\\p\\patchbay.cmd"), null)))
                .hasToString(
                        "{\"command\":\"cmd\",\"args\":[\"/c\",\"C:\\\\p\\\\patchbay.cmd\","
                                + "\"stdio\"]}");
    }

    @Test
    void doesNothingTwice() throws IOException {
        var machine = machine();
        there(machine, Host.CURSOR, Scope.USER);
        assertThat(plan(machine, Host.CURSOR, PROGRAM)).isInstanceOf(HostPlan.Nothing.class);
        back(machine, Host.CURSOR, Scope.USER);
        assertThat(installer(machine).planUninstall(Host.CURSOR, Scope.USER))
                .isInstanceOf(HostPlan.Nothing.class);
    }

    @Test
    void replacesItsOwnEntryAndStillGoesBack() throws IOException {
        for (var host : Host.values()) {
            var machine = machine();
            var file = machine.put(host, Scope.USER, SAMPLES.get(host));
            there(machine, host, Scope.USER);
            var other = new Program(Path.of("/other/patchbay"), null);
            var change = (Change) plan(machine, host, other);
            assertThat(change.action()).isEqualTo(Action.REPLACE);
            installer(machine).apply(change);
            assertThat(file).content().contains("/other/patchbay").doesNotContain("/opt/");
            back(machine, host, Scope.USER);
            assertThat(Files.readString(file)).isEqualTo(machine.sample(SAMPLES.get(host)));
        }
    }

    @Test
    void takesOutOnlyItsEntryFromAFileThatWasChanged() throws IOException {
        for (var host : Host.values()) {
            var machine = machine();
            var file = machine.put(host, Scope.USER, SAMPLES.get(host));
            there(machine, host, Scope.USER);
            var mark = host == Host.CODEX ? "small" : "npx";
            var text = Files.readString(file);
            var key = host == Host.CURSOR ? "node" : mark;
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
    void keepsWhatFollowsItsTable() throws IOException {
        var machine = machine();
        var file = machine.put(Host.CODEX, Scope.USER, "codex.toml");
        there(machine, Host.CODEX, Scope.USER);
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
        back(machine, Host.CODEX, Scope.USER);
        assertThat(Files.readString(file))
                .startsWith(machine.sample("codex.toml"))
                .endsWith("# mine\n\n# next\n[tui]\na = 1\n")
                .doesNotContain("patchbay");
    }

    @Test
    void refusesAFileThatItCannotRead() throws IOException {
        for (var host : Host.values()) {
            var machine = machine();
            var file = machine.put(host, Scope.USER, SAMPLES.get(host));
            Files.writeString(file, "{\"mcpServers\": ");
            assertThat(plan(machine, host, PROGRAM)).isInstanceOf(HostPlan.Refused.class);
            assertThat(installer(machine).planUninstall(host, Scope.USER))
                    .isInstanceOf(HostPlan.Refused.class);
        }
        var machine = machine();
        var codex = machine.put(Host.CODEX, Scope.USER, "codex.toml");
        Files.writeString(codex, "mcp_servers = { a = { command = 'x' } }\n");
        assertThat(plan(machine, Host.CODEX, PROGRAM)).isInstanceOf(HostPlan.Refused.class);
    }

    @Test
    void refusesToTakeTheNameOfAnother() throws IOException {
        var machine = machine();
        var file = machine.put(Host.CURSOR, Scope.USER, "cursor.json");
        Files.writeString(file, "{\"mcpServers\": {\"patchbay\": {\"command\": \"synth\"}}}");
        assertThat(plan(machine, Host.CURSOR, PROGRAM)).isInstanceOf(HostPlan.Refused.class);
        assertThat(installer(machine).planUninstall(Host.CURSOR, Scope.USER))
                .isInstanceOf(HostPlan.Nothing.class);
    }

    @Test
    void doesNothingToAFileThatChangedSinceThePlan() throws IOException {
        var machine = machine();
        var file = machine.put(Host.CURSOR, Scope.USER, "cursor.json");
        var change = (Change) plan(machine, Host.CURSOR, PROGRAM);
        Files.writeString(file, "{}");
        assertThatThrownBy(() -> installer(machine).apply(change))
                .isInstanceOf(FileSystemException.class);
        assertThat(Files.readString(file)).isEqualTo("{}");
    }

    @Test
    void saysThatAHostMayNotBeInstalled() throws IOException {
        var change = (Change) plan(machine(), Host.VSCODE, PROGRAM);
        assertThat(change.notes()).singleElement().asString().contains("is the program installed?");
        assertThat(change.entryText()).startsWith("{\n  \"type\": \"stdio\",\n");
    }

    private Machine machine() throws IOException {
        return new Machine(folder, Platform.LINUX, Map.of());
    }

    private static Installer installer(Machine machine) {
        return new Installer(machine.surroundings, CLOCK);
    }

    private static HostPlan plan(Machine machine, Host host, Program program) throws IOException {
        return installer(machine).planInstall(host, Scope.USER, program);
    }

    private static Path there(Machine machine, Host host, Scope scope) throws IOException {
        var plan = installer(machine).planInstall(host, scope, PROGRAM);
        assertThat(plan).isInstanceOf(Change.class);
        return installer(machine).apply((Change) plan);
    }

    private static Action back(Machine machine, Host host, Scope scope) throws IOException {
        var plan = installer(machine).planUninstall(host, scope);
        assertThat(plan).isInstanceOf(Change.class);
        installer(machine).apply((Change) plan);
        return ((Change) plan).action();
    }
}
