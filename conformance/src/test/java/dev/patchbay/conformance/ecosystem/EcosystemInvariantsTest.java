package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Every test scenario of the ecosystem invariants, with real processes behind the packaged program.
 * One gateway serves all scenarios; each scenario that breaks a server has its own server.
 */
class EcosystemInvariantsTest {
    private static final Duration ALL_ATTEMPTS = Duration.ofSeconds(40);
    private static final String VALID_ARGUMENTS = "{\"a\":1,\"b\":2,\"more\":[0.10]}";

    @TempDir private static Path folder;

    private static TestInstallation installation;
    private static TestHost host;
    private static ServerScript alpha;
    private static ServerScript beta;
    private static ServerScript hasty;
    private static ServerScript broken;
    private static ServerScript flaky;
    private static ServerScript stuck;
    private static ServerScript off;
    private static ServerScript sleeper;
    private static ServerScript changing;

    @BeforeAll
    static void open() throws Exception {
        installation = new TestInstallation(folder);
        alpha =
                installation
                        .script("alpha")
                        .tools("search=echo", "add", "fail", "hang")
                        .withOption("resources", 2);
        hasty = installation.script("hasty").tools("echo", "hang");
        beta = installation.script("beta").tools("search=echo", "unique=echo");
        broken =
                installation
                        .script("broken")
                        .withOption("exit", 3)
                        .withOption("stderr", "no licence");
        flaky = installation.script("flaky").withOption("fail-starts", 2);
        stuck = installation.script("stuck").at("server/discover=hang", "initialize=hang");
        off = installation.script("off");
        sleeper = installation.script("sleeper");
        changing = installation.script("changing");
        writeTools("first");
        installation
                .withServer(alpha)
                .withServer(beta)
                .withServer(hasty, "\"requestTimeoutMs\": 2000")
                .withServer(broken, "\"maxRetries\": 3, \"era\": \"legacy\"")
                .withServer(flaky, "\"maxRetries\": 3")
                .withServer(stuck, "\"connectionTimeoutMs\": 1000, \"maxRetries\": 0")
                .withServer(off, "\"enabled\": false")
                .withServer(sleeper, "\"enabled\": false")
                .withServer(changing)
                .withServer(installation.script("fragile").tools("crash=crash:ms=50"))
                .save();
        host = installation.connect();
    }

    @AfterAll
    static void close() {
        host.close();
    }

    /** Before that, the list of tools still grows. */
    private static void awaitAllListed() throws InterruptedException {
        for (String id : List.of("alpha", "beta", "hasty", "flaky", "changing", "fragile")) {
            host.awaitListed(id);
        }
    }

    @Test
    @Tag("INV-MCP-ECO-001")
    void discoveringTwiceInSuccessionGivesTheSameResult() throws Exception {
        awaitAllListed();
        List<JsonTree> rows = host.discover(false, "alpha", "beta");
        List<JsonTree> tools = host.tools();
        int asked = alpha.recording().receivedCount("tools/list");
        assertThat(TestHost.withoutDuration(host.discover(false, "alpha", "beta")))
                .isEqualTo(TestHost.withoutDuration(rows));
        assertThat(host.tools()).isEqualTo(tools);
        assertThat(alpha.recording().receivedCount("tools/list")).isEqualTo(asked);
    }

    @Test
    @Tag("INV-MCP-ECO-001")
    void forcedRefreshAsksAgainAndGivesTheSameResult() throws Exception {
        awaitAllListed();
        List<JsonTree> kept = host.discover(false, "alpha", "beta");
        List<JsonTree> tools = host.tools();
        JsonTree before = host.server("alpha").at("lastDiscoveredAt");
        int asked = alpha.recording().receivedCount("tools/list");
        List<JsonTree> forced = host.discover(true, "alpha", "beta");
        assertThat(TestHost.withoutDuration(forced)).isEqualTo(TestHost.withoutDuration(kept));
        assertThat(host.tools()).isEqualTo(tools);
        assertThat(alpha.recording().receivedCount("tools/list")).isEqualTo(asked + 1);
        assertThat(host.server("alpha").at("lastDiscoveredAt").asText())
                .isGreaterThan(before.asText());
    }

    @Test
    @Tag("INV-MCP-ECO-001")
    void discoveryAfterARestartGivesTheNewTools() throws Exception {
        host.awaitTools(names -> names.contains("changing.first"));
        writeTools("second");
        assertThat(host.failureDetails("changing.crash", "{}").at("reason").asText())
                .isEqualTo("INVOCATION_FAILED");
        host.awaitTools(names -> names.contains("changing.second"));
        assertThat(changing.recording().startCount()).isEqualTo(2);
        assertThat(host.discover(false, "changing").getFirst().at("status").asText())
                .isEqualTo("success");
        assertThat(host.toolNames()).doesNotContain("changing.first");
        assertThat(host.callForText("changing.second", "{}")).isEqualTo("{}");
    }

    @Test
    @Tag("INV-MCP-ECO-002")
    void toolsOfServerBAreAvailableWhileServerAFails() throws Exception {
        List<JsonTree> rows = host.discover(false, "stuck", "beta");
        assertThat(TestHost.statuses(rows)).containsExactly("success", "error");
        assertThat(host.toolNames()).contains("beta.search", "beta.unique");
        assertThat(host.callForText("beta.search", "{\"x\":1}")).isEqualTo("{\"x\":1}");
    }

    @Test
    @Tag("INV-MCP-ECO-002")
    void toolsAreEmptyAndEachErrorIsReportedIfAllServersFail(@TempDir Path other) throws Exception {
        var failing = new TestInstallation(other);
        failing.withServer(failing.script("one").withOption("exit", 4), "\"maxRetries\": 0")
                .withServer("two", "{\"command\": \"/no/such/program\", \"maxRetries\": 0}")
                .save();
        var outcome = failing.run("discover", "--json");
        JsonTree reported = StrictJson.parse(outcome.out());
        assertThat(outcome.status()).isEqualTo(1);
        assertThat(reported.at("tools").asList()).isEmpty();
        assertThat(TestHost.statuses(reported.at("serverResults").asList()))
                .containsExactly("error", "error");
        assertThat(reported.at("serverResults", 0, "error").asText())
                .startsWith("CONNECTION_FAILED")
                .contains("one", "4");
        assertThat(reported.at("serverResults", 1, "error").asText())
                .startsWith("CONNECTION_FAILED")
                .contains("two", "/no/such/program");
    }

    @Test
    @Tag("INV-MCP-ECO-002")
    void slowServerCostsOnlyItsOwnTimeout() throws Exception {
        host.awaitStatus("stuck", "error"); // else an attempt is under way that ends earlier
        var begun = Stopwatch.start();
        List<JsonTree> rows = host.discover(true, "alpha", "stuck");
        assertThat(TestHost.statuses(rows)).containsExactly("success", "error");
        long fast = rows.get(0).at("durationMs").asLong();
        long slow = rows.get(1).at("durationMs").asLong();
        assertThat(fast).isLessThan(slow);
        assertThat(slow).isBetween(900L, 4000L + begun.stalledTime().toMillis());
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void twoServersMayHaveAToolOfTheSameName() throws Exception {
        host.awaitTools(names -> names.contains("alpha.search") && names.contains("beta.search"));
        assertThat(host.toolNames()).doesNotHaveDuplicates();
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void bareNameSharedBySeveralToolsIsAmbiguous() throws Exception {
        host.awaitTools(names -> names.contains("alpha.search") && names.contains("beta.search"));
        JsonTree error = host.client().callTool("search", "{}").at("error");
        assertThat(error.at("code").asLong()).isEqualTo(-32602);
        assertThat(error.at("data", "reason").asText()).isEqualTo("AMBIGUOUS_TOOL");
        assertThat(error.at("data", "candidates").write())
                .isEqualTo("[\"alpha.search\",\"beta.search\"]");
        assertThat(host.callForText("unique", "{\"bare\":true}")).isEqualTo("{\"bare\":true}");
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void fullNameReachesItsTool() throws Exception {
        int before = beta.recording().callArguments("search").size();
        assertThat(host.callForText("alpha.search", "{\"to\":\"alpha\"}"))
                .isEqualTo("{\"to\":\"alpha\"}");
        assertThat(alpha.recording().callArguments("search")).contains("{\"to\":\"alpha\"}");
        assertThat(beta.recording().callArguments("search")).hasSize(before);
    }

    @Test
    @Tag("INV-MCP-ECO-100")
    void serverSlowerThanItsConnectionTimeoutGetsConnectionTimeout() throws Exception {
        var begun = Stopwatch.start();
        JsonTree failure = host.failureDetails("stuck.anything", "{}");
        assertThat(begun.activeTime()).isLessThan(Duration.ofSeconds(5));
        assertThat(failure.at("reason").asText()).isEqualTo("CONNECTION_TIMEOUT");
        assertThat(failure.at("serverId").asText()).isEqualTo("stuck");
        assertThat(failure.at("operation").asText()).isEqualTo("connect");
        assertThat(failure.at("execution").asText()).isEqualTo("not_sent");
        assertThat(host.lastError("stuck")).startsWith("CONNECTION_TIMEOUT").contains("stuck");
    }

    @Test
    @Tag("INV-MCP-ECO-100")
    void toolSlowerThanItsRequestTimeoutGetsInvocationFailed() throws Exception {
        host.awaitStatus("hasty", "connected");
        var begun = Stopwatch.start();
        JsonTree failure = host.failureDetails("hasty.hang", "{}");
        assertThat(begun.activeTime()).isLessThan(Duration.ofSeconds(5));
        assertThat(begun.elapsed()).isGreaterThan(Duration.ofMillis(1_990));
        assertThat(failure.at("reason").asText()).isEqualTo("INVOCATION_FAILED");
        assertThat(failure.at("serverId").asText()).isEqualTo("hasty");
        assertThat(failure.at("operation").asText()).isEqualTo("tools/call");
        assertThat(failure.at("message").asText()).contains("hasty", "hang", "2000 ms");
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void failingServerWithThreeRetriesGetsFourAttemptsThenAnError() throws Exception {
        assertThat(broken.recording().await(it -> it.startCount() == 4, ALL_ATTEMPTS)).isTrue();
        JsonTree server = host.awaitStatus("broken", "error");
        assertThat(server.at("attempts").asLong()).isEqualTo(4);
        assertThat(server.at("lastError").asText()).contains("broken", "4 attempts", "no licence");
        assertThat(broken.recording().await(it -> it.startCount() > 4, Duration.ofSeconds(1)))
                .isFalse();
        List<Long> starts = broken.recording().startTimes();
        for (int i = 1; i < 4; i++) {
            long wait = (starts.get(i) - starts.get(i - 1)) / 1_000_000;
            assertThat(wait).as("before attempt %d", i + 1).isGreaterThan(800L << (i - 1));
        }
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void serverThatSucceedsOnItsSecondRetryShowsItsAttemptsAndNoError() throws Exception {
        JsonTree server = host.awaitStatus("flaky", "connected");
        assertThat(server.has("lastError")).isFalse();
        assertThat(server.at("attempts").asLong()).isEqualTo(3);
        assertThat(flaky.recording().startCount()).isEqualTo(3);
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void connectedServerHasNoError() throws Exception {
        JsonTree server = host.awaitStatus("alpha", "connected");
        assertThat(server.has("lastError")).isFalse();
        assertThat(server.has("lastConnectedAt")).isTrue();
        assertThat(server.at("era").asText()).isEqualTo("legacy");
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void failedServerIsInErrorAndReportsWhy() throws Exception {
        JsonTree server = host.awaitStatus("stuck", "error");
        assertThat(server.at("lastError").asText()).contains("stuck", "initialize");
        assertThat(server.has("lastConnectedAt")).isFalse();
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void discoveryUpdatesTheCounts() throws Exception {
        host.discover(false, "alpha", "beta");
        JsonTree server = host.server("alpha");
        assertThat(server.at("toolCount").asLong()).isEqualTo(4);
        assertThat(server.at("resourceCount").asLong()).isEqualTo(2);
        assertThat(host.server("beta").at("toolCount").asLong()).isEqualTo(2);
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void disabledServerIsNeverStarted() throws Exception {
        assertThat(host.status("off")).isEqualTo("disabled");
        assertThat(TestHost.statuses(host.discover(true, "off"))).containsExactly("skipped");
        JsonTree error = host.client().callTool("off.echo", "{}").at("error");
        assertThat(error.at("code").asLong()).isEqualTo(-32602);
        assertThat(error.at("data", "reason").asText()).isEqualTo("SERVER_DISABLED");
        assertThat(off.recording().startCount()).isZero();
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void enablingAServerConnectsItAndDisablingStopsIt() throws Exception {
        assertThat(sleeper.recording().startCount()).isZero();
        assertThat(installation.run("enable", "sleeper").status()).isZero();
        host.awaitStatus("sleeper", "connected");
        assertThat(sleeper.recording().startCount()).isEqualTo(1);
        assertThat(host.callForText("sleeper.echo", "{}")).isEqualTo("{}");
        assertThat(installation.run("disable", "sleeper").status()).isZero();
        host.awaitStatus("sleeper", "disabled");
        host.awaitTools(names -> names.stream().noneMatch(it -> it.startsWith("sleeper.")));
        long pid = sleeper.recording().pids().getFirst();
        assertThat(TestHost.await(TestHost.TIMEOUT, () -> !ProcessInspector.isAlive(pid))).isTrue();
        JsonTree error = host.client().callTool("sleeper.echo", "{}").at("error");
        assertThat(error.at("data", "reason").asText()).isEqualTo("SERVER_DISABLED");
        assertThat(sleeper.recording().startCount()).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void discoverySkipsDisabledServersUnlessRequested(@TempDir Path other) throws Exception {
        var some = new TestInstallation(other);
        ServerScript idle = some.script("idle");
        some.withServer(some.script("busy")).withServer(idle, "\"enabled\": false").save();
        JsonTree plain = StrictJson.parse(some.run("discover", "--json").out());
        assertThat(TestHost.statuses(plain.at("serverResults").asList()))
                .containsExactly("success");
        JsonTree all = StrictJson.parse(some.run("discover", "--include-disabled", "--json").out());
        assertThat(TestHost.statuses(all.at("serverResults").asList()))
                .containsExactly("success", "skipped");
        assertThat(idle.recording().startCount()).isZero();
    }

    @Test
    @Tag("INV-MCP-ECO-300")
    void missingRequiredArgumentIsRefusedBeforeSending() throws Exception {
        assertRefused("{\"a\":1}", "required");
    }

    @Test
    @Tag("INV-MCP-ECO-300")
    void argumentOfTheWrongTypeIsRefusedBeforeSending() throws Exception {
        assertRefused("{\"a\":1,\"b\":\"two\"}", "/b");
    }

    private static void assertRefused(String arguments, String why) throws Exception {
        host.awaitStatus("alpha", "connected");
        int before = alpha.recording().callArguments("add").size();
        JsonTree failure = host.failureDetails("alpha.add", arguments);
        assertThat(failure.at("reason").asText()).isEqualTo("INVALID_ARGUMENTS");
        assertThat(failure.at("violations").write()).contains(why);
        assertThat(alpha.recording().callArguments("add")).hasSize(before);
    }

    @Test
    @Tag("INV-MCP-ECO-300")
    void validArgumentsReachTheServerWithAdditionalProperties() throws Exception {
        assertThat(host.callForText("alpha.add", VALID_ARGUMENTS)).isEqualTo("3");
        assertThat(alpha.recording().callArguments("add")).contains(VALID_ARGUMENTS);
    }

    @Test
    @Tag("INV-MCP-ECO-301")
    void toolErrorIsForwardedWithItsPartialResult() throws Exception {
        JsonTree result = host.callForResult("alpha.fail", "{\"message\":\"disk full\"}");
        assertThat(TestHost.isError(result)).isTrue();
        assertThat(result.at("content", 0, "text").asText()).isEqualTo("half done");
        assertThat(result.at("content", 1, "text").asText()).isEqualTo("disk full");
        assertThat(result.at("structuredContent").write()).isEqualTo("{\"done\":0.50}");
        assertThat(result.at("_meta", "test/trace").asText()).isEqualTo("t-1");
    }

    @Test
    @Tag("INV-MCP-ECO-301")
    void connectionLostDuringACallIsInvocationFailed() throws Exception {
        host.awaitStatus("fragile", "connected");
        JsonTree failure = host.failureDetails("fragile.crash", "{}");
        assertThat(failure.at("reason").asText()).isEqualTo("INVOCATION_FAILED");
        assertThat(failure.at("serverId").asText()).isEqualTo("fragile");
        assertThat(failure.at("execution").asText()).isEqualTo("unknown");
    }

    @Test
    @Tag("INV-MCP-ECO-301")
    void toolTimeoutIsInvocationFailedAndNamesTheTimeout() throws Exception {
        JsonTree result = host.callForResult("hasty.hang", "{}");
        assertThat(TestHost.failureDetails(result).at("reason").asText())
                .isEqualTo("INVOCATION_FAILED");
        assertThat(result.at("content", 0, "text").asText()).contains("timeout");
        assertThat(hasty.recording().await(it -> !it.cancelledIds().isEmpty(), TestHost.TIMEOUT))
                .isTrue();
        assertThat(host.callForText("hasty.echo", "{}")).isEqualTo("{}");
    }

    private static void writeTools(String name) {
        changing.withToolDefinitions(
                """
                [{"name":"%s","x-behaviour":"echo","inputSchema":{"type":"object"}},
                 {"name":"crash","inputSchema":{"type":"object"}}]
                """
                        .formatted(name));
    }
}
