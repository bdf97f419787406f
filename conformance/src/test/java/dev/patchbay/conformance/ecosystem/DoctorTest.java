package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Every kind of failure, provoked with real servers, and what the doctor reports. */
class DoctorTest {
    private static final String HOST_FILE =
            """
            {"mcpServers": {"patchbay": {"command": "/opt/patchbay", "args": ["stdio"]}}}
            """;

    /** Each broken server: its reason, its severity, and a part of the evidence. */
    private static final String BROKEN_SERVERS =
            """
            missing    | COMMAND_MISSING        | error   | no-such-program
            plain      | COMMAND_NOT_EXECUTABLE | error   | is not executable
            nowhere    | FOLDER_MISSING         | error   | /no/such/folder
            nosecret   | SECRET_MISSING         | error   | patchbay secret set no-such-secret
            boxed      | SANDBOX_UNAVAILABLE    | error   | needs bubblewrap
            unset      | VARIABLE_MISSING       | error   | Patchbay was started without it
            shebang    | WRONG_INTERPRETER      | error   | There is no /no/such/py
            windows    | WRONG_INTERPRETER      | error   | #!/bin/sh\\r
            headless   | WRONG_INTERPRETER      | error   | does not begin with #!
            language   | WRONG_INTERPRETER      | error   | cannot run tool.py
            script     | SCRIPT_MISSING         | error   | absent.sh
            exits      | EXITS_AT_ONCE          | error   | stderr: API_KEY is not set
            hangs      | HANGS_AT_CONNECT       | error   | no response to initialize
            glued      | BANNER_ON_STDOUT       | error   | Ready>
            banner     | BANNER_ON_STDOUT       | warning | Welcome to this server!
            refuses    | REFUSES_HANDSHAKE      | error   | not licensed
            future     | WRONG_ERA              | error   | 2099-01-01
            modern     | WRONG_ERA              | error   | does not support MCP 2026-07-28
            dies       | ENDS_AFTER_START       | error   | stderr: out of paper
            slowlist   | HANGS_AT_LIST          | error   | tools/list
            badlist    | LIST_FAILED            | error   | database is away
            empty      | NO_TOOLS               | note    | 0 prompts
            schema     | INVALID_SCHEMA         | error   | is not "object"
            naming     | ILLEGAL_NAME           | error   | invisible characters
            twice      | DUPLICATE_NAME         | error   | twice
            shape      | MALFORMED_ENTRY        | error   | not an object
            large      | OVER_LIMIT             | error   | longer than 524288 bytes
            deep       | OVER_LIMIT             | error   | nests deeper than 490
            many       | OVER_LIMIT             | error   | 2000
            pages      | PAGE_LIMIT             | warning | the same next page
            sieve      | FILTERED               | note    | hidden
            typo       | FILTERED               | warning | No tool of this server matches "typo.*"
            off        | DISABLED               | note    | ''
            web401     | SIGN_IN_NEEDED         | error   | realm="ward"
            webbasic   | UNAUTHORIZED           | error   | Basic realm="ward"
            token      | UNAUTHORIZED           | error   | HTTP 401
            web403     | FORBIDDEN              | error   | HTTP 403
            web404     | WRONG_PATH             | error   | HTTP 404
            web405     | WRONG_PATH             | error   | HTTP 405
            web307     | REDIRECTED             | error   | elsewhere.invalid
            web429     | SERVER_FAULT           | error   | HTTP 429
            web503     | SERVER_FAULT           | error   | maintenance
            webhtml    | NOT_MCP                | error   | text/html
            webmute    | HANGS_AT_CONNECT       | error   | did not answer
            webcuts    | NOT_CONNECTED          | error   | could not be connected
            unknown    | HOST_UNKNOWN           | error   | name.invalid
            closed     | PORT_CLOSED            | error   | 127.0.0.1
            silent     | HOST_SILENT            | error   | did not accept in
            notls      | TLS_FAILED             | error   | ''
            selfsigned | TLS_FAILED             | error   | CN=ward.example
            """;

    @TempDir private static Path folder;

    @TempDir private static Path smallFolder;

    private static TestInstallation installation;
    private static TestInstallation smallInstallation;
    private static BrokenServers brokenServers;
    private static TestInstallation.CommandResult outcome;
    private static List<JsonTree> findings;

    @BeforeAll
    static void runDoctor() throws Exception {
        installation = new TestInstallation(folder).env("PATCHBAY_SANDBOX", "landlock");
        brokenServers = new BrokenServers(installation);
        brokenServers.addAll();
        smallInstallation = new TestInstallation(smallFolder);
        try (var smaller = new BrokenServers(smallInstallation)) {
            smaller.addFew();
        }
        smallInstallation.save();
        Path host = folder.resolve(".config", "Claude", "claude_desktop_config.json");
        Files.createDirectories(host.getParent());
        Files.writeString(host, HOST_FILE);
        installation.save(
                installation
                        .configText()
                        .replace("\"selfTools\"", "\"names\": \"dotted\", \"selfTool\""));
        outcome = installation.run("doctor", "--json");
        findings = StrictJson.parse(outcome.out()).at("findings").asList();
    }

    @AfterAll
    static void closeServers() throws IOException {
        brokenServers.close();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = BROKEN_SERVERS)
    void recognises(String server, String reason, String severity, String evidence) {
        List<JsonTree> found = findingsOf(server);

        assertThat(found).as(server).hasSize(1);
        JsonTree finding = found.getFirst();
        assertThat(finding.at("reason").asText()).as("%s", finding).isEqualTo(reason);
        assertThat(finding.at("severity").asText()).isEqualTo(severity);
        assertThat(finding.at("evidence").write()).contains(quoted(evidence));
        assertThat(finding.at("problem").asText()).isNotBlank();
        assertThat(finding.at("nextStep").asText()).isNotBlank();
    }

    /** The text as written in JSON. */
    private static String quoted(String text) {
        String quoted = StrictJson.quote(text);
        return quoted.substring(1, quoted.length() - 1);
    }

    private static List<JsonTree> findingsOf(String server) {
        return findings.stream()
                .filter(
                        it ->
                                it.findAt("serverId")
                                        .map(JsonTree::asText)
                                        .equals(Optional.of(server)))
                .toList();
    }

    private static List<String> reasonsWithoutServer() {
        return findings.stream()
                .filter(it -> !it.has("serverId"))
                .map(it -> it.at("reason").asText())
                .toList();
    }

    @Test
    void findsNothingWrongWithServersThatWork() {
        assertThat(findingsOf("healthy")).isEmpty();
        assertThat(findingsOf("left")).isEmpty();
        assertThat(findingsOf("right")).isEmpty();
    }

    @Test
    void reportsProblemsOutsideTheServers() {
        assertThat(reasonsWithoutServer())
                .containsExactlyInAnyOrder("CONFIG_DOUBTFUL", "HOST_REJECTS_NAMES", "NAME_CLASH");
    }

    @Test
    void exitsWithFailureIfSomethingIsBroken() {
        assertThat(outcome.status()).isEqualTo(1);
        assertThat(StrictJson.parse(outcome.out()).at("ok").write()).isEqualTo("false");
        assertThat(outcome.err()).as("silent in a pipe").isEmpty();
    }

    @Test
    void showsNoSecret() {
        assertThat(outcome.out()).doesNotContain("Bearer x");
    }

    @Test
    void reportsAllConfigurationErrors(@TempDir Path other) throws InterruptedException {
        var broken = new TestInstallation(other);
        broken.withServer("a", "{\"command\": 7}")
                .withServer("b", "{\"url\": \"${NO_SUCH}\"}")
                .save();

        TestInstallation.CommandResult faulty = broken.run("doctor", "--json");

        assertThat(faulty.status()).isEqualTo(2);
        List<JsonTree> found = StrictJson.parse(faulty.out()).at("findings").asList();
        assertThat(found.stream().map(it -> it.at("reason").asText()))
                .containsExactly("CONFIG_FAULT", "VARIABLE_MISSING");
        assertThat(found.getFirst().at("evidence", 0).asText()).contains("patchbay.json:3:");
    }

    @Test
    void findsNothingWrongWithHealthyServers(@TempDir Path other) throws InterruptedException {
        var fleet = new TestInstallation(other);
        ShellServer.healthy("one").addTo(fleet, "");
        fleet.save();

        TestInstallation.CommandResult json = fleet.run("doctor", "--json");
        TestInstallation.CommandResult text = fleet.run("doctor");

        assertThat(json.status()).isZero();
        assertThat(StrictJson.parse(json.out()).at("findings").asList()).isEmpty();
        assertThat(text.status()).isZero();
        assertThat(text.out()).startsWith("ok: 1 of 1 enabled servers work");
    }

    @Test
    void advisesWhatToDoWithoutConfiguration(@TempDir Path other) throws InterruptedException {
        var bare = new TestInstallation(other).save();

        TestInstallation.CommandResult text = bare.run("doctor");

        assertThat(text.status()).isZero();
        assertThat(text.out()).contains("[NO_SERVERS]").contains("Next: Add one: patchbay add");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "healthy.good, '', 0",
        "left.twin, '', 0",
        "twin, NAME_CLASH, 1",
        "off.anything, DISABLED, 1",
        "exits.anything, EXITS_AT_ONCE, 1",
        "schema.odd, INVALID_SCHEMA, 1",
        "sieve.seen, '', 0",
        "sieve.hidden, FILTERED, 1",
        "hidden, FILTERED, 1",
        "healthy.goood, TOOL_NOT_FOUND, 1",
    })
    void explainsWhyAToolCannotBeCalled(String tool, String reason, int status)
            throws InterruptedException {
        TestInstallation.CommandResult asked = smallInstallation.run("doctor", "--json", tool);

        assertThat(asked.status()).as(asked.out()).isEqualTo(status);
        List<JsonTree> found = StrictJson.parse(asked.out()).at("findings").asList();
        assertThat(found.stream().map(it -> it.at("reason").asText()))
                .isEqualTo(reason.isEmpty() ? List.of() : List.of(reason));
    }

    @Test
    void everyDocumentedReasonIsProvoked() throws IOException {
        Path guide =
                Path.of(System.getProperty("patchbay.launcher"))
                        .resolveSibling("docs")
                        .resolve("troubleshooting.md");
        Set<String> reported = new TreeSet<>();
        Pattern.compile("(?m)^### `([A-Z_]+)`$")
                .matcher(Files.readString(guide))
                .results()
                .forEach(it -> reported.add(it.group(1)));
        Set<String> provoked =
                new TreeSet<>(
                        Set.of(
                                "CONFIG_FAULT",
                                "HOST_HAS_COPIES", // in AdoptCommandTest
                                "NO_SERVERS",
                                "NOT_TRUSTED",
                                "TOOL_NOT_FOUND"));
        findings.forEach(it -> provoked.add(it.at("reason").asText()));

        assertThat(reported).isEqualTo(provoked).hasSizeGreaterThan(15);
    }
}
