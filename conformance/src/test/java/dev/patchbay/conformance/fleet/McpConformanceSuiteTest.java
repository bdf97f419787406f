package dev.patchbay.conformance.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation;
import dev.patchbay.conformance.fleet.NodeScripts.ProcessResult;
import dev.patchbay.conformance.fleet.NpmServers.NpmServer;

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
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The official conformance suite, as a client and as a server of the gateway. Warnings count as
 * failures. Expected failures are in the {@code expected-*.yml} resources, with the reason; if one
 * of them passes, the test fails too.
 */
@Tag("fleet")
class McpConformanceSuiteTest {
    private static final String SUITE = "@modelcontextprotocol/conformance/dist/index.js";
    private static final Duration TIMEOUT = Duration.ofSeconds(150);
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

    private static final List<String> SIGN_IN_SCENARIOS_OF_BOTH_ERAS =
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

    private static final List<String> SIGN_IN_RUNS =
            Stream.of(
                            Stream.of(
                                    "2025-03-26 auth/2025-03-26-oauth-metadata-backcompat",
                                    "2025-03-26 auth/2025-03-26-oauth-endpoint-fallback",
                                    "extension auth/client-credentials-basic",
                                    "extension auth/client-credentials-jwt",
                                    "extension auth/wif-jwt-bearer",
                                    "extension auth/enterprise-managed-authorization",
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
                            SIGN_IN_SCENARIOS_OF_BOTH_ERAS.stream()
                                    .map(it -> "2025-11-25 auth/" + it),
                            SIGN_IN_SCENARIOS_OF_BOTH_ERAS.stream()
                                    .map(it -> "2026-07-28 auth/" + it))
                    .flatMap(Function.identity())
                    .toList();

    /** Of the runs in both eras, those that also run in the legacy era where time is short. */
    private static final Set<String> SHORT_LEGACY_SIGN_INS =
            Set.of(
                    "2025-11-25 auth/metadata-default",
                    "2025-11-25 auth/basic-cimd",
                    "2025-11-25 auth/scope-step-up");

    /** A sign-in is mostly waiting for processes. */
    private static final int PARALLEL_SIGN_INS = 3;

    @TempDir private Path folder;
    private NpmPackages packages;
    private NodeScripts scripts;

    @BeforeEach
    void prepare() throws IOException {
        packages = NpmPackages.installed();
        scripts = new NodeScripts(packages, folder);
    }

    @AfterEach
    void closeScripts() throws IOException {
        scripts.close();
    }

    /**
     * Clients of both eras, with servers of either era and of both. The official server passes 84
     * and 152 checks directly; the one check less is about a stream over HTTP that the server ends,
     * which a server on stdio cannot do.
     */
    @ParameterizedTest
    @CsvSource({
        "both, 2025-11-25, expected-none.yml, 83",
        "both, 2026-07-28, expected-none.yml, 152",
        "modern, 2025-11-25, expected-none.yml, 83",
        "legacy, 2026-07-28, expected-modern-client-of-legacy-server.yml, 125"
    })
    void suitePassesForBothErasOfClientsAndServers(
            String era, String version, String expected, int checksMin) throws Exception {
        TestInstallation installation = newInstallation(era);
        installation.save(configText("\"names\": \"bare\", ", installation));
        try (HttpGatewayProcess gateway = HttpGatewayProcess.start(installation)) {
            assertPasses(gateway, version, expected, checksMin);
        }
    }

    /** Servers that only speak the era of the client. */
    @ParameterizedTest
    @Tag("long")
    @CsvSource({
        "legacy, 2025-11-25, expected-none.yml, 83",
        "modern, 2026-07-28, expected-none.yml, 152"
    })
    void suitePassesForServersOfTheClientsEra(
            String era, String version, String expected, int checksMin) throws Exception {
        suitePassesForBothErasOfClientsAndServers(era, version, expected, checksMin);
    }

    /** The tools have full names, and other servers have tools as well. */
    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2026-07-28"})
    void suitePassesWithSeveralServers(String version) throws Exception {
        TestInstallation installation = newInstallation("modern");
        Path data = Files.createDirectory(folder.resolve("data"));
        Map<String, NpmServer> ships =
                new NpmServers(packages, data, "http://127.0.0.1:9").servers();
        for (String id : List.of("everything", "filesystem", "memory")) {
            installation.withServer(id, ships.get(id).configEntry());
        }
        installation.save(configText("", installation));
        try (HttpGatewayProcess gateway = HttpGatewayProcess.start(installation)) {
            assertPasses(gateway, version, "expected-full-names.yml", 70);
        }
    }

    /** The server over HTTP is another gateway with the fixture behind it. */
    @ParameterizedTest
    @CsvSource({"auto, 2025-11-25, 83", "auto, 2026-07-28, 152"})
    void suitePassesWithAServerOverHttp(String era, String version, int checksMin)
            throws Exception {
        TestInstallation near = newInstallation(era.equals("auto") ? "both" : era);
        near.save(configText("\"names\": \"bare\", ", near));
        var far = new TestInstallation(Files.createDirectory(folder.resolve("far")));
        try (HttpGatewayProcess nearer = HttpGatewayProcess.start(near)) {
            far.withServer(
                    "near", "{\"url\": \"%s\", \"era\": \"%s\"}".formatted(nearer.url(), era));
            far.save(configText("\"names\": \"bare\", ", far));
            try (HttpGatewayProcess gateway = HttpGatewayProcess.start(far)) {
                assertPasses(gateway, version, "expected-none.yml", checksMin);
            }
        }
    }

    /** The era of the server over HTTP is set. */
    @ParameterizedTest
    @Tag("long")
    @CsvSource({"legacy, 2025-11-25, 83", "modern, 2026-07-28, 152"})
    void suitePassesWithAServerOverHttpOfOneEra(String era, String version, int checksMin)
            throws Exception {
        suitePassesWithAServerOverHttp(era, version, checksMin);
    }

    /** The extension is optional, so each scenario is run by name. */
    @Test
    void suitePassesForTheTasksExtension() throws Exception {
        var installation = new TestInstallation(folder);
        installation.withServer(
                "fixture", NpmPackages.configEntry(scripts.nodeCommand("tasks-fixture.mjs"), ""));
        installation.save(configText("\"names\": \"bare\", ", installation));
        List<String> scenarios =
                runSuite("list", "--server")
                        .out()
                        .lines()
                        .filter(line -> line.startsWith("  - tasks-"))
                        .map(line -> line.strip().split(" ", -1)[1])
                        .toList();
        assertThat(scenarios).hasSizeGreaterThanOrEqualTo(10);
        try (HttpGatewayProcess gateway = HttpGatewayProcess.start(installation)) {
            String url = gateway.url().replace("127.0.0.1", "localhost");
            for (String scenario : scenarios) {
                ProcessResult outcome = runSuite("server", "--url", url, "--scenario", scenario);
                assertThat(outcome.status()).as("%s: %s", scenario, outcome).isZero();
            }
        }
    }

    @ParameterizedTest
    @FieldSource("CLIENT_RUNS")
    void gatewayPassesTheClientScenarios(String run) throws Exception {
        scripts.copyResource("client-of-suite.mjs");
        assertClientScenarioPasses(run);
    }

    /**
     * Signs in with {@code patchbay login} while the gateway runs. What differs between the eras
     * runs in both; the profile {@code long} runs everything in both.
     */
    @Test
    void gatewayPassesTheSignInScenarios() throws Exception {
        scripts.copyResource("client-of-suite.mjs");
        try (var threads = Executors.newFixedThreadPool(PARALLEL_SIGN_INS)) {
            var runs = new ArrayList<Future<?>>();
            for (String run : SIGN_IN_RUNS) {
                boolean isExtra =
                        run.startsWith("2025-11-25") && !SHORT_LEGACY_SIGN_INS.contains(run);
                if (isExtra && !Boolean.getBoolean("patchbay.long")) {
                    continue;
                }
                runs.add(
                        threads.submit(
                                () -> {
                                    assertClientScenarioPasses(run);
                                    return run;
                                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        }
    }

    private void assertClientScenarioPasses(String run) throws IOException, InterruptedException {
        String[] words = run.split(" ", -1);
        var command =
                new ArrayList<>(
                        List.of(
                                "client",
                                "--command",
                                packages.node() + " client-of-suite.mjs",
                                "--scenario",
                                words[1],
                                "--timeout",
                                "60000"));
        if (!words[0].equals("extension")) {
            command.addAll(List.of("--spec-version", words[0]));
        }
        ProcessResult outcome = runSuite(command.toArray(String[]::new));
        assertThat(outcome.status()).as("%s: %s", run, outcome).isZero();
        assertThat(outcome.out() + outcome.err()).as(run).contains(" 0 failed, 0 warnings");
    }

    /** Every client scenario of the suite is run here, or excluded with a reason. */
    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2026-07-28"})
    void everyClientScenarioIsRunOrExcludedWithAReason(String version) throws Exception {
        var wanted = new TreeSet<String>();
        boolean clients = false;
        for (String line : runSuite("list", "--requirements", version).out().lines().toList()) {
            clients = line.isEmpty() ? false : clients || line.startsWith("Client scenarios");
            if (clients && line.startsWith("  - ")) {
                wanted.add(line.substring(4).strip());
            }
        }
        assertThat(wanted).hasSizeGreaterThan(15);
        var known = new TreeSet<String>();
        Stream.concat(CLIENT_RUNS.stream(), SIGN_IN_RUNS.stream())
                .filter(run -> run.startsWith(version))
                .map(run -> run.split(" ", -1)[1])
                .forEach(known::add);
        Files.readAllLines(scripts.copyResource("expected-of-clients.yml")).stream()
                .filter(line -> line.matches("  - \\S+ # \\S.*"))
                .map(line -> line.substring(4, line.indexOf('#')).strip())
                .forEach(known::add);
        assertThat(known).containsAll(wanted);
    }

    private void assertPasses(
            HttpGatewayProcess gateway, String version, String expected, int checksMin)
            throws IOException, InterruptedException {
        ProcessResult outcome =
                runSuite(
                        "server",
                        "--url",
                        gateway.url().replace("127.0.0.1", "localhost"),
                        "--suite",
                        "all",
                        "--spec-version",
                        version,
                        "--expected-failures",
                        scripts.copyResource(expected).toString());
        assertThat(outcome.status()).as("%s", outcome).isZero();
        Matcher total = TOTAL.matcher(outcome.out() + outcome.err());
        assertThat(total.find()).as("%s", outcome).isTrue();
        assertThat(Integer.parseInt(total.group(1))).isGreaterThanOrEqualTo(checksMin);
    }

    private ProcessResult runSuite(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(packages.nodeCommand(SUITE, arguments));
        if (!arguments[0].equals("list")) {
            command.addAll(List.of("-o", folder.resolve("results").toString()));
        }
        return scripts.run(command, Map.of(), TIMEOUT);
    }

    private TestInstallation newInstallation(String era) throws IOException {
        var installation = new TestInstallation(folder);
        installation.withServer(
                "fixture", NpmPackages.configEntry(scripts.nodeCommand("fixture.mjs", era), ""));
        return installation;
    }

    /** The configuration without a token, because the suite sends none. */
    private static String configText(String more, TestInstallation installation) {
        return installation
                .configText()
                .replace("{\"selfTools\": true}", "{" + more + "\"http\": {\"auth\": \"none\"}}");
    }
}
