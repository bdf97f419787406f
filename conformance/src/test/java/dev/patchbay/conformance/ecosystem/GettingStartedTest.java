package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The steps of a new user, from the command of the README to installing into a host and back. */
@TestMethodOrder(OrderAnnotation.class)
class GettingStartedTest {
    private static final String SECRET = "s3cret-of-the-walk";

    private static final List<String> HOST_FILES =
            List.of(
                    ".config/Claude/claude_desktop_config.json",
                    ".claude.json",
                    ".mcp.json",
                    ".cursor/mcp.json",
                    ".config/Code/User/mcp.json",
                    ".codex/config.toml");

    @TempDir private static Path folder;

    /** The commands that were run, with placeholders for values. */
    private static final Set<String> COMMANDS_RUN = new TreeSet<>();

    private static TestInstallation newInstallation() {
        return new TestInstallation(folder);
    }

    private static CommandResult run(String... words) throws InterruptedException {
        COMMANDS_RUN.add(withPlaceholders(String.join(" ", words)));
        return newInstallation().run(words);
    }

    private static CommandResult runWithoutConfig(String... words) throws InterruptedException {
        COMMANDS_RUN.add(withPlaceholders(String.join(" ", words)));
        return newInstallation().runWithoutConfig(words);
    }

    private static String withPlaceholders(String command) {
        return command.replaceAll("(?<=^call ).*", "TOOL")
                .replaceAll("(?<=^import )\\S*/.*", "FILE");
    }

    @Test
    @Order(1)
    void readmeCommandWorksWithoutConfiguration() throws Exception {
        Path readme = TestInstallation.program().root().resolve("README.md");
        String shown = "./patchbay call java.evaluate code='IntStream.range(0,5).sum()'";
        assertThat(Files.readString(readme)).contains(shown).contains("=> 10 : int");

        CommandResult outcome =
                runWithoutConfig("call", "java.evaluate", "code=IntStream.range(0,5).sum()");

        assertThat(outcome.status()).as(outcome.err()).isZero();
        assertThat(outcome.out()).isEqualTo("=> 10 : int\n");
        assertThat(StrictJson.parse(runWithoutConfig("servers", "--json").out()).asList())
                .singleElement()
                .satisfies(it -> assertThat(it.at("serverId").asText()).isEqualTo("java"));
    }

    @Test
    @Order(2)
    void serversOfEveryHostAreImported() throws Exception {
        writeHostFiles();
        Map<Path, String> before = hostFiles();
        for (String host : List.of("claude-desktop", "claude-code", "cursor", "vscode", "codex")) {
            CommandResult dry = run("import", host, "--dry-run");
            assertThat(dry.out()).contains("Nothing was changed.");

            CommandResult outcome = run("import", host);

            assertThat(outcome.status()).as(outcome.err()).isZero();
            assertThat(dry.out() + dry.err() + outcome.out() + outcome.err())
                    .doesNotContain(SECRET);
        }
        assertThat(run("import", "claude-code", "--project").status()).isZero();
        assertThat(hostFiles()).isEqualTo(before);
        write("shared/team.json", Files.readString(folder.resolve(".mcp.json")));
        CommandResult again = run("import", folder.resolve("shared/team.json").toString());
        assertThat(again.status()).as(again.err()).isZero();
        assertThat(run("check").out()).contains("ok: 6 servers");
    }

    @Test
    @Order(3)
    void importedServersWork() throws InterruptedException {
        List<JsonTree> servers = StrictJson.parse(run("servers", "--json").out()).asList();
        CommandResult table = run("servers");

        assertThat(table.out()).contains("desk-top", "code-project", "connected");

        assertThat(servers.stream().map(it -> it.at("serverId").asText()))
                .containsExactlyInAnyOrder(
                        "desk-top", "code-user", "code-project", "cursor", "vs-code", "codex");
        assertThat(servers).allMatch(it -> it.at("status").asText().equals("connected"));
        CommandResult tools = run("tools");
        assertThat(tools.status()).isZero();
        assertThat(tools.out()).contains("desk-top.who").contains("codex.who");
        assertThat(run("call", "vs-code.who").out()).isEqualTo("vs-code\n");
    }

    @Test
    @Order(4)
    void doctorFindsNoProblems() throws InterruptedException {
        CommandResult outcome = run("doctor");

        assertThat(outcome.status()).as(outcome.out()).isZero();
        assertThat(outcome.out()).contains("6 of 6 enabled servers work").doesNotContain(SECRET);
    }

    @ParameterizedTest
    @Order(5)
    @CsvSource({
        "claude-desktop, .config/Claude/claude_desktop_config.json",
        "claude-code, .claude.json",
        "claude-code --project, .mcp.json",
        "cursor, .cursor/mcp.json",
        "vscode, .config/Code/User/mcp.json",
        "codex, .codex/config.toml",
    })
    void installAndUninstallRestoreTheHostFile(String host, String file) throws Exception {
        String[] words = host.split(" ", -1);
        Path path = folder.resolve(file);
        byte[] before = Files.readAllBytes(path);

        CommandResult dry = run(concat("install", (host + " --dry-run").split(" ", -1)));
        assertThat(dry.status()).as(dry.err()).isZero();
        assertThat(Files.readAllBytes(path)).isEqualTo(before);

        CommandResult installed = run(concat("install", words));

        assertThat(installed.status()).as(installed.err()).isZero();
        assertThat(Files.readString(path)).contains("patchbay");
        assertThat(installed.out()).contains("Backup: ").doesNotContain(SECRET);

        CommandResult removed = runWithoutConfig(concat("uninstall", words));

        assertThat(removed.status()).as(removed.err()).isZero();
        assertThat(Files.readAllBytes(path)).isEqualTo(before);
    }

    @Test
    @Order(6)
    void hostSeesAllTools() throws InterruptedException {
        try (TestHost host = newInstallation().connect()) {
            host.awaitTools(names -> names.size() == 6);
            assertThat(host.callForText("cursor.who", "{}")).isEqualTo("cursor");
        }
    }

    @Test
    @Order(7)
    void everyCommandOfTheGuideWasRun() throws IOException {
        Path page = TestInstallation.program().root().resolve("docs/get-started.md");
        List<String> reported =
                Files.readAllLines(page).stream()
                        .filter(it -> it.startsWith("./patchbay "))
                        .map(it -> withPlaceholders(it.replaceAll("^\\./patchbay |\\s+#.*", "")))
                        .toList();

        assertThat(reported).hasSizeGreaterThan(12);
        assertThat(COMMANDS_RUN).containsAll(reported);
    }

    private static String[] concat(String command, String[] words) {
        var all = new String[words.length + 1];
        all[0] = command;
        System.arraycopy(words, 0, all, 1, words.length);
        return all;
    }

    private static Map<Path, String> hostFiles() throws IOException {
        var files = new TreeMap<Path, String>();
        for (String file : HOST_FILES) {
            files.put(Path.of(file), Files.readString(folder.resolve(file)));
        }
        return files;
    }

    private static void writeHostFiles() throws IOException {
        ShellServer.healthy("seed").addTo(newInstallation(), "");
        write(
                ".config/Claude/claude_desktop_config.json",
                "{\n  \"mcpServers\": {\"desk top\": %s},\n  \"theme\": \"dark\"\n}\n"
                        .formatted(entry("desk-top", ", \"env\": {\"TOKEN\": \"%s\"}")));
        write(
                ".claude.json",
                "{\"numStartups\": 3, \"mcpServers\": {\"code-user\": %s}, \"projects\": {}}"
                        .formatted(entry("code-user", ", \"type\": \"stdio\"")));
        write(
                ".mcp.json",
                "{\"mcpServers\": {\"code-project\": %s}}".formatted(entry("code-project", "")));
        write(
                ".cursor/mcp.json",
                "{ // mine\n  \"mcpServers\": {\"cursor\": %s}}".formatted(entry("cursor", "")));
        write(
                ".config/Code/User/mcp.json",
                "{\"servers\": {\"vs_code\": %s}, \"inputs\": []}\n"
                        .formatted(entry("vs-code", ", \"type\": \"stdio\"")));
        write(
                ".codex/config.toml",
                "model = \"x\" # keep\n\n[mcp_servers.codex]\ncommand = \"/bin/sh\"\nargs = %s\n"
                        .formatted(args("codex")));
    }

    private static String entry(String name, String members) {
        return "{\"command\": \"/bin/sh\", \"args\": %s%s}"
                .formatted(args(name), members.formatted(SECRET));
    }

    private static String args(String name) {
        String script = StrictJson.quote(folder.resolve("small-server.sh").toString());
        return "[%s, \"%s\", \"none\"]".formatted(script, name);
    }

    private static void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
