package dev.patchbay.config.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Environment.Platform;
import dev.patchbay.config.edit.EditResult;
import dev.patchbay.config.hosts.Adopter.Undone;
import dev.patchbay.config.hosts.Adopter.UndoneFile;
import dev.patchbay.config.hosts.HostFile.Scope;
import dev.patchbay.config.hosts.Installer.LaunchCommand;
import dev.patchbay.config.read.ConfigReader;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The servers of hosts moved into Patchbay, and back. */
class AdopterTest {
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-11-18T10:00:00Z"));
    private static final List<McpHost> FIVE =
            List.of(McpHost.CURSOR, McpHost.CODEX, McpHost.ZED, McpHost.CONTINUE, McpHost.OPENCODE);

    @TempDir Path folder;

    private TestMachine machine;
    private Path config;

    @BeforeEach
    void createMachine() throws IOException {
        machine = new TestMachine(folder, Platform.LINUX, Map.of());
        config = machine.userEnvironment.configDirectory().resolve("patchbay.json");
    }

    @Test
    void fiveHostsAreAdoptedAndPutBackByteForByte() throws IOException {
        for (McpHost host : FIVE) {
            machine.writeSample(host, Scope.USER, HostSamples.name(host));
        }
        Map<Path, String> before = files();
        assertThat(new HostFinder(machine.userEnvironment).find())
                .containsExactlyInAnyOrderElementsOf(FIVE);

        AdoptionPlan plan = adopt(FIVE);

        assertThat(plan.refusals()).isEmpty();
        assertThat(plan.changes()).hasSize(5).allMatch(it -> it.kept().isEmpty());
        for (McpHost host : FIVE) {
            var found = new HostFinder(machine.userEnvironment).examine(host, config);
            assertThat(found.hasPatchbay()).as(host.cliName()).isTrue();
            assertThat(found.servers()).as(host.cliName()).isEmpty();
        }
        var read = new ConfigReader(Map.of()).read(config);
        assertThat(((ConfigReadResult.Valid) read).configuration().servers())
                .hasSameSizeAs(plan.imported().entries())
                .hasSizeGreaterThan(8);

        assertThat(undo(EnumSet.allOf(McpHost.class)))
                .extracting(UndoneFile::how)
                .containsExactly(
                        Undone.RESTORED,
                        Undone.RESTORED,
                        Undone.RESTORED,
                        Undone.RESTORED,
                        Undone.RESTORED,
                        Undone.DELETED);
        assertThat(files()).isEqualTo(before);
    }

    /** What else is in a file stays, such as extensions, which have no command to start. */
    @Test
    void keepsEverythingElse() throws IOException {
        Path zed = machine.writeSample(McpHost.ZED, Scope.USER, "zed.json");
        Path goose = machine.writeSample(McpHost.GOOSE, Scope.USER, "goose.yaml");
        adopt(List.of(McpHost.ZED, McpHost.GOOSE));
        assertThat(zed)
                .content()
                .contains("\"mcp-server-github\"", "\"vim_mode\": true", "\"patchbay\"", "// Zed")
                .doesNotContain("some-command");
        assertThat(goose)
                .content()
                .contains("developer:", "GOOSE_MODE: auto", "patchbay:", "# a remote one")
                .doesNotContain("docs:", "github:");
    }

    @Test
    void secondAdoptionChangesNothing() throws IOException {
        machine.writeSample(McpHost.CURSOR, Scope.USER, "cursor.json");
        adopt(List.of(McpHost.CURSOR));
        assertThat(plan(List.of(McpHost.CURSOR)).isEmpty()).isTrue();
    }

    /** One host is put back; the servers stay, because the other host uses them. */
    @Test
    void undoOfOneHostKeepsTheServers() throws IOException {
        Path cursor = machine.writeSample(McpHost.CURSOR, Scope.USER, "cursor.json");
        Path kiro = machine.writeSample(McpHost.KIRO, Scope.USER, "kiro.json");
        Map<Path, String> before = files();
        adopt(List.of(McpHost.CURSOR));
        adopt(List.of(McpHost.KIRO));
        String servers = Files.readString(config);

        undo(EnumSet.of(McpHost.CURSOR));
        assertThat(Files.readString(cursor)).isEqualTo(before.get(cursor));
        assertThat(Files.readString(config)).isEqualTo(servers);
        assertThat(kiro).content().doesNotContain("aws-docs");

        undo(EnumSet.of(McpHost.KIRO));
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void undoKeepsChangesMadeSince() throws IOException {
        Path cursor = machine.writeSample(McpHost.CURSOR, Scope.USER, "cursor.json");
        adopt(List.of(McpHost.CURSOR));
        String more = "\"new\": {\"command\": \"n\"}, \"patchbay\": {";
        Files.writeString(cursor, Files.readString(cursor).replace("\"patchbay\": {", more));
        String own = Files.readString(config);
        Files.writeString(
                config,
                own.replace("\"mcpServers\": {", "\"mcpServers\": {\"x\": {\"command\": \"x\"},"));

        var undone = undo(EnumSet.allOf(McpHost.class));

        assertThat(undone).extracting(UndoneFile::how).containsOnly(Undone.MERGED);
        assertThat(undone.getFirst().backup()).exists();
        assertThat(cursor)
                .content()
                .contains("\"new\"", "\"web.search\"", "\"old\"")
                .doesNotContain("patchbay");
        assertThat(config).content().contains("\"x\"").doesNotContain("web-search");
    }

    @Test
    void leavesBrokenHostAndAdoptsTheOthers() throws IOException {
        machine.writeSample(McpHost.CURSOR, Scope.USER, "cursor.json");
        Path kiro = machine.writeSample(McpHost.KIRO, Scope.USER, "kiro.json");
        Files.writeString(kiro, "{\"mcpServers\": ");
        AdoptionPlan plan = adopt(List.of(McpHost.CURSOR, McpHost.KIRO));
        assertThat(plan.refusals()).singleElement().matches(it -> it.host() == McpHost.KIRO);
        assertThat(plan.changes()).singleElement().matches(it -> it.host() == McpHost.CURSOR);
        assertThat(kiro).hasContent("{\"mcpServers\": ");
    }

    /** Servers of single projects are in the same file. */
    @Test
    void takesServersOfProjectsOutOfClaudeCode() throws IOException {
        Path file = machine.writeSample(McpHost.CLAUDE_CODE, Scope.USER, "claude-code-state.json");
        String before = Files.readString(file);
        AdoptionPlan plan = adopt(List.of(McpHost.CLAUDE_CODE));
        assertThat(plan.changes().getFirst().taken())
                .extracting(place -> place.path().size())
                .contains(1, 3);
        assertThat(file).content().doesNotContain("ruby", "server-memory");
        undo(EnumSet.allOf(McpHost.class));
        assertThat(Files.readString(file)).isEqualTo(before);
    }

    /** Two copies of a tool are never silent. */
    @Test
    void findsCopiesInHostWithPatchbay() throws IOException {
        machine.writeSample(McpHost.KIRO, Scope.USER, "kiro.json");
        var importer = new Importer(machine.userEnvironment);
        importer.apply(importer.plan(McpHost.KIRO, EnumSet.of(Scope.USER), config));
        var installer = new Installer(machine.userEnvironment, CLOCK);
        installer.apply(
                (InstallPlan.Change) installer.planInstall(McpHost.KIRO, Scope.USER, program()));
        var found = new HostFinder(machine.userEnvironment).examine(McpHost.KIRO, config);
        assertThat(found.hasPatchbay()).isTrue();
        assertThat(found.copies()).containsExactly("aws-docs", "remote");
    }

    private AdoptionPlan plan(List<McpHost> hosts) throws IOException {
        return new AdoptionPlanner(machine.userEnvironment).plan(hosts, config, program());
    }

    private LaunchCommand program() {
        return new LaunchCommand(Path.of("/opt/patchbay"), config);
    }

    private AdoptionPlan adopt(List<McpHost> hosts) throws IOException {
        AdoptionPlan plan = plan(hosts);
        var adopter = adopter();
        assertThat(adopter.addServers(plan.imported())).isInstanceOf(EditResult.Changed.class);
        for (var change : plan.changes()) {
            adopter.apply(change);
        }
        return plan;
    }

    private List<UndoneFile> undo(EnumSet<McpHost> hosts) throws IOException {
        return adopter().undo(hosts);
    }

    private Adopter adopter() {
        var journal = new AdoptionJournal(machine.workingDirectory);
        return new Adopter(machine.userEnvironment, journal, CLOCK);
    }

    /** Every file of the home folder by its path. */
    private Map<Path, String> files() throws IOException {
        var texts = new TreeMap<Path, String>();
        try (var paths = Files.walk(machine.home)) {
            for (Path path : paths.filter(Files::isRegularFile).toList()) {
                texts.put(path, Files.readString(path));
            }
        }
        return texts;
    }
}
