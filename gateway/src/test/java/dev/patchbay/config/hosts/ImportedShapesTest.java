package dev.patchbay.config.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.Environment.Platform;
import dev.patchbay.config.hosts.HostFile.Scope;
import dev.patchbay.config.hosts.ImportPlan.Outcome;
import dev.patchbay.config.hosts.ImportPlan.Row;
import dev.patchbay.config.hosts.Installer.LaunchCommand;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What becomes of each member of an entry, in the structure of each host. */
class ImportedShapesTest {
    /** The variables that the samples name. */
    private static final Map<String, String> VARIABLES =
            Stream.of(
                            "AMP_TOKEN API_KEY A_KEY_THAT_IS_NOT_SET C7_KEY DOCS_TOKEN FIGMA_TOKEN"
                                    .split(" ", -1),
                            "GITHUB_TOKEN GIT_TOKEN HOME KIRO_KEY KIRO_TOKEN LEVEL".split(" ", -1),
                            "OPEN_KEY PLAY_TOKEN ROO_TOKEN SEARCH_KEY SENTRY_TOKEN SQLITE_KEY"
                                    .split(" ", -1),
                            "ZAPIER_KEY".split(" ", -1))
                    .flatMap(Stream::of)
                    .collect(Collectors.toMap(it -> it, _ -> "set"));

    @TempDir Path folder;

    /** The expectations are in a file: one line for each entry, and its notes below. */
    @Test
    void translatesEveryMemberOrSaysThatItDoesNot() throws IOException {
        var actual = new StringBuilder();
        for (var host : McpHost.values()) {
            var machine = machine();
            machine.writeSample(host, Scope.USER, HostSamples.name(host));
            actual.append("== ").append(host.cliName()).append('\n');
            for (Row row : plan(machine, host).rows()) {
                var entry = row.entry() == null ? "" : " " + row.entry().definition();
                actual.append(row.key() + " " + row.outcome() + entry + "\n");
                row.notes().forEach(note -> actual.append("     ").append(note).append('\n'));
            }
        }
        assertThat(actual.toString().replaceAll("/[^\"]*/machine[0-9]*/", "MACHINE/"))
                .isEqualTo(machine().sample("imported.txt"));
    }

    @ParameterizedTest
    @EnumSource
    void neverImportsPatchbayItself(McpHost host) throws IOException {
        var machine = machine();
        machine.writeSample(host, Scope.USER, HostSamples.name(host));
        var installer = new Installer(machine.userEnvironment, InstantSource.system());
        var program = new LaunchCommand(Path.of("/opt/patchbay"), Path.of("/home/kim/p.json"));
        var change = (InstallPlan.Change) installer.planInstall(host, Scope.USER, program);
        installer.apply(change);
        assertThat(plan(machine, host).rows())
                .filteredOn(row -> row.key().equals("patchbay"))
                .extracting(Row::outcome)
                .containsExactly(Outcome.SELF);
        assertThat(new InstallationFinder(machine.userEnvironment).find(null))
                .extracting(InstallationFinder.Installation::host)
                .containsExactly(host);
    }

    /** Hosts write the same server in different ways. */
    @Test
    void neverImportsTheSameServerTwice() throws IOException {
        var machine = machine();
        var files =
                Map.of(
                        McpHost.OPENCODE,
                        "{\"mcp\": {\"a\": {\"type\": \"local\", \"command\": [\"x\", \"y\"],"
                                + " \"environment\": {\"K\": \"v\"}, \"enabled\": true}}}",
                        McpHost.ZED,
                        "{\"context_servers\": {\"b\": {\"command\": \"x\", \"args\": [\"y\"],"
                                + " \"env\": {\"K\": \"v\"}, \"timeout\": 9}}}",
                        McpHost.GOOSE,
                        """
                        extensions:
                          c:
                            type: stdio
                            cmd: x
                            args: [y]
                            envs:
                              K: v
                        """);
        var importer = new Importer(machine.userEnvironment);
        var ids = new HashSet<String>();
        for (var host : McpHost.values()) {
            if (files.containsKey(host)) {
                Path file = machine.hostFile(host, Scope.USER);
                Files.createDirectories(file.getParent());
                Files.writeString(file, files.get(host));
                var plan = plan(machine, host);
                plan.entries().forEach(entry -> ids.add(entry.key()));
                importer.apply(plan);
            }
        }
        assertThat(ids).hasSize(1);
        assertThat(plan(machine, McpHost.OPENCODE).rows())
                .extracting(Row::outcome)
                .containsExactly(Outcome.SAME);
    }

    @ParameterizedTest
    @CsvSource({
        "zed.json,settings.json",
        "opencode.jsonc,opencode.jsonc",
        "amp.json,settings.json",
        "goose.yaml,config.yaml",
        "continue.yaml,my.yml",
    })
    void recognizesTheFileOfAnyHost(String sample, String name) throws IOException {
        var machine = machine();
        Path file = machine.writeSample(machine.workingDirectory.resolve("x", name), sample);
        var plan = new Importer(machine.userEnvironment).plan(file, target(machine));
        assertThat(plan.sources().getFirst().errors()).isEmpty();
        assertThat(plan.entries()).hasSizeGreaterThanOrEqualTo(2);
    }

    /** Continue ignores config.json as soon as there is a config.yaml. */
    @Test
    void doesNotReplaceTheOlderFileOfContinue() throws IOException {
        var machine = machine();
        Path file = machine.hostFile(McpHost.CONTINUE, Scope.USER);
        Files.createDirectories(file.getParent());
        Files.writeString(file.resolveSibling("config.json"), "{}");
        var installer = new Installer(machine.userEnvironment, InstantSource.system());
        var program = new LaunchCommand(Path.of("/opt/patchbay"), null);
        assertThat(installer.planInstall(McpHost.CONTINUE, Scope.USER, program))
                .isInstanceOf(InstallPlan.Refused.class);
    }

    @Test
    void readsEveryFileOfTheFolderOfContinue() throws IOException {
        var machine = machine();
        Path servers = machine.home.resolve(".continue", "mcpServers");
        Files.createDirectories(servers);
        Files.writeString(servers.resolve("a.yaml"), "mcpServers:\n  - name: a\n    command: a\n");
        Files.writeString(
                servers.resolve("b.json"), "{\"mcpServers\": {\"b\": {\"command\": \"b\"}}}");
        assertThat(plan(machine, McpHost.CONTINUE).rows())
                .extracting(Row::key)
                .containsExactly("a", "b");
    }

    private TestMachine machine() throws IOException {
        return new TestMachine(folder, Platform.LINUX, VARIABLES);
    }

    private static Path target(TestMachine machine) {
        return machine.workingDirectory.resolve("patchbay.json");
    }

    private static ImportPlan plan(TestMachine machine, McpHost host) throws IOException {
        return new Importer(machine.userEnvironment)
                .plan(host, EnumSet.of(Scope.USER), target(machine));
    }
}
