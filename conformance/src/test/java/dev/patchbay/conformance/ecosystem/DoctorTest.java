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

/** Every kind of trouble provoked for real, and what the doctor says of it. */
class DoctorTest {
    private static final String HOST_FILE =
            """
            {"mcpServers": {"patchbay": {"command": "/opt/patchbay", "args": ["stdio"]}}}
            """;

    /** Each server of the ward: its reason, how bad it is, and a piece of the evidence. */
    private static final String WARD =
            """
            missing    | COMMAND_MISSING        | error   | no-such-program
            plain      | COMMAND_NOT_EXECUTABLE | error   | is not executable
            nowhere    | FOLDER_MISSING         | error   | /no/such/folder
            unset      | VARIABLE_MISSING       | error   | Patchbay was started without it
            shebang    | WRONG_INTERPRETER      | error   | There is no /no/such/py
            windows    | WRONG_INTERPRETER      | error   | #!/bin/sh\\r
            headless   | WRONG_INTERPRETER      | error   | does not begin with #!
            language   | WRONG_INTERPRETER      | error   | is to run tool.py
            script     | SCRIPT_MISSING         | error   | absent.sh
            exits      | EXITS_AT_ONCE          | error   | stderr: API_KEY is not set
            hangs      | HANGS_AT_CONNECT       | error   | no answer to initialize
            glued      | BANNER_ON_STDOUT       | error   | Ready>
            banner     | BANNER_ON_STDOUT       | warning | Welcome to this server!
            refuses    | REFUSES_HANDSHAKE      | error   | not licensed
            future     | WRONG_ERA              | error   | 2099-01-01
            modern     | WRONG_ERA              | error   | does not speak 2026-07-28
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
            typo       | FILTERED               | warning | No tool of it fits "typo.*"
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
            silent     | HOST_SILENT            | error   | took no connection
            notls      | TLS_FAILED             | error   | ''
            selfsigned | TLS_FAILED             | error   | CN=ward.example
            """;

    @TempDir private static Path folder;

    @TempDir private static Path fewFolder;

    private static Workbench bench;
    private static Workbench few;
    private static Ward ward;
    private static Workbench.Outcome outcome;
    private static List<JsonTree> findings;

    @BeforeAll
    static void examineTheWard() throws Exception {
        bench = new Workbench(folder);
        ward = new Ward(bench);
        ward.fill();
        few = new Workbench(fewFolder);
        try (var smaller = new Ward(few)) {
            smaller.fillWithFew();
        }
        few.save();
        Path host = folder.resolve(".config", "Claude", "claude_desktop_config.json");
        Files.createDirectories(host.getParent());
        Files.writeString(host, HOST_FILE);
        bench.save(bench.text().replace("\"selfTools\"", "\"names\": \"dotted\", \"selfTool\""));
        outcome = bench.run("doctor", "--json");
        findings = StrictJson.parse(outcome.out()).at("findings").list();
    }

    @AfterAll
    static void closeTheWard() throws IOException {
        ward.close();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = WARD)
    void recognises(String server, String reason, String severity, String evidence) {
        List<JsonTree> found = of(server);

        assertThat(found).as(server).hasSize(1);
        JsonTree finding = found.getFirst();
        assertThat(finding.at("reason").text()).as("%s", finding).isEqualTo(reason);
        assertThat(finding.at("severity").text()).isEqualTo(severity);
        assertThat(finding.at("evidence").write()).contains(quoted(evidence));
        assertThat(finding.at("problem").text()).isNotBlank();
        assertThat(finding.at("nextStep").text()).isNotBlank();
    }

    /** The text as it stands in JSON. */
    private static String quoted(String text) {
        String quoted = StrictJson.quote(text);
        return quoted.substring(1, quoted.length() - 1);
    }

    private static List<JsonTree> of(String server) {
        return findings.stream()
                .filter(it -> it.find("serverId").map(JsonTree::text).equals(Optional.of(server)))
                .toList();
    }

    private static List<String> reasonsWithoutServer() {
        return findings.stream()
                .filter(it -> !it.has("serverId"))
                .map(it -> it.at("reason").text())
                .toList();
    }

    @Test
    void findsNothingWrongWithServersThatWork() {
        assertThat(of("healthy")).isEmpty();
        assertThat(of("left")).isEmpty();
        assertThat(of("right")).isEmpty();
    }

    @Test
    void seesWhatIsWrongBesideTheServers() {
        assertThat(reasonsWithoutServer())
                .containsExactlyInAnyOrder("CONFIG_DOUBTFUL", "HOST_REJECTS_NAMES", "NAME_CLASH");
    }

    @Test
    void failsWhereSomethingDoesNotWork() {
        assertThat(outcome.status()).isEqualTo(1);
        assertThat(StrictJson.parse(outcome.out()).at("ok").write()).isEqualTo("false");
        assertThat(outcome.err()).as("silent in a pipe").isEmpty();
    }

    @Test
    void showsNoSecret() {
        assertThat(outcome.out()).doesNotContain("Bearer x");
    }

    @Test
    void tellsAllFaultsOfAConfiguration(@TempDir Path other) throws InterruptedException {
        var broken = new Workbench(other);
        broken.with("a", "{\"command\": 7}").with("b", "{\"url\": \"${NO_SUCH}\"}").save();

        Workbench.Outcome faulty = broken.run("doctor", "--json");

        assertThat(faulty.status()).isEqualTo(2);
        List<JsonTree> found = StrictJson.parse(faulty.out()).at("findings").list();
        assertThat(found.stream().map(it -> it.at("reason").text()))
                .containsExactly("CONFIG_FAULT", "VARIABLE_MISSING");
        assertThat(found.getFirst().at("evidence", 0).text()).contains("patchbay.json:3:");
    }

    @Test
    void findsNothingInAHealthyFleet(@TempDir Path other) throws InterruptedException {
        var fleet = new Workbench(other);
        SmallServer.healthy("one").into(fleet, "");
        fleet.save();

        Workbench.Outcome json = fleet.run("doctor", "--json");
        Workbench.Outcome text = fleet.run("doctor");

        assertThat(json.status()).isZero();
        assertThat(StrictJson.parse(json.out()).at("findings").list()).isEmpty();
        assertThat(text.status()).isZero();
        assertThat(text.out()).startsWith("ok: 1 of 1 enabled servers work");
    }

    @Test
    void saysWhatToDoWhereNothingIsConfigured(@TempDir Path other) throws InterruptedException {
        var bare = new Workbench(other).save();

        Workbench.Outcome text = bare.run("doctor");

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
    void saysWhyAToolCannotBeCalled(String tool, String reason, int status)
            throws InterruptedException {
        Workbench.Outcome asked = few.run("doctor", "--json", tool);

        assertThat(asked.status()).as(asked.out()).isEqualTo(status);
        List<JsonTree> found = StrictJson.parse(asked.out()).at("findings").list();
        assertThat(found.stream().map(it -> it.at("reason").text()))
                .isEqualTo(reason.isEmpty() ? List.of() : List.of(reason));
    }

    @Test
    void everyReasonOfTheGuideIsProvokedHere() throws IOException {
        Path guide =
                Path.of(System.getProperty("patchbay.launcher"))
                        .resolveSibling("docs")
                        .resolve("troubleshooting.md");
        Set<String> told = new TreeSet<>();
        Pattern.compile("(?m)^### `([A-Z_]+)`$")
                .matcher(Files.readString(guide))
                .results()
                .forEach(it -> told.add(it.group(1)));
        Set<String> provoked =
                new TreeSet<>(Set.of("CONFIG_FAULT", "NO_SERVERS", "TOOL_NOT_FOUND"));
        findings.forEach(it -> provoked.add(it.at("reason").text()));

        assertThat(told).isEqualTo(provoked).hasSizeGreaterThan(15);
    }
}
