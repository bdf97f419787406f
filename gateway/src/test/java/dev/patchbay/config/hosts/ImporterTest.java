package dev.patchbay.config.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Environment.Platform;
import dev.patchbay.config.Finding;
import dev.patchbay.config.TextPosition;
import dev.patchbay.config.edit.ConfigEntry;
import dev.patchbay.config.edit.EditResult.Changed;
import dev.patchbay.config.hosts.HostFile.Scope;
import dev.patchbay.config.hosts.ImportPlan.Outcome;
import dev.patchbay.config.hosts.ImportPlan.Row;
import dev.patchbay.config.read.ConfigReader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The servers of other programs, brought into the configuration file. */
class ImporterTest {
    private static final Map<String, String> ENVIRONMENT =
            Map.of("SENTRY_TOKEN", "s", "SEARCH_KEY", "k", "FIGMA_TOKEN", "f");

    private static final Set<Scope> ALL_SCOPES = EnumSet.allOf(Scope.class);

    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource
    void importsFromClaudeDesktop(Platform platform) throws IOException {
        var machine = machine(platform);
        machine.writeSample(McpHost.CLAUDE_DESKTOP, Scope.USER, "claude-desktop.json");
        assertThat(importAndReadTarget(machine, McpHost.CLAUDE_DESKTOP))
                .isEqualTo(
                        """
                        {
                          "mcpServers": {
                            "filesystem": {
                              "command": "npx",
                              "args": ["-y", "@modelcontextprotocol/server-filesystem", \
                        "/home/kim/Documents"]
                            },
                            "my-database": {
                              "command": "uvx",
                              "args": ["mcp-server-postgres", \
                        "postgresql://kim:hunter2@db.example.com/app"],
                              "env": {
                                "PRICE": "$${5}"
                              }
                            }
                          }
                        }
                        """);
    }

    @Test
    void describesPlanWithoutSecrets() throws IOException {
        var machine = machine(Platform.LINUX);
        machine.writeSample(McpHost.CLAUDE_DESKTOP, Scope.USER, "claude-desktop.json");
        assertThat(plan(machine, McpHost.CLAUDE_DESKTOP).rows().stream().map(Row::toString))
                .containsExactly(
                        "add  filesystem: npx -y @modelcontextprotocol/server-filesystem"
                                + " /home/kim/Documents",
                        "add  my-database: uvx mcp-server-postgres *** (env PRICE) (The name"
                                + " my_database is not valid; using my-database; Looks like a"
                                + " secret; every user of this machine can read arguments)");
    }

    @ParameterizedTest
    @EnumSource
    void importsFromClaudeCodeInPrecedenceOrder(Platform platform) throws IOException {
        var machine = machine(platform);
        machine.writeSample(McpHost.CLAUDE_CODE, Scope.USER, "claude-code-state.json");
        machine.writeSample(McpHost.CLAUDE_CODE, Scope.PROJECT, "claude-code-project.json");
        var plan = plan(machine, McpHost.CLAUDE_CODE);
        assertThat(outcomes(plan))
                .containsExactly(
                        "local-tool ADD",
                        "shared ADD",
                        "needs-key ADD",
                        "memory ADD",
                        "sentry ADD",
                        "shared HIDDEN",
                        "memory SAME",
                        "local-tool ADD");
        assertThat(plan.entries())
                .extracting(ConfigEntry::key)
                .containsExactly(
                        "local-tool", "shared", "needs-key", "memory", "sentry", "local-tool-2");
        assertThat(plan.entries().getFirst().definition().memberText("cwd"))
                .isEqualTo(machine.workingDirectory.toString());
        assertThat(plan.entries().getLast().definition().memberText("cwd"))
                .isEqualTo(Path.of("/somewhere/else").toString());
        assertThat(plan.rows().get(2).notes())
                .containsExactly(
                        "The environment variable A_KEY_THAT_IS_NOT_SET is not set:"
                                + " set it where Patchbay is started");
        assertThat(plan.toString()).doesNotContain("hunter2");
        assertThat(importAndReadTarget(machine, McpHost.CLAUDE_CODE))
                .contains("${BASE:-https://example.com}");
    }

    @ParameterizedTest
    @EnumSource
    void importsFromCursor(Platform platform) throws IOException {
        var machine = machine(platform);
        machine.writeSample(McpHost.CURSOR, Scope.PROJECT, "cursor.json");
        machine.writeSample(McpHost.CURSOR, Scope.USER, "cursor.json");
        var plan = plan(machine, McpHost.CURSOR);
        assertThat(outcomes(plan))
                .containsExactly("web.search ADD", "old ADD", "web.search HIDDEN", "old HIDDEN");
        var search = plan.entries().getFirst();
        assertThat(search.definition().member("args").elements().getFirst().text())
                .isEqualTo(machine.workingDirectory + "/search.js");
        assertThat(search.definition().member("env").memberText("API_KEY"))
                .isEqualTo("${SEARCH_KEY}");
        assertThat(plan.rows().getFirst().notes())
                .contains(
                        "envFile is not imported: put its variables into env",
                        "autoApprove is not imported");
        assertThat(plan.entries().getLast().definition().toString())
                .isEqualTo(
                        "{\"type\":\"sse\",\"url\":\"https://example.com/sse\",\"enabled\":false}");
    }

    @ParameterizedTest
    @EnumSource
    void importsFromVsCode(Platform platform) throws IOException {
        var machine = new TestMachine(folder, platform, Map.of("GITHUB_TOKEN", "g"));
        machine.writeSample(McpHost.VSCODE, Scope.PROJECT, "vscode-mcp.json");
        machine.writeSample(
                machine.hostFile(McpHost.VSCODE, Scope.USER).resolveSibling("settings.json"),
                "vscode-settings.json");
        var plan = plan(machine, McpHost.VSCODE);
        assertThat(outcomes(plan)).containsExactly("github ADD", "playwright ADD", "time ADD");
        assertThat(plan.entries().getFirst().definition().member("headers").toString())
                .isEqualTo("{\"Authorization\":\"Bearer ${GITHUB_TOKEN}\"}");
        assertThat(plan.rows().getFirst().notes())
                .containsExactly(
                        "The editor prompts for this value; here it is read from the variable"
                                + " GITHUB_TOKEN");
    }

    @ParameterizedTest
    @EnumSource
    void importsFromCodex(Platform platform) throws IOException {
        var machine = machine(platform);
        machine.writeSample(McpHost.CODEX, Scope.USER, "codex.toml");
        var plan = plan(machine, McpHost.CODEX);
        assertThat(outcomes(plan)).containsExactly("context7 ADD", "figma server ADD");
        assertThat(plan.entries().getFirst().definition().toString())
                .isEqualTo(
                        "{\"command\":\"npx\",\"args\":[\"-y\",\"@upstash/context7-mcp\"],"
                                + "\"env\":{\"LIMIT\":\"10\"},\"enabled\":false,"
                                + "\"connectionTimeoutMs\":20000,\"tools\":{\"include\":"
                                + "[\"resolve\",\"docs\"],\"exclude\":[\"docs\"]}}");
        assertThat(plan.entries().getLast().key()).isEqualTo("figma-server");
        assertThat(plan.entries().getLast().definition().toString())
                .isEqualTo(
                        "{\"url\":\"https://mcp.figma.example/mcp\",\"headers\":{\"Authorization\":"
                                + "\"Bearer ${FIGMA_TOKEN}\",\"X-Region\":\"eu\"},"
                                + "\"requestTimeoutMs\":300000}");
        assertThat(plan.rows().getLast().notes()).contains("tools is not imported");
    }

    /** Gemini CLI, then Kiro and Roo Code, GitHub Copilot, and ourselves. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'includeTools': ['a(x)', 'b'], 'excludeTools': ['b'] |"
                        + " {'include':['a','b'],'exclude':['b']}",
                "'disabledTools': ['a'], 'alwaysAllow': ['b'] | {'exclude':['a']}",
                "'tools': ['*'] | {'include':['*']}",
                "'tools': {'exclude': ['w*']} | {'exclude':['w*']}",
            })
    void importsToolFiltersOfOtherPrograms(String written, String tools) throws IOException {
        var machine = machine(Platform.LINUX);
        var text = "{'mcpServers': {'a': {'command': 'x', %s}}}".formatted(written);
        Files.writeString(machine.workingDirectory.resolve("other.json"), text.replace('\'', '"'));
        var importer = new Importer(machine.userEnvironment);
        var plan = importer.plan(Path.of("other.json"), target(machine));
        assertThat(outcomes(plan)).containsExactly("a ADD");
        assertThat(plan.entries().getFirst().definition().member("tools"))
                .hasToString(tools.replace('\'', '"'));
    }

    @Test
    void importsFromAnyFile() throws IOException {
        var machine = machine(Platform.LINUX);
        var odd =
                "{\"mcpServers\": {\"a\": {\"serverUrl\": \"https://example.com/mcp\"}, \"b\":"
                    + " {\"type\": \"local\", \"command\": [\"x\", \"y\"], \"environment\": {\"K\":"
                    + " \"v\"}}, \"c\": 5, \"…\": {\"command\": \"x\"}}}";
        Files.writeString(machine.workingDirectory.resolve("other.json"), odd);
        var importer = new Importer(machine.userEnvironment);
        var plan = importer.plan(Path.of("other.json"), target(machine));
        assertThat(outcomes(plan)).containsExactly("a ADD", "b ADD", "c SKIP", "… SKIP");
        assertThat(plan.entries().getLast().definition().toString())
                .isEqualTo(
                        "{\"type\":\"local\",\"command\":\"x\",\"args\":[\"y\"],"
                                + "\"env\":{\"K\":\"v\"}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                ".gemini | 'env': {'K': '$API_KEY', 'P': 'a/${HOME}/$X'} |"
                        + " 'env':{'K':'${API_KEY}','P':'a/${HOME}/${X}'}",
                ".gemini | 'timeout': 30000 | 'requestTimeoutMs':30000",
                ".cline | 'timeout': 60 | 'requestTimeoutMs':60000",
                ".cline | 'timeout': 900000 | 'requestTimeoutMs':300000",
                ".cline | 'env': {'PORT': 8080, 'ON': true} | 'env':{'PORT':'8080','ON':'true'}",
                ".cline | 'args': ['-n', 5] | 'args':['-n','5']",
                ".cline | 'env': {'K': '$KEY'} | 'env':{'K':'$KEY'}",
                ".cursor | 'env': {'H': '${userHome}/x'} | 'env':{'H':'HOME/x'}",
            })
    void translatesWhatOtherProgramsWrite(String parent, String written, String expected)
            throws IOException {
        var machine = machine(Platform.LINUX);
        Path file = machine.workingDirectory.resolve(parent).resolve("settings.json");
        Files.createDirectories(file.getParent());
        var text = "{'mcpServers': {'a': {'command': 'x', %s}}}".formatted(written);
        Files.writeString(file, text.replace('\'', '"'));
        var importer = new Importer(machine.userEnvironment);
        var plan = importer.plan(file, target(machine));
        assertThat(outcomes(plan)).containsExactly("a ADD");
        assertThat(plan.entries().getFirst().definition())
                .hasToString(
                        "{'command':'x',%s}"
                                .formatted(expected)
                                .replace("HOME/x", machine.userEnvironment.home() + "/x")
                                .replace('\'', '"'));
    }

    @Test
    void readsOnlyTheFilesOfTheWantedScope() throws IOException {
        var machine = machine(Platform.LINUX);
        machine.writeSample(McpHost.CURSOR, Scope.PROJECT, "cursor.json");
        var importer = new Importer(machine.userEnvironment);
        var plan = importer.plan(McpHost.CURSOR, EnumSet.of(Scope.USER), target(machine));
        assertThat(plan.rows()).isEmpty();
        assertThat(plan.sources())
                .extracting(ImportPlan.Source::file)
                .containsExactly(machine.hostFile(McpHost.CURSOR, Scope.USER));
    }

    @Test
    void neverChangesExistingEntry() throws IOException {
        var machine = machine(Platform.LINUX);
        machine.writeSample(McpHost.CLAUDE_DESKTOP, Scope.USER, "claude-desktop.json");
        importAndReadTarget(machine, McpHost.CLAUDE_DESKTOP);
        assertThat(outcomes(plan(machine, McpHost.CLAUDE_DESKTOP)))
                .containsExactly("filesystem SAME", "my_database SAME");

        var mine = "{\"mcpServers\": {\"filesystem\": {\"command\": \"mine\"}}}";
        Files.writeString(target(machine), mine);
        var plan = plan(machine, McpHost.CLAUDE_DESKTOP);
        assertThat(plan.entries())
                .extracting(ConfigEntry::key)
                .containsExactly("filesystem-2", "my-database");
        assertThat(plan.rows().getFirst().notes())
                .contains("The name filesystem is taken; using filesystem-2");
    }

    @Test
    void ignoresEntryThatStartsPatchbay() throws IOException {
        var machine = machine(Platform.LINUX);
        var file = machine.writeSample(McpHost.CURSOR, Scope.USER, "cursor.json");
        Files.writeString(
                file,
                "{\"mcpServers\": {\"hub\": {\"command\": \"/opt/patchbay\", \"args\":"
                        + " [\"stdio\"]}}}");
        assertThat(outcomes(plan(machine, McpHost.CURSOR))).containsExactly("hub SELF");
    }

    @Test
    void reportsSourceFilesAndTheirErrors() throws IOException {
        var machine = machine(Platform.LINUX);
        var codex = machine.writeSample(McpHost.CODEX, Scope.USER, "codex.toml");
        Files.writeString(codex, "a = 1\nb = \n");
        var plan = plan(machine, McpHost.CODEX);
        assertThat(plan.sources())
                .extracting(ImportPlan.Source::exists)
                .containsExactly(false, true);
        assertThat(plan.sources().getLast().errors())
                .extracting(Finding::position)
                .containsExactly(new TextPosition(2, 5));
        assertThat(plan.rows()).isEmpty();
    }

    @Test
    void readsOtherFilesWhenOneIsUnreadable() throws IOException {
        var machine = machine(Platform.LINUX);
        Files.createDirectories(machine.hostFile(McpHost.CURSOR, Scope.PROJECT));
        machine.writeSample(McpHost.CURSOR, Scope.USER, "cursor.json");
        var plan = plan(machine, McpHost.CURSOR);
        assertThat(plan.sources().getFirst().errors())
                .extracting(Finding::problem)
                .containsExactly("The file cannot be read");
        assertThat(outcomes(plan)).containsExactly("web.search ADD", "old ADD");
    }

    @Test
    void skipsProjectWithInvalidPath() throws IOException {
        var machine = machine(Platform.LINUX);
        var file = machine.hostFile(McpHost.CLAUDE_CODE, Scope.USER);
        Files.writeString(
                file,
                "{\"projects\": {\"a\\u0000b\": {\"mcpServers\": {\"x\": {\"command\": \"c\"}}}}}");
        assertThat(plan(machine, McpHost.CLAUDE_CODE).rows()).isEmpty();
    }

    @Test
    void doesNotImportFileIntoItself() throws IOException {
        var machine = machine(Platform.LINUX);
        var file =
                machine.writeSample(McpHost.CLAUDE_CODE, Scope.PROJECT, "claude-code-project.json");
        var plan =
                new Importer(machine.userEnvironment).plan(McpHost.CLAUDE_CODE, ALL_SCOPES, file);
        assertThat(plan.rows()).isEmpty();
    }

    private TestMachine machine(Platform platform) throws IOException {
        return new TestMachine(folder, platform, ENVIRONMENT);
    }

    private static Path target(TestMachine machine) {
        return machine.workingDirectory.resolve("patchbay.json");
    }

    private static ImportPlan plan(TestMachine machine, McpHost host) throws IOException {
        return new Importer(machine.userEnvironment).plan(host, ALL_SCOPES, target(machine));
    }

    private static List<String> outcomes(ImportPlan plan) {
        assertThat(plan.rows())
                .allMatch(row -> (row.entry() != null) == (row.outcome() == Outcome.ADD));
        return plan.rows().stream().map(row -> row.key() + " " + row.outcome()).toList();
    }

    /** Imports, and gives the file that came of it, which the reader must read. */
    private static String importAndReadTarget(TestMachine machine, McpHost host)
            throws IOException {
        var importer = new Importer(machine.userEnvironment);
        var plan = importer.plan(host, ALL_SCOPES, target(machine));
        assertThat(importer.apply(plan)).isInstanceOf(Changed.class);
        var read = new ConfigReader(machine.userEnvironment.variables()).read(target(machine));
        assertThat(read).isInstanceOf(ConfigReadResult.Valid.class);
        assertThat(((ConfigReadResult.Valid) read).configuration().servers())
                .hasSameSizeAs(plan.entries());
        return Files.readString(target(machine));
    }
}
