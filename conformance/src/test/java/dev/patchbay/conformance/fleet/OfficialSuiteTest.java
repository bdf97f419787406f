package dev.patchbay.conformance.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.Workbench;
import dev.patchbay.conformance.fleet.Fleet.Ship;
import dev.patchbay.conformance.fleet.Scripts.Outcome;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The official conformance suite, as a client before the gateway and as a server behind it.
 * Warnings count as failures. What is expected to fail is in the {@code expected-*.yml} of the
 * resources, with the reason; that something in there passes is a failure too.
 */
@Tag("fleet")
class OfficialSuiteTest {
    private static final String SUITE = "@modelcontextprotocol/conformance/dist/index.js";
    private static final Duration PATIENCE = Duration.ofSeconds(150);
    private static final Pattern TOTAL = Pattern.compile("Total: (\\d+) passed, (\\d+) failed");
    private static final List<String> CLIENT_RUNS =
            List.of(
                    "2025-11-25 initialize",
                    "2025-11-25 tools_call",
                    "2025-11-25 elicitation-sep1034-client-defaults",
                    "2025-11-25 sse-retry",
                    "2025-11-25 json-schema-2020-12-preservation",
                    "2026-07-28 tools_call",
                    "2026-07-28 request-metadata",
                    "2026-07-28 http-standard-headers",
                    "2026-07-28 http-custom-headers",
                    "2026-07-28 http-invalid-tool-headers",
                    "2026-07-28 sep-2322-client-request-state",
                    "2026-07-28 json-schema-ref-no-deref",
                    "2026-07-28 json-schema-2020-12-preservation");

    private static final List<String> SIGN_INS_OF_BOTH =
            List.of(
                    "metadata-default",
                    "metadata-var1",
                    "metadata-var2",
                    "metadata-var3",
                    "basic-cimd",
                    "scope-from-www-authenticate",
                    "scope-from-scopes-supported",
                    "scope-omitted-when-undefined",
                    "scope-step-up",
                    "scope-retry-limit",
                    "token-endpoint-auth-basic",
                    "token-endpoint-auth-post",
                    "token-endpoint-auth-none",
                    "pre-registration");

    private static final List<String> SIGN_INS =
            Stream.of(
                            Stream.of(
                                    "2025-03-26 auth/2025-03-26-oauth-metadata-backcompat",
                                    "2025-03-26 auth/2025-03-26-oauth-endpoint-fallback",
                                    "extension auth/client-credentials-basic",
                                    "2026-07-28 auth/resource-mismatch",
                                    "2026-07-28 auth/offline-access-scope",
                                    "2026-07-28 auth/offline-access-not-supported",
                                    "2026-07-28 auth/authorization-server-migration",
                                    "2026-07-28 auth/iss-supported",
                                    "2026-07-28 auth/iss-not-advertised",
                                    "2026-07-28 auth/iss-supported-missing",
                                    "2026-07-28 auth/iss-wrong-issuer",
                                    "2026-07-28 auth/iss-unexpected",
                                    "2026-07-28 auth/iss-normalized",
                                    "2026-07-28 auth/metadata-issuer-mismatch"),
                            SIGN_INS_OF_BOTH.stream().map(it -> "2025-11-25 auth/" + it),
                            SIGN_INS_OF_BOTH.stream().map(it -> "2026-07-28 auth/" + it))
                    .flatMap(Function.identity())
                    .toList();

    /** Most of a sign-in is waiting for one process or another. */
    private static final int SIGN_INS_AT_ONCE = 3;

    @TempDir private Path folder;
    private Parts parts;
    private Scripts scripts;

    @BeforeEach
    void prepare() throws IOException {
        parts = Parts.installed();
        scripts = new Scripts(parts, folder);
    }

    @AfterEach
    void end() throws IOException {
        scripts.close();
    }

    /**
     * Both eras of clients, each with servers of both eras; the last row has a limit of its own.
     */
    @ParameterizedTest
    @CsvSource({
        "legacy, 2025-11-25, expected-none.yml, 80",
        "modern, 2025-11-25, expected-none.yml, 80",
        "modern, 2026-07-28, expected-none.yml, 150",
        "legacy, 2026-07-28, expected-modern-client-of-legacy-server.yml, 125"
    })
    void clientsOfBothErasSeeServersOfBoth(
            String era, String version, String expected, int checksMin) throws Exception {
        Workbench bench = bench(era);
        bench.save(settings("\"names\": \"bare\", ", bench));
        try (Serving serving = Serving.of(bench)) {
            assertPasses(serving, version, expected, checksMin);
        }
    }

    /**
     * Its tools have the names of their server before them, and other servers have tools as well.
     */
    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2026-07-28"})
    void oneServerAmongOthersIsSeenAsWell(String version) throws Exception {
        Workbench bench = bench("modern");
        Path data = Files.createDirectory(folder.resolve("data"));
        Map<String, Ship> ships = new Fleet(parts, data, "http://127.0.0.1:9").ships();
        for (String id : List.of("everything", "filesystem", "memory")) {
            bench.with(id, ships.get(id).entry());
        }
        bench.save(settings("", bench));
        try (Serving serving = Serving.of(bench)) {
            assertPasses(serving, version, "expected-full-names.yml", 70);
        }
    }

    /** A server over HTTP: it is another gateway, which has the fixture behind it. */
    @ParameterizedTest
    @CsvSource({"legacy, 2025-11-25, 80", "modern, 2026-07-28, 150"})
    void aServerOverHttpIsSeenAsWell(String era, String version, int checksMin) throws Exception {
        Workbench near = bench(era);
        near.save(settings("\"names\": \"bare\", ", near));
        var far = new Workbench(Files.createDirectory(folder.resolve("far")));
        try (Serving nearer = Serving.of(near)) {
            far.with("near", "{\"url\": \"%s\", \"era\": \"%s\"}".formatted(nearer.url(), era));
            far.save(settings("\"names\": \"bare\", ", far));
            try (Serving serving = Serving.of(far)) {
                assertPasses(serving, version, "expected-none.yml", checksMin);
            }
        }
    }

    /** The extension, which no revision requires: each of its scenarios is run by its name. */
    @Test
    void tasksOfTheExtensionAreSeenAsWell() throws Exception {
        var bench = new Workbench(folder);
        bench.with("fixture", Parts.entry(scripts.command("tasks-fixture.mjs"), ""));
        bench.save(settings("\"names\": \"bare\", ", bench));
        List<String> scenarios =
                suite("list", "--server")
                        .out()
                        .lines()
                        .filter(line -> line.startsWith("  - tasks-"))
                        .map(line -> line.strip().split(" ", -1)[1])
                        .toList();
        assertThat(scenarios).hasSizeGreaterThanOrEqualTo(10);
        try (Serving serving = Serving.of(bench)) {
            String url = serving.url().replace("127.0.0.1", "localhost");
            for (String scenario : scenarios) {
                Outcome outcome = suite("server", "--url", url, "--scenario", scenario);
                assertThat(outcome.status()).as("%s: %s", scenario, outcome).isZero();
            }
        }
    }

    @ParameterizedTest
    @FieldSource("CLIENT_RUNS")
    void serversSeeARightClient(String run) throws Exception {
        scripts.copy("client-of-suite.mjs");
        assertSeesARightClient(run);
    }

    /** Each is signed in to with {@code patchbay login}, while the gateway runs. */
    @Test
    void serversThatWantASignInSeeARightClient() throws Exception {
        scripts.copy("client-of-suite.mjs");
        try (var threads = Executors.newFixedThreadPool(SIGN_INS_AT_ONCE)) {
            var runs = new ArrayList<Future<?>>();
            for (String run : SIGN_INS) {
                runs.add(
                        threads.submit(
                                () -> {
                                    assertSeesARightClient(run);
                                    return run;
                                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        }
    }

    private void assertSeesARightClient(String run) throws IOException, InterruptedException {
        String[] words = run.split(" ", -1);
        var command =
                new ArrayList<>(
                        List.of(
                                "client",
                                "--command",
                                parts.node() + " client-of-suite.mjs",
                                "--scenario",
                                words[1],
                                "--timeout",
                                "60000"));
        if (!words[0].equals("extension")) {
            command.addAll(List.of("--spec-version", words[0]));
        }
        Outcome outcome = suite(command.toArray(String[]::new));
        assertThat(outcome.status()).as("%s: %s", run, outcome).isZero();
        assertThat(outcome.out() + outcome.err()).as(run).contains(" 0 failed, 0 warnings");
    }

    /** What the suite wants of clients is all run here, or left out for a reason that is given. */
    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2026-07-28"})
    void everyScenarioForClientsIsRunOrExplained(String version) throws Exception {
        var wanted = new TreeSet<String>();
        boolean clients = false;
        for (String line : suite("list", "--requirements", version).out().lines().toList()) {
            clients = line.isEmpty() ? false : clients || line.startsWith("Client scenarios");
            if (clients && line.startsWith("  - ")) {
                wanted.add(line.substring(4).strip());
            }
        }
        assertThat(wanted).hasSizeGreaterThan(15);
        var known = new TreeSet<String>();
        Stream.concat(CLIENT_RUNS.stream(), SIGN_INS.stream())
                .filter(run -> run.startsWith(version))
                .map(run -> run.split(" ", -1)[1])
                .forEach(known::add);
        Files.readAllLines(scripts.copy("expected-of-clients.yml")).stream()
                .filter(line -> line.matches("  - \\S+ # \\S.*"))
                .map(line -> line.substring(4, line.indexOf('#')).strip())
                .forEach(known::add);
        assertThat(known).containsAll(wanted);
    }

    private void assertPasses(Serving serving, String version, String expected, int checksMin)
            throws IOException, InterruptedException {
        Outcome outcome =
                suite(
                        "server",
                        "--url",
                        serving.url().replace("127.0.0.1", "localhost"),
                        "--suite",
                        "all",
                        "--spec-version",
                        version,
                        "--expected-failures",
                        scripts.copy(expected).toString());
        assertThat(outcome.status()).as("%s", outcome).isZero();
        Matcher total = TOTAL.matcher(outcome.out() + outcome.err());
        assertThat(total.find()).as("%s", outcome).isTrue();
        assertThat(Integer.parseInt(total.group(1))).isGreaterThanOrEqualTo(checksMin);
    }

    private Outcome suite(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(parts.command(SUITE, arguments));
        if (!arguments[0].equals("list")) {
            command.addAll(List.of("-o", folder.resolve("results").toString()));
        }
        return scripts.run(command, Map.of(), PATIENCE);
    }

    private Workbench bench(String era) throws IOException {
        var bench = new Workbench(folder);
        bench.with("fixture", Parts.entry(scripts.command("fixture.mjs", era), ""));
        return bench;
    }

    /** The configuration of the workbench, open to this machine: the suite shows no token. */
    private static String settings(String more, Workbench bench) {
        return bench.text()
                .replace("{\"selfTools\": true}", "{" + more + "\"http\": {\"auth\": \"none\"}}");
    }
}
