package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The JSON output of commands has exactly the members that the guide names. */
class JsonOutputTest {
    private static final Pattern TIME =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
    private static final String TOOLS =
            """
            [{"name": "echo", "x-behaviour": "echo", "description": "Says it.",
              "inputSchema": {"type": "object"}},
             {"name": "fail", "x-behaviour": "fail", "inputSchema": {"type": "object"}},
             {"name": "odd", "inputSchema": {"type": "array"}},
             {"name": "hidden", "inputSchema": {"type": "object"}}]
            """;

    /** Objects that come from a server or a host; their members are not checked. */
    private static final Set<String> FOREIGN_OBJECTS =
            Set.of(
                    "inputSchema",
                    "content",
                    "structuredContent",
                    "withheld",
                    "tools",
                    "resources",
                    "entry");

    @TempDir private Path folder;
    private TestInstallation installation;

    @BeforeEach
    void configure() throws Exception {
        installation = new TestInstallation(folder);
        String more =
                "\"tools\": {\"exclude\": [\"hid*\"]}, \"description\": \"d\", \"tags\": [\"t\"]";
        installation.withServer(installation.script("a").withToolDefinitions(TOOLS), more);
        installation
                .withServer(
                        "bad",
                        "{\"command\": \"no-such-program\", \"maxRetries\": 0, \"comand\": 1}")
                .save();
        Path cursor = Files.createDirectories(folder.resolve(".cursor")).resolve("mcp.json");
        Files.writeString(cursor, "{\"mcpServers\": {\"x\": {\"command\": \"c\"}, \"y\": 7}}");
    }

    /** The names in a row of the guide, including nested objects. */
    private static Set<String> documentedNames(String command) throws Exception {
        String page = Files.readString(TestInstallation.program().root().resolve("docs/output.md"));
        String row =
                page.lines()
                        .filter(it -> it.matches("\\| [^|]*`" + command + "`.*"))
                        .findFirst()
                        .orElseThrow();
        String shape = row.substring(row.indexOf('{'), row.lastIndexOf('}'));
        return new TreeSet<>(List.of(shape.replaceAll("[^A-Za-z]+", " ").strip().split(" ", -1)));
    }

    /** Collects the names of all members, except in foreign objects. */
    private static void collectMemberNames(JsonTree tree, Set<String> names) {
        switch (tree) {
            case JsonTree.Obj object ->
                    object.members()
                            .forEach(
                                    member -> {
                                        names.add(member.name());
                                        if (!FOREIGN_OBJECTS.contains(member.name())) {
                                            collectMemberNames(member.value(), names);
                                        }
                                    });
            case JsonTree.Arr array -> array.asList().forEach(it -> collectMemberNames(it, names));
            default -> {}
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "servers, servers, activity nextAttemptAt",
        "tools, tools, available",
        "discover, discover --include-disabled, ''",
        "call, call a.echo, error reason message operation attempts execution structuredContent",
        "call, call a.fail, structuredContent error reason message operation attempts execution",
        "call, call bad.x, content structuredContent",
        "check, check, ''",
        "doctor, doctor, tool",
        "import, import cursor --dry-run, serverId origin summary",
        "install, install cursor, notes",
        "uninstall, uninstall cursor, entry backup notes",
        "add, add b -- x, ''",
    })
    void hasExactlyTheDocumentedMembers(String command, String line, String absent)
            throws Exception {
        var words = new ArrayList<>(List.of(line.split(" ", -1)));
        words.add(1, "--json");
        TestInstallation.CommandResult outcome =
                command.equals("uninstall")
                        ? installation.runWithoutConfig(words.toArray(String[]::new))
                        : installation.run(words.toArray(String[]::new));
        assertThat(outcome.out().lines()).as(outcome.err()).hasSize(1);
        var names = new TreeSet<String>();
        collectMemberNames(StrictJson.parse(outcome.out()), names);
        assertThat(documentedNames(command)).as(outcome.out()).containsAll(names);
        var missing = new TreeSet<>(documentedNames(command));
        missing.removeAll(names);
        assertThat(List.of((absent + " era stale lastError").split(" ", -1))).containsAll(missing);
    }

    @Test
    void toolErrorIsAFailure() throws Exception {
        assertThat(installation.run("call", "a.fail").status()).isEqualTo(1);
        JsonTree reported = StrictJson.parse(installation.run("call", "--json", "a.fail").out());
        assertThat(reported.at("isError").write()).isEqualTo("true");
    }

    @Test
    void timesAreUtc() throws Exception {
        JsonTree server = StrictJson.parse(installation.run("servers", "--json").out()).at(0);
        assertThat(server.at("lastConnectedAt").asText()).matches(TIME);
        assertThat(server.at("lastDiscoveredAt").asText()).matches(TIME);
    }

    /** A server that does not start again has its cached list. */
    @Test
    void cachedListIsReportedAsStale() throws Exception {
        assertThat(installation.run("tools").out()).contains("a.echo");
        Files.delete(folder.resolve("a.tools.json"));
        JsonTree server = StrictJson.parse(installation.run("servers", "--json").out()).at(0);
        assertThat(server.at("stale").write()).as("%s", server).isEqualTo("true");
        JsonTree tool = StrictJson.parse(installation.run("tools", "--json").out()).at(0);
        assertThat(tool.at("available").write()).as("%s", tool).isEqualTo("false");
    }
}
