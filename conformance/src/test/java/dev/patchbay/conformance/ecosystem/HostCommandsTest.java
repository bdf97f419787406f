package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Output of import, install and uninstall, also for unusable files. */
class HostCommandsTest {
    private static final String SECRET = "sk-of-this-test-4711";

    @TempDir private Path folder;

    private TestInstallation installation;
    private Path file;

    @BeforeEach
    void createEmptyHome() throws IOException {
        installation = new TestInstallation(folder);
        file = folder.resolve(".cursor", "mcp.json");
        Files.createDirectories(file.getParent());
    }

    private static void assertReported(CommandResult outcome, int status, String... words) {
        assertThat(outcome.status()).as(outcome.err()).isEqualTo(status);
        assertThat(outcome.err()).contains(words).doesNotContain("\tat ").doesNotContain(SECRET);
        assertThat(outcome.out()).doesNotContain(SECRET);
    }

    @Test
    void brokenFileIsReportedWithPositionAndLeftUnchanged() throws Exception {
        String broken = "{\"mcpServers\": {\"a\": {\"env\": {\"TOKEN\": \"%s\"".formatted(SECRET);
        Files.writeString(file, broken);

        for (String command : new String[] {"install", "uninstall", "import"}) {
            assertReported(
                    installation.runWithoutConfig(command, "cursor"),
                    1,
                    file + ":1:",
                    "ends inside");
        }
        assertThat(file).hasContent(broken);
    }

    @Test
    void unreadableFileIsReportedInOneLine() throws Exception {
        Files.createDirectory(file);
        assertReported(
                installation.runWithoutConfig("install", "cursor"), 1, "patchbay: " + file + ": ");
        assertReported(installation.runWithoutConfig("import", "cursor"), 1, file + ":1:1: error:");
        Files.delete(file);
        Files.write(file, new byte[] {'{', (byte) 0xFF, '}'});
        assertReported(
                installation.runWithoutConfig("install", "cursor"),
                1,
                "patchbay: " + file + ": not UTF-8");
        assertReported(
                installation.runWithoutConfig("import", "cursor"),
                1,
                "The file is not UTF-8. Save it as UTF-8.");
    }

    /** In the home folder, the project file and the user file are the same. */
    @Test
    void fileOfBothProjectAndUserIsReadOnce() throws Exception {
        Files.writeString(file, "{\"mcpServers\": {\"a\": {\"command\": \"true\"}}}");
        CommandResult outcome = installation.runWithoutConfig("import", "cursor");

        assertReported(outcome, 0, "Read " + file);
        assertThat(outcome.err().lines()).hasSize(1);
        assertThat(outcome.out()).contains("add  a: true").doesNotContain("skip");
    }

    @Test
    void unknownHostIsReportedWithTheKnownOnes() throws InterruptedException {
        assertReported(
                installation.runWithoutConfig("install", "emacs"),
                2,
                "'emacs'",
                "Known hosts: claude-desktop, claude");
        assertReported(
                installation.runWithoutConfig("import", "emacs"),
                1,
                "No such file",
                "one of claude-desktop");
        assertReported(
                installation.runWithoutConfig("install", "claude-desktop", "--project"),
                2,
                "without --project.");
    }

    @Test
    void missingVariableIsReportedWithTheNextStep() throws Exception {
        Files.writeString(
                file,
                "{\"mcpServers\": {\"a\": {\"url\": \"https://a.example/mcp\", \"headers\":"
                        + " {\"Authorization\": \"Bearer ${env:NO_SUCH_TOKEN}\"}}}}");

        CommandResult outcome = installation.runWithoutConfig("import", "cursor");

        assertThat(outcome.status()).isZero();
        assertThat(outcome.out())
                .contains(
                        "add  a: https://a.example/mcp",
                        "NO_SUCH_TOKEN is not set: set it where Patchbay is started");
    }

    /** The project file is shared with others, so no secret is written to it. */
    @Test
    void projectFileIsLeftUnchangedAndStillUsed() throws Exception {
        Path list = folder.resolve(".mcp.json");
        String team =
                """
                {"mcpServers": { // ours
                  "team": {"command": "t", "tools": {"include": ["read_*"]}},
                  "a": {"command": "a"}},
                 "patchbay": {"names": "safe"}}
                """;
        Files.writeString(list, team);
        Files.writeString(
                file,
                "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"env\": {\"T\": \"%s\"}}}}"
                        .formatted(SECRET));

        CommandResult outcome = installation.runWithoutConfig("import", "cursor");

        assertReported(outcome, 0, "Read " + file);
        assertThat(outcome.out())
                .contains(
                        "add  a-2: x",
                        "Created " + installation.configFile(),
                        "is used instead of " + list);
        assertThat(list).hasContent(team);
        assertThat(Files.readString(installation.configFile()))
                .contains("// ours", "read_*", "\"names\": \"safe\"", SECRET);
        assertThat(installation.runWithoutConfig("check").out()).contains("ok: 3 servers");
        assertReported(
                installation.runWithoutConfig("import", "claude-code", "--project"),
                0,
                "Read " + list);
        assertThat(list).hasContent(team);
    }

    @Test
    void jsonOutputReportsTheSameInOneLine() throws Exception {
        String text =
                "{\"mcpServers\": {\"a b\": {\"command\": \"x\", \"env\": {\"T\": \"%s\"}}}}"
                        .formatted(SECRET);
        Files.writeString(file, text);

        JsonTree dry = parseOutput(installation.run("import", "cursor", "--dry-run", "--json"));
        assertThat(dry.at("changed").write()).isEqualTo("false");
        assertThat(installation.configFile()).doesNotExist();
        JsonTree imported = parseOutput(installation.run("import", "cursor", "--json"));
        assertThat(imported.at("changed").write()).isEqualTo("true");
        assertThat(imported.at("servers", 0).at("serverId").asText()).isEqualTo("a-b");
        assertThat(imported.at("servers", 0).at("outcome").asText()).isEqualTo("add");

        JsonTree installed = parseOutput(installation.run("install", "cursor", "--json"));
        assertThat(installed.at("action").asText()).isEqualTo("add");
        assertThat(Path.of(installed.at("backup").asText())).hasContent(text);
        JsonTree removed =
                parseOutput(installation.runWithoutConfig("uninstall", "cursor", "--json"));
        assertThat(removed.at("action").asText()).isEqualTo("restore");
        assertThat(removed.has("backup")).isFalse();
        assertThat(file).hasContent(text);
        JsonTree again =
                parseOutput(installation.runWithoutConfig("uninstall", "cursor", "--json"));
        assertThat(again.at("action").asText()).isEqualTo("none");
        try (Stream<Path> left = Files.list(file.getParent())) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void configurationEditsAreReportedInOneJsonLine() throws InterruptedException {
        assertThat(
                        parseOutput(installation.run("add", "--json", "a", "--", "x"))
                                .at("changed")
                                .write())
                .isEqualTo("true");
        for (String command : new String[] {"disable", "enable", "remove"}) {
            JsonTree reported = parseOutput(installation.run(command, "--json", "a"));
            assertThat(reported.at("changed").write()).as(command).isEqualTo("true");
            assertThat(reported.at("file").asText())
                    .isEqualTo(installation.configFile().toString());
        }
    }

    private static JsonTree parseOutput(CommandResult outcome) {
        assertThat(outcome.status()).as(outcome.err()).isZero();
        assertThat(outcome.out().lines()).hasSize(1);
        assertThat(outcome.out() + outcome.err()).doesNotContain(SECRET);
        return StrictJson.parse(outcome.out());
    }
}
