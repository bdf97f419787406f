package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Exit codes, JSON and messages of each command. */
class CliCommandsTest {
    private static final String TOOLS =
            """
            {"tools":[{"name":"echo","description":"Says it.","inputSchema":{"type":"object",\
            "properties":{"n":{"type":"integer"}},"required":["n"]}}]}\
            """;

    @TempDir private static Path folder;

    private static TestInstallation installation;

    @BeforeAll
    static void configure() throws IOException {
        installation = new TestInstallation(folder);
        BrokenServers.writeServer(folder);
        Path list = Files.writeString(folder.resolve("tools.json"), TOOLS);
        installation.withServer("a", BrokenServers.workingEntry(folder, list));
        installation.withServer("bad", "{\"command\": \"no-such-program\", \"maxRetries\": 0}");
        installation.withServer("off", "{\"command\": \"true\", \"enabled\": false}");
        installation.withServer(
                "unset", "{\"command\": \"true\", \"env\": {\"K\": \"${NO_SUCH_VARIABLE}\"}}");
        installation.save(installation.configText().replace("\"selfTools\": true", ""));
    }

    private static Set<String> memberNames(JsonTree tree) {
        var names = new TreeSet<String>();
        ((JsonTree.Obj) tree).members().forEach(member -> names.add(member.name()));
        return names;
    }

    private static JsonTree parseOutput(CommandResult outcome) {
        assertThat(outcome.out().lines()).as(outcome.err()).hasSize(1);
        return StrictJson.parse(outcome.out());
    }

    @Test
    void serversShowsEachServerAndItsState() throws InterruptedException {
        CommandResult outcome = installation.run("servers", "--json");

        assertThat(outcome.status()).as("two servers have failed").isEqualTo(1);
        List<JsonTree> servers = parseOutput(outcome).asList();
        assertThat(servers.stream().map(it -> it.at("status").asText()))
                .containsExactly("connected", "error", "disabled", "error");
        assertThat(memberNames(servers.getFirst()))
                .containsExactlyInAnyOrder(
                        "serverId",
                        "status",
                        "enabled",
                        "transport",
                        "sandbox",
                        "era",
                        "scope",
                        "scopeReason",
                        "processes",
                        "toolCount",
                        "resourceCount",
                        "promptCount",
                        "lastConnectedAt",
                        "lastDiscoveredAt",
                        "attempts");
        assertThat(servers.get(1).at("lastError").asText())
                .startsWith("CONNECTION_FAILED: Server bad")
                .contains("no-such-program");
        assertThat(servers.get(3).at("lastError").asText())
                .contains(
                        "The environment variable NO_SUCH_VARIABLE is not set",
                        "not tried again until this is fixed");
        assertThat(installation.run("servers").out()).contains("SERVER").contains("connected");
    }

    @Test
    void toolsShowsTheCatalogByFullName() throws InterruptedException {
        CommandResult outcome = installation.run("tools", "--json");

        assertThat(outcome.status()).as("a server could not be asked").isEqualTo(1);
        JsonTree tool = parseOutput(outcome).at(0);
        assertThat(memberNames(tool))
                .containsExactlyInAnyOrder(
                        "fullName", "toolName", "serverId", "description", "inputSchema");
        assertThat(tool.at("fullName").asText()).isEqualTo("a.echo");
        assertThat(outcome.err()).contains("patchbay: bad: Server bad cannot be started");
        assertThat(installation.run("tools", "nothing*").out()).doesNotContain("a.echo");
    }

    @Test
    void discoverHasARowForEveryServer() throws InterruptedException {
        CommandResult outcome =
                installation.run("discover", "--include-disabled", "--force-refresh", "--json");

        assertThat(outcome.status()).isEqualTo(1);
        JsonTree result = parseOutput(outcome);
        assertThat(memberNames(result))
                .containsExactlyInAnyOrder(
                        "tools", "resources", "serverResults", "totalDurationMs", "discoveredAt");
        List<JsonTree> rows = result.at("serverResults").asList();
        assertThat(rows.stream().map(it -> it.at("status").asText()))
                .containsExactly("success", "error", "skipped", "error");
        assertThat(memberNames(rows.get(1)))
                .containsExactlyInAnyOrder(
                        "serverId", "status", "toolCount", "resourceCount", "error", "durationMs");
        assertThat(installation.run("discover", "--server", "a").status()).isZero();
        assertThat(installation.run("discover", "--server", "zz").out()).contains("no server zz");
    }

    @Test
    void callPrintsTheToolResult() throws InterruptedException {
        CommandResult text = installation.run("call", "a.echo", "n=1");
        CommandResult json = installation.run("call", "a.echo", "--args", "{\"n\": 1}", "--json");

        assertThat(text.status()).as(text.err()).isZero();
        assertThat(text.out()).isEqualTo("called\n");
        assertThat(json.status()).isZero();
        assertThat(memberNames(parseOutput(json)))
                .containsExactlyInAnyOrder(
                        "success", "toolName", "serverId", "content", "isError", "durationMs");
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource({
        "a.echo, n=x, INVALID_ARGUMENTS",
        "a.ecco, n=1, TOOL_NOT_FOUND",
        "zz.echo, n=1, TOOL_NOT_FOUND",
        "off.echo, n=1, SERVER_DISABLED",
        "bad.echo, n=1, CONNECTION_FAILED",
        "unset.echo, n=1, CONNECTION_FAILED",
    })
    void callReportsWhyItFailed(String tool, String argument, String reason)
            throws InterruptedException {
        CommandResult json = installation.run("call", tool, argument, "--json");
        CommandResult text = installation.run("call", tool, argument);

        assertThat(json.status()).isEqualTo(1);
        JsonTree error = parseOutput(json).at("error");
        assertThat(error.at("reason").asText()).isEqualTo(reason);
        assertThat(error.at("execution").asText()).isEqualTo("not_sent");
        assertThat(text.status()).isEqualTo(1);
        assertThat(text.out()).isEmpty();
        assertThat(text.err()).contains("patchbay: " + reason + ": ");
        assertThat(text.err().contains("patchbay doctor " + tool))
                .isEqualTo(!reason.equals("INVALID_ARGUMENTS"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nosuch",
                "servers --nope",
                "call",
                "call a.echo --args {",
                "call a.echo --timeout soon",
                "add x",
                "install emacs",
                "serve --listen nonsense",
                "servers --config absent.json",
                "check absent.json",
                "doctor --config absent.json",
            })
    void wrongUsageExitsWithTwoAndShowsTheUsage(String line) throws InterruptedException {
        CommandResult outcome =
                installation.runWithoutConfig(line.isEmpty() ? new String[0] : line.split(" ", -1));

        assertThat(outcome.status()).as(outcome.err()).isEqualTo(2);
        assertThat(outcome.out() + outcome.err())
                .containsPattern(
                        "Usage: |Unknown command|does not exist|No such file|Unknown host");
        assertThat(outcome.err()).doesNotContain("Exception").doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "call --help", "--version", "completion", "manual man"})
    void helpGoesToStandardOutput(String line) throws InterruptedException {
        CommandResult outcome = installation.runWithoutConfig(line.split(" ", -1));

        assertThat(outcome.status()).isZero();
        assertThat(outcome.out()).contains("patchbay");
        assertThat(outcome.err()).isEmpty();
    }

    @Test
    void checkReportsAllErrorsWithPositions(@TempDir Path other) throws InterruptedException {
        var faulty = new TestInstallation(other);
        faulty.save("{\"mcpServers\": {\"a\": {\"command\": 7},\n \"b\": {\"maxRetries\": 99}}}");

        CommandResult text = faulty.run("check");
        CommandResult json = faulty.run("check", "--json");

        assertThat(text.status()).isEqualTo(2);
        assertThat(text.out())
                .contains("patchbay.json:1:34: error: mcpServers.a.command")
                .contains("patchbay.json:2:");
        assertThat(json.status()).isEqualTo(2);
        assertThat(memberNames(parseOutput(json))).containsExactlyInAnyOrder("valid", "findings");
        assertThat(memberNames(parseOutput(json).at("findings", 0)))
                .containsExactlyInAnyOrder(
                        "severity", "kind", "line", "column", "path", "problem", "remedy");
        assertThat(installation.run("check").out())
                .contains("NO_SUCH_VARIABLE is not set", "ok: 4 servers");
    }

    @Test
    void editsKeepCommentsAndOrder(@TempDir Path other) throws Exception {
        var edited = new TestInstallation(other);
        String before =
                """
                {
                  // mine
                  "mcpServers": {
                    "z": {"command": "z"} // last
                  }
                }
                """;
        edited.save(before);

        CommandResult added = edited.run("add", "a", "--", "prog", "--flag");
        assertThat(added.status()).isZero();
        assertThat(added.err()).contains("prog", "The entry was kept", "patchbay doctor a");
        assertThat(Files.readString(edited.configFile())).contains("// mine", "// last", "--flag");
        assertThat(edited.run("add", "a", "--", "prog").status()).isEqualTo(1);
        assertThat(edited.run("add", "a", "--", "prog").err())
                .contains("Server a already exists in ", "Remove it first: patchbay remove");
        assertThat(edited.run("disable", "a").status()).isZero();
        assertThat(Files.readString(edited.configFile())).contains("\"enabled\": false");
        assertThat(edited.run("enable", "a").status()).isZero();
        assertThat(edited.run("remove", "a").status()).isZero();
        assertThat(Files.readString(edited.configFile())).isEqualTo(before);
        for (String command : List.of("remove", "enable", "disable")) {
            CommandResult absent = edited.run(command, "nobody");
            assertThat(absent.status()).isEqualTo(1);
            assertThat(absent.err()).contains("There is no server nobody in ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"remove", "enable", "disable"})
    void editWithoutConfigurationReportsIt(String command, @TempDir Path other)
            throws InterruptedException {
        CommandResult early = new TestInstallation(other).runWithoutConfig(command, "nobody");

        assertThat(early.status()).isEqualTo(1);
        assertThat(early.err())
                .contains("no server nobody: there is no configuration yet", "patchbay add");
    }

    @Test
    void attemptsFollowMaxRetriesUnlessTheFailureIsPermanent(@TempDir Path other) throws Exception {
        var broken = new TestInstallation(other);
        broken.withServer("gone", "{\"command\": \"no-such-program\", \"maxRetries\": 2}");
        broken.withServer("once", exitingServer(other, 0));
        broken.withServer("twice", exitingServer(other, 1));
        broken.save(broken.configText());

        List<JsonTree> servers = parseOutput(broken.run("servers", "--json")).asList();
        assertThat(servers.stream().map(it -> it.at("attempts").asLong()))
                .containsExactly(1L, 1L, 2L);
    }

    @Test
    void callStartsAFailingServerOnlyAsOftenAsConfigured(@TempDir Path other) throws Exception {
        var broken = new TestInstallation(other);
        broken.withServer("twice", exitingServer(other, 1));
        broken.save(broken.configText());

        JsonTree error = parseOutput(broken.run("call", "twice.echo", "--json")).at("error");
        assertThat(error.at("attempts").asLong()).isEqualTo(2);
        assertThat(Files.readAllLines(other.resolve("starts"))).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"one.echo", "one__echo"})
    void callStartsOnlyTheServerOfTheTool(String tool, @TempDir Path other) throws Exception {
        var both = new TestInstallation(other);
        both.withServer("noted", exitingServer(other, 0));
        both.withServer(both.script("one").tools("echo")).save();

        assertThat(both.run("call", tool, "--args", "{\"x\":1}").status()).isZero();
        assertThat(other.resolve("starts")).doesNotExist();
        assertThat(both.run("call", "absent.echo").status()).isEqualTo(1);
        assertThat(other.resolve("starts")).exists();
    }

    /** A server that notes its start and exits. */
    private static String exitingServer(Path folder, int maxRetries) {
        String script = "echo start >> '" + folder.resolve("starts") + "'; exit 3";
        return "{\"command\": \"sh\", \"args\": [\"-c\", \"%s\"], \"maxRetries\": %d}"
                .formatted(script, maxRetries);
    }

    @Test
    void addAcceptsAToolFilterThatAllCommandsApply(@TempDir Path other) throws Exception {
        var sieve = new TestInstallation(other);
        BrokenServers.writeServer(other);
        Path list = Files.writeString(other.resolve("tools.json"), TOOLS);
        String[] add = {
            "add", "--exclude", "e*", "--include", "*o", "a", "--", "/bin/sh",
        };
        var words = new ArrayList<>(List.of(add));
        words.addAll(List.of(other.resolve("server.sh").toString(), list.toString(), "none"));

        CommandResult added = sieve.run(words.toArray(String[]::new));
        assertThat(added.status()).as(added.err()).isZero();
        assertThat(added.out()).contains("Connected to a: 0 tools");
        JsonTree written = StrictJson.parse(Files.readString(sieve.configFile()));
        assertThat(written.at("mcpServers", "a", "tools").write())
                .isEqualTo("{\"include\":[\"*o\"],\"exclude\":[\"e*\"]}");
        assertThat(sieve.run("servers").out()).contains("1 filtered");
        assertThat(parseOutput(sieve.run("servers", "--json")).at(0, "filtered").write())
                .isEqualTo("[\"echo\"]");
        assertThat(parseOutput(sieve.run("tools", "--json")).asList()).isEmpty();
        CommandResult call = sieve.run("call", "a.echo", "n=1", "--json");
        assertThat(call.status()).isEqualTo(1);
        assertThat(parseOutput(call).at("error", "reason").asText()).isEqualTo("TOOL_NOT_FOUND");
        assertThat(parseOutput(call).at("error", "message").asText())
                .contains("a.echo is filtered");
        assertThat(sieve.run("add", "b", "--exclude", "", "--", "x").status()).isEqualTo(2);
    }

    @Test
    void importAndInstallReportWhatIsMissing(@TempDir Path other) throws InterruptedException {
        var empty = new TestInstallation(other);

        CommandResult absent = empty.runWithoutConfig("import", "cursor");
        CommandResult dry = empty.runWithoutConfig("install", "cursor", "--dry-run");
        CommandResult nothing = empty.runWithoutConfig("uninstall", "cursor");

        assertThat(absent.status()).isEqualTo(1);
        assertThat(absent.err()).contains("Cursor has no MCP configuration here (looked in");
        assertThat(dry.status()).isZero();
        assertThat(dry.out()).contains("Nothing was changed.");
        assertThat(other.resolve(".cursor")).doesNotExist();
        assertThat(nothing.status()).isZero();
        assertThat(nothing.out()).contains("Nothing to change in ");
    }

    /** The address is in the output, whether or not the port is in use. */
    @Test
    void serveListensAtTheDocumentedAddress(@TempDir Path other) {
        var plain =
                new TestInstallation(other)
                        .withServer("off", "{\"command\": \"x\", \"enabled\": false}");
        String file = plain.save().configFile().toString();
        TestHost host =
                plain.start(TestInstallation.program().launcherCommand("serve", "--config", file));
        try (var client = host.client()) {
            assertThat(
                            TestHost.await(
                                    TestHost.TIMEOUT,
                                    () -> client.stderr().contains("127.0.0.1:8808")))
                    .as(client.stderr())
                    .isTrue();
        }
    }

    @Test
    void serveOnAPortInUseFailsWithOneLine() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CommandResult outcome =
                    installation.run("serve", "--listen", "127.0.0.1:" + taken.getLocalPort());

            assertThat(outcome.status()).isEqualTo(1);
            assertThat(outcome.err())
                    .contains("patchbay: Cannot listen on 127.0.0.1:" + taken.getLocalPort())
                    .contains("--listen")
                    .doesNotContain("\tat ");
        }
    }
}
