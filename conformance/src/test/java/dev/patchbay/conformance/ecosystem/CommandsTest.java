package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.Workbench.Outcome;
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

/** What people and scripts rely on: each command's exit code, its JSON, and what it says. */
class CommandsTest {
    private static final String TOOLS =
            """
            {"tools":[{"name":"echo","description":"Says it.","inputSchema":{"type":"object",\
            "properties":{"n":{"type":"integer"}},"required":["n"]}}]}\
            """;

    @TempDir private static Path folder;

    private static Workbench bench;

    @BeforeAll
    static void configure() throws IOException {
        bench = new Workbench(folder);
        Ward.writeServer(folder);
        Path list = Files.writeString(folder.resolve("tools.json"), TOOLS);
        bench.with("a", Ward.entry(folder, list));
        bench.with("bad", "{\"command\": \"no-such-program\", \"maxRetries\": 0}");
        bench.with("off", "{\"command\": \"true\", \"enabled\": false}");
        bench.with("unset", "{\"command\": \"true\", \"env\": {\"K\": \"${NO_SUCH_VARIABLE}\"}}");
        bench.save(bench.text().replace("\"selfTools\": true", ""));
    }

    private static Set<String> names(JsonTree tree) {
        var names = new TreeSet<String>();
        ((JsonTree.Obj) tree).members().forEach(member -> names.add(member.name()));
        return names;
    }

    private static JsonTree json(Outcome outcome) {
        assertThat(outcome.out().lines()).as(outcome.err()).hasSize(1);
        return StrictJson.parse(outcome.out());
    }

    @Test
    void serversTellsEachServerAndItsTrueState() throws InterruptedException {
        Outcome outcome = bench.run("servers", "--json");

        assertThat(outcome.status()).isZero();
        List<JsonTree> servers = json(outcome).list();
        assertThat(servers.stream().map(it -> it.at("status").text()))
                .containsExactly("connected", "error", "disabled", "error");
        assertThat(names(servers.getFirst()))
                .containsExactlyInAnyOrder(
                        "serverId",
                        "status",
                        "enabled",
                        "transport",
                        "era",
                        "toolCount",
                        "resourceCount",
                        "promptCount",
                        "lastConnectedAt",
                        "lastDiscoveredAt",
                        "attempts");
        assertThat(servers.get(1).at("lastError").text())
                .startsWith("CONNECTION_FAILED: Server bad")
                .contains("no-such-program");
        assertThat(servers.get(3).at("lastError").text())
                .contains("in 1 attempt", "The environment variable NO_SUCH_VARIABLE is not set");
        assertThat(bench.run("servers").out()).contains("SERVER").contains("connected");
    }

    @Test
    void toolsTellsTheCatalogueByFullName() throws InterruptedException {
        Outcome outcome = bench.run("tools", "--json");

        assertThat(outcome.status()).as("a server could not be asked").isEqualTo(1);
        JsonTree tool = json(outcome).at(0);
        assertThat(names(tool))
                .containsExactlyInAnyOrder(
                        "fullName", "toolName", "serverId", "description", "inputSchema");
        assertThat(tool.at("fullName").text()).isEqualTo("a.echo");
        assertThat(outcome.err()).contains("patchbay: bad: Server bad could not be connected");
        assertThat(bench.run("tools", "nothing*").out()).doesNotContain("a.echo");
    }

    @Test
    void discoverHasARowForEveryServer() throws InterruptedException {
        Outcome outcome = bench.run("discover", "--include-disabled", "--force-refresh", "--json");

        assertThat(outcome.status()).isEqualTo(1);
        JsonTree result = json(outcome);
        assertThat(names(result))
                .containsExactlyInAnyOrder(
                        "tools", "resources", "serverResults", "totalDurationMs", "discoveredAt");
        List<JsonTree> rows = result.at("serverResults").list();
        assertThat(rows.stream().map(it -> it.at("status").text()))
                .containsExactly("success", "error", "skipped", "error");
        assertThat(names(rows.get(1)))
                .containsExactlyInAnyOrder(
                        "serverId", "status", "toolCount", "resourceCount", "error", "durationMs");
        assertThat(bench.run("discover", "--server", "a").status()).isZero();
        assertThat(bench.run("discover", "--server", "zz").out()).contains("no server zz");
    }

    @Test
    void callPrintsWhatTheToolSays() throws InterruptedException {
        Outcome text = bench.run("call", "a.echo", "n=1");
        Outcome json = bench.run("call", "a.echo", "--args", "{\"n\": 1}", "--json");

        assertThat(text.status()).as(text.err()).isZero();
        assertThat(text.out()).isEqualTo("called\n");
        assertThat(json.status()).isZero();
        assertThat(names(json(json)))
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
    void callSaysWhyItFailed(String tool, String argument, String reason)
            throws InterruptedException {
        Outcome json = bench.run("call", tool, argument, "--json");
        Outcome text = bench.run("call", tool, argument);

        assertThat(json.status()).isEqualTo(1);
        JsonTree error = json(json).at("error");
        assertThat(error.at("reason").text()).isEqualTo(reason);
        assertThat(error.at("execution").text()).isEqualTo("not_sent");
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
    void wrongUsageIsTwoAndSaysWhatIsRight(String line) throws InterruptedException {
        Outcome outcome = bench.bare(line.isEmpty() ? new String[0] : line.split(" ", -1));

        assertThat(outcome.status()).as(outcome.err()).isEqualTo(2);
        assertThat(outcome.out() + outcome.err())
                .containsPattern("Usage: |Did you mean|does not exist|no host that Patchbay knows");
        assertThat(outcome.err()).doesNotContain("Exception").doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "call --help", "--version", "completion", "manual man"})
    void helpIsOnStandardOutput(String line) throws InterruptedException {
        Outcome outcome = bench.bare(line.split(" ", -1));

        assertThat(outcome.status()).isZero();
        assertThat(outcome.out()).contains("patchbay");
        assertThat(outcome.err()).isEmpty();
    }

    @Test
    void checkTellsAllFaultsWithTheirPlaces(@TempDir Path other) throws InterruptedException {
        var faulty = new Workbench(other);
        faulty.save("{\"mcpServers\": {\"a\": {\"command\": 7},\n \"b\": {\"maxRetries\": 99}}}");

        Outcome text = faulty.run("check");
        Outcome json = faulty.run("check", "--json");

        assertThat(text.status()).isEqualTo(2);
        assertThat(text.out())
                .contains("patchbay.json:1:34: error: mcpServers.a.command")
                .contains("patchbay.json:2:");
        assertThat(json.status()).isEqualTo(2);
        assertThat(names(json(json))).containsExactlyInAnyOrder("valid", "findings");
        assertThat(names(json(json).at("findings", 0)))
                .containsExactlyInAnyOrder(
                        "severity", "kind", "line", "column", "path", "problem", "remedy");
        assertThat(bench.run("check").out())
                .contains("NO_SUCH_VARIABLE is not set", "ok: 4 servers");
    }

    @Test
    void editsKeepCommentsAndOrder(@TempDir Path other) throws Exception {
        var edited = new Workbench(other);
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

        assertThat(edited.run("add", "a", "--", "prog", "--flag").status()).isZero();
        assertThat(Files.readString(edited.file())).contains("// mine", "// last", "--flag");
        assertThat(edited.run("add", "a", "--", "prog").status()).isEqualTo(1);
        assertThat(edited.run("add", "a", "--", "prog").err())
                .contains("There is a server a in ", "already. Remove it first.");
        assertThat(edited.run("disable", "a").status()).isZero();
        assertThat(Files.readString(edited.file())).contains("\"enabled\": false");
        assertThat(edited.run("enable", "a").status()).isZero();
        assertThat(edited.run("remove", "a").status()).isZero();
        assertThat(Files.readString(edited.file())).isEqualTo(before);
        for (String command : List.of("remove", "enable", "disable")) {
            Outcome absent = edited.run(command, "nobody");
            assertThat(absent.status()).isEqualTo(1);
            assertThat(absent.err()).contains("There is no server nobody in ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"remove", "enable", "disable"})
    void whereNothingIsConfiguredAnEditSaysSo(String command, @TempDir Path other)
            throws InterruptedException {
        Outcome early = new Workbench(other).bare(command, "nobody");

        assertThat(early.status()).isEqualTo(1);
        assertThat(early.err())
                .contains("no server nobody: there is no configuration yet", "patchbay add");
    }

    /** Whoever asks what is so does not want to wait for a fourth attempt. */
    @Test
    void serversTriesNoServerMoreThanTwice(@TempDir Path other) throws Exception {
        var broken = new Workbench(other);
        broken.with("gone", "{\"command\": \"no-such-program\"}");
        broken.with("once", "{\"command\": \"no-such-program\", \"maxRetries\": 0}");
        broken.save(broken.text());

        List<JsonTree> servers = json(broken.run("servers", "--json")).list();
        assertThat(servers.stream().map(it -> it.at("attempts").integer())).containsExactly(2L, 1L);
    }

    @Test
    void addTakesAFilterThatEveryCommandKnows(@TempDir Path other) throws Exception {
        var sieve = new Workbench(other);
        Ward.writeServer(other);
        Path list = Files.writeString(other.resolve("tools.json"), TOOLS);
        String[] add = {
            "add", "--exclude", "e*", "--include", "*o", "a", "--", "/bin/sh",
        };
        var words = new ArrayList<>(List.of(add));
        words.addAll(List.of(other.resolve("server.sh").toString(), list.toString(), "none"));

        assertThat(sieve.run(words.toArray(String[]::new)).status()).isZero();
        JsonTree written = StrictJson.parse(Files.readString(sieve.file()));
        assertThat(written.at("mcpServers", "a", "tools").write())
                .isEqualTo("{\"include\":[\"*o\"],\"exclude\":[\"e*\"]}");
        assertThat(sieve.run("servers").out()).contains("1 filtered");
        assertThat(json(sieve.run("servers", "--json")).at(0, "filtered").write())
                .isEqualTo("[\"echo\"]");
        assertThat(json(sieve.run("tools", "--json")).list()).isEmpty();
        Outcome call = sieve.run("call", "a.echo", "n=1", "--json");
        assertThat(call.status()).isEqualTo(1);
        assertThat(json(call).at("error", "reason").text()).isEqualTo("TOOL_NOT_FOUND");
        assertThat(json(call).at("error", "message").text()).contains("a.echo is filtered");
        assertThat(sieve.run("add", "b", "--exclude", "", "--", "x").status()).isEqualTo(2);
    }

    @Test
    void importAndInstallSayWhatIsNotThere(@TempDir Path other) throws InterruptedException {
        var empty = new Workbench(other);

        Outcome absent = empty.bare("import", "cursor");
        Outcome dry = empty.bare("install", "cursor", "--dry-run");
        Outcome nothing = empty.bare("uninstall", "cursor");

        assertThat(absent.status()).isEqualTo(1);
        assertThat(absent.err()).contains("Nothing was found to import from cursor");
        assertThat(dry.status()).isZero();
        assertThat(dry.out()).contains("Nothing was changed.");
        assertThat(other.resolve(".cursor")).doesNotExist();
        assertThat(nothing.status()).isZero();
        assertThat(nothing.out()).contains("Nothing to change in ");
    }

    /** Served there, or told that somebody else is: the place is named in both. */
    @Test
    void servingIsWhereTheGuideSays(@TempDir Path other) {
        var plain = new Workbench(other).with("off", "{\"command\": \"x\", \"enabled\": false}");
        String file = plain.save().file().toString();
        Host host = plain.start(Workbench.program().launcher("serve", "--config", file));
        try (var client = host.client()) {
            assertThat(Host.await(Host.PATIENCE, () -> client.stderr().contains("127.0.0.1:8808")))
                    .as(client.stderr())
                    .isTrue();
        }
    }

    @Test
    void servingWhereSomebodyElseListensFailsWithOneLine() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Outcome outcome = bench.run("serve", "--listen", "127.0.0.1:" + taken.getLocalPort());

            assertThat(outcome.status()).isEqualTo(1);
            assertThat(outcome.err())
                    .contains("patchbay: Cannot listen on 127.0.0.1:" + taken.getLocalPort())
                    .contains("--listen")
                    .doesNotContain("\tat ");
        }
    }
}
