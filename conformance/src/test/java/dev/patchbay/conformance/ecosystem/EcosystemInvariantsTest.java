package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Processes;
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
 * One gateway serves all scenarios; the servers that are hurt belong to one scenario each.
 */
class EcosystemInvariantsTest {
    private static final Duration ALL_ATTEMPTS = Duration.ofSeconds(40);
    private static final String RIGHT = "{\"a\":1,\"b\":2,\"more\":[0.10]}";

    @TempDir private static Path folder;

    private static Workbench bench;
    private static Host host;
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
        bench = new Workbench(folder);
        alpha =
                bench.script("alpha")
                        .tools("search=echo", "add", "fail", "hang")
                        .with("resources", 2);
        hasty = bench.script("hasty").tools("echo", "hang");
        beta = bench.script("beta").tools("search=echo", "unique=echo");
        broken = bench.script("broken").with("exit", 3).with("stderr", "no licence");
        flaky = bench.script("flaky").with("fail-starts", 2);
        stuck = bench.script("stuck").at("server/discover=hang", "initialize=hang");
        off = bench.script("off");
        sleeper = bench.script("sleeper");
        changing = bench.script("changing");
        tellTools("first");
        bench.with(alpha)
                .with(beta)
                .with(hasty, "\"requestTimeoutMs\": 2000")
                .with(broken, "\"maxRetries\": 3, \"era\": \"legacy\"")
                .with(flaky, "\"maxRetries\": 3")
                .with(stuck, "\"connectionTimeoutMs\": 1000, \"maxRetries\": 0")
                .with(off, "\"enabled\": false")
                .with(sleeper, "\"enabled\": false")
                .with(changing)
                .with(bench.script("fragile").tools("crash=crash:ms=50"))
                .save();
        host = bench.open();
    }

    @AfterAll
    static void close() {
        host.close();
    }

    /** Until then the list of all tools grows by itself. */
    private static void awaitAllListed() throws InterruptedException {
        for (String id : List.of("alpha", "beta", "hasty", "flaky", "changing", "fragile")) {
            host.awaitListed(id);
        }
    }

    @Test
    @Tag("INV-MCP-ECO-001")
    void discoveringTwiceInSuccessionGivesTheSame() throws Exception {
        awaitAllListed();
        List<JsonTree> rows = host.discover(false, "alpha", "beta");
        List<JsonTree> tools = host.tools();
        int asked = alpha.record().count("tools/list");
        assertThat(withoutDuration(host.discover(false, "alpha", "beta")))
                .isEqualTo(withoutDuration(rows));
        assertThat(host.tools()).isEqualTo(tools);
        assertThat(alpha.record().count("tools/list")).isEqualTo(asked);
    }

    @Test
    @Tag("INV-MCP-ECO-001")
    void aForcedRefreshAsksAgainAndGivesTheSame() throws Exception {
        awaitAllListed();
        List<JsonTree> kept = host.discover(false, "alpha", "beta");
        List<JsonTree> tools = host.tools();
        JsonTree before = host.server("alpha").at("lastDiscoveredAt");
        int asked = alpha.record().count("tools/list");
        List<JsonTree> forced = host.discover(true, "alpha", "beta");
        assertThat(withoutDuration(forced)).isEqualTo(withoutDuration(kept));
        assertThat(host.tools()).isEqualTo(tools);
        assertThat(alpha.record().count("tools/list")).isEqualTo(asked + 1);
        assertThat(host.server("alpha").at("lastDiscoveredAt").text()).isGreaterThan(before.text());
    }

    @Test
    @Tag("INV-MCP-ECO-001")
    void discoveryAfterARestartGivesTheNewTools() throws Exception {
        host.awaitTools(names -> names.contains("changing.first"));
        tellTools("second");
        assertThat(host.failure("changing.crash", "{}").at("reason").text())
                .isEqualTo("INVOCATION_FAILED");
        host.awaitTools(names -> names.contains("changing.second"));
        assertThat(changing.record().starts()).isEqualTo(2);
        assertThat(host.discover(false, "changing").getFirst().at("status").text())
                .isEqualTo("success");
        assertThat(host.toolNames()).doesNotContain("changing.first");
        assertThat(host.text("changing.second", "{}")).isEqualTo("{}");
    }

    @Test
    @Tag("INV-MCP-ECO-002")
    void theToolsOfBAreAvailableWhileAFails() throws Exception {
        List<JsonTree> rows = host.discover(false, "stuck", "beta");
        assertThat(statuses(rows)).containsExactly("success", "error");
        assertThat(host.toolNames()).contains("beta.search", "beta.unique");
        assertThat(host.text("beta.search", "{\"x\":1}")).isEqualTo("{\"x\":1}");
    }

    @Test
    @Tag("INV-MCP-ECO-002")
    void whenAllFailTheToolsAreEmptyAndEachErrorIsTold(@TempDir Path other) throws Exception {
        var failing = new Workbench(other);
        failing.with(failing.script("one").with("exit", 4), "\"maxRetries\": 0")
                .with("two", "{\"command\": \"/no/such/program\", \"maxRetries\": 0}")
                .save();
        var outcome = failing.run("discover", "--json");
        JsonTree told = StrictJson.parse(outcome.out());
        assertThat(outcome.status()).isEqualTo(1);
        assertThat(told.at("tools").list()).isEmpty();
        assertThat(statuses(told.at("serverResults").list())).containsExactly("error", "error");
        assertThat(told.at("serverResults", 0, "error").text())
                .startsWith("CONNECTION_FAILED")
                .contains("one", "4");
        assertThat(told.at("serverResults", 1, "error").text())
                .startsWith("CONNECTION_FAILED")
                .contains("two", "/no/such/program");
    }

    @Test
    @Tag("INV-MCP-ECO-002")
    void aSlowServerCostsOnlyItsOwnTimeout() throws Exception {
        host.awaitStatus("stuck", "error"); // else an attempt is under way that ends earlier
        var begun = Stopwatch.start();
        List<JsonTree> rows = host.discover(true, "alpha", "stuck");
        assertThat(statuses(rows)).containsExactly("success", "error");
        long fast = rows.get(0).at("durationMs").integer();
        long slow = rows.get(1).at("durationMs").integer();
        assertThat(fast).isLessThan(slow);
        assertThat(slow).isBetween(900L, 4000L + begun.standstill().toMillis());
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void twoServersMayHaveAToolOfTheSameName() throws Exception {
        host.awaitTools(names -> names.contains("alpha.search") && names.contains("beta.search"));
        assertThat(host.toolNames()).doesNotHaveDuplicates();
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void aBareNameThatSeveralHaveIsAmbiguous() throws Exception {
        host.awaitTools(names -> names.contains("alpha.search") && names.contains("beta.search"));
        JsonTree error = host.client().call("search", "{}").at("error");
        assertThat(error.at("code").integer()).isEqualTo(-32602);
        assertThat(error.at("data", "reason").text()).isEqualTo("AMBIGUOUS_TOOL");
        assertThat(error.at("data", "candidates").write())
                .isEqualTo("[\"alpha.search\",\"beta.search\"]");
        assertThat(host.text("unique", "{\"bare\":true}")).isEqualTo("{\"bare\":true}");
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void aFullNameReachesTheOneItMeans() throws Exception {
        int before = beta.record().calls("search").size();
        assertThat(host.text("alpha.search", "{\"to\":\"alpha\"}")).isEqualTo("{\"to\":\"alpha\"}");
        assertThat(alpha.record().calls("search")).contains("{\"to\":\"alpha\"}");
        assertThat(beta.record().calls("search")).hasSize(before);
    }

    @Test
    @Tag("INV-MCP-ECO-100")
    void aServerSlowerThanItsConnectionTimeoutGetsConnectionTimeout() throws Exception {
        var begun = Stopwatch.start();
        JsonTree failure = host.failure("stuck.anything", "{}");
        assertThat(begun.net()).isLessThan(Duration.ofSeconds(5));
        assertThat(failure.at("reason").text()).isEqualTo("CONNECTION_TIMEOUT");
        assertThat(failure.at("serverId").text()).isEqualTo("stuck");
        assertThat(failure.at("operation").text()).isEqualTo("connect");
        assertThat(failure.at("execution").text()).isEqualTo("not_sent");
        assertThat(host.lastError("stuck")).startsWith("CONNECTION_TIMEOUT").contains("stuck");
    }

    @Test
    @Tag("INV-MCP-ECO-100")
    void aToolSlowerThanItsRequestTimeoutGetsInvocationFailed() throws Exception {
        host.awaitStatus("hasty", "connected");
        var begun = Stopwatch.start();
        JsonTree failure = host.failure("hasty.hang", "{}");
        assertThat(begun.net()).isLessThan(Duration.ofSeconds(5));
        assertThat(begun.elapsed()).isGreaterThan(Duration.ofMillis(1_990));
        assertThat(failure.at("reason").text()).isEqualTo("INVOCATION_FAILED");
        assertThat(failure.at("serverId").text()).isEqualTo("hasty");
        assertThat(failure.at("operation").text()).isEqualTo("tools/call");
        assertThat(failure.at("message").text()).contains("hasty", "hang", "2000 ms");
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void aServerThatFailsWithThreeRetriesGetsFourAttemptsThenAnError() throws Exception {
        assertThat(broken.record().await(it -> it.starts() == 4, ALL_ATTEMPTS)).isTrue();
        JsonTree server = host.awaitStatus("broken", "error");
        assertThat(server.at("attempts").integer()).isEqualTo(4);
        assertThat(server.at("lastError").text()).contains("broken", "4 attempts", "no licence");
        assertThat(broken.record().await(it -> it.starts() > 4, Duration.ofSeconds(1))).isFalse();
        List<Long> starts = broken.record().startNanos();
        for (int i = 1; i < 4; i++) {
            long wait = (starts.get(i) - starts.get(i - 1)) / 1_000_000;
            assertThat(wait).as("before attempt %d", i + 1).isGreaterThan(800L << (i - 1));
        }
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void aServerThatSucceedsOnItsSecondRetryShowsNoErrorButTheAttempts() throws Exception {
        JsonTree server = host.awaitStatus("flaky", "connected");
        assertThat(server.has("lastError")).isFalse();
        assertThat(server.at("attempts").integer()).isEqualTo(3);
        assertThat(flaky.record().starts()).isEqualTo(3);
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void aServerThatConnectsIsConnectedWithoutAnError() throws Exception {
        JsonTree server = host.awaitStatus("alpha", "connected");
        assertThat(server.has("lastError")).isFalse();
        assertThat(server.has("lastConnectedAt")).isTrue();
        assertThat(server.at("era").text()).isEqualTo("legacy");
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void aServerThatFailsIsInErrorAndSaysWhy() throws Exception {
        JsonTree server = host.awaitStatus("stuck", "error");
        assertThat(server.at("lastError").text()).contains("stuck", "initialize");
        assertThat(server.has("lastConnectedAt")).isFalse();
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void discoveryUpdatesTheCounts() throws Exception {
        host.discover(false, "alpha", "beta");
        JsonTree server = host.server("alpha");
        assertThat(server.at("toolCount").integer()).isEqualTo(4);
        assertThat(server.at("resourceCount").integer()).isEqualTo(2);
        assertThat(host.server("beta").at("toolCount").integer()).isEqualTo(2);
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void aDisabledServerIsNeverStarted() throws Exception {
        assertThat(host.status("off")).isEqualTo("disabled");
        assertThat(statuses(host.discover(true, "off"))).containsExactly("skipped");
        JsonTree error = host.client().call("off.echo", "{}").at("error");
        assertThat(error.at("code").integer()).isEqualTo(-32602);
        assertThat(error.at("data", "reason").text()).isEqualTo("SERVER_DISABLED");
        assertThat(off.record().starts()).isZero();
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void enablingAServerConnectsItAndDisablingEndsIt() throws Exception {
        assertThat(sleeper.record().starts()).isZero();
        assertThat(bench.run("enable", "sleeper").status()).isZero();
        host.awaitStatus("sleeper", "connected");
        assertThat(sleeper.record().starts()).isEqualTo(1);
        assertThat(host.text("sleeper.echo", "{}")).isEqualTo("{}");
        assertThat(bench.run("disable", "sleeper").status()).isZero();
        host.awaitStatus("sleeper", "disabled");
        host.awaitTools(names -> names.stream().noneMatch(it -> it.startsWith("sleeper.")));
        long pid = sleeper.record().pids().getFirst();
        assertThat(Host.await(Host.PATIENCE, () -> !Processes.alive(pid))).isTrue();
        JsonTree error = host.client().call("sleeper.echo", "{}").at("error");
        assertThat(error.at("data", "reason").text()).isEqualTo("SERVER_DISABLED");
        assertThat(sleeper.record().starts()).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void discoverySkipsDisabledServersUnlessToldOtherwise(@TempDir Path other) throws Exception {
        var some = new Workbench(other);
        ServerScript idle = some.script("idle");
        some.with(some.script("busy")).with(idle, "\"enabled\": false").save();
        JsonTree plain = StrictJson.parse(some.run("discover", "--json").out());
        assertThat(statuses(plain.at("serverResults").list())).containsExactly("success");
        JsonTree all = StrictJson.parse(some.run("discover", "--include-disabled", "--json").out());
        assertThat(statuses(all.at("serverResults").list())).containsExactly("success", "skipped");
        assertThat(idle.record().starts()).isZero();
    }

    @Test
    @Tag("INV-MCP-ECO-300")
    void aMissingRequiredArgumentIsRefusedBeforeItIsSent() throws Exception {
        assertRefused("{\"a\":1}", "required");
    }

    @Test
    @Tag("INV-MCP-ECO-300")
    void anArgumentOfTheWrongTypeIsRefusedBeforeItIsSent() throws Exception {
        assertRefused("{\"a\":1,\"b\":\"two\"}", "/b");
    }

    private static void assertRefused(String arguments, String why) throws Exception {
        host.awaitStatus("alpha", "connected");
        int before = alpha.record().calls("add").size();
        JsonTree failure = host.failure("alpha.add", arguments);
        assertThat(failure.at("reason").text()).isEqualTo("INVALID_ARGUMENTS");
        assertThat(failure.at("violations").write()).contains(why);
        assertThat(alpha.record().calls("add")).hasSize(before);
    }

    @Test
    @Tag("INV-MCP-ECO-300")
    void validArgumentsReachTheServerWithTheirExtras() throws Exception {
        assertThat(host.text("alpha.add", RIGHT)).isEqualTo("3");
        assertThat(alpha.record().calls("add")).contains(RIGHT);
    }

    @Test
    @Tag("INV-MCP-ECO-301")
    void theErrorOfAToolIsPassedOnWithItsPartialResult() throws Exception {
        JsonTree result = host.result("alpha.fail", "{\"message\":\"disk full\"}");
        assertThat(Host.isError(result)).isTrue();
        assertThat(result.at("content", 0, "text").text()).isEqualTo("half done");
        assertThat(result.at("content", 1, "text").text()).isEqualTo("disk full");
        assertThat(result.at("structuredContent").write()).isEqualTo("{\"done\":0.50}");
        assertThat(result.at("_meta", "test/trace").text()).isEqualTo("t-1");
    }

    @Test
    @Tag("INV-MCP-ECO-301")
    void aConnectionLostInACallIsInvocationFailed() throws Exception {
        host.awaitStatus("fragile", "connected");
        JsonTree failure = host.failure("fragile.crash", "{}");
        assertThat(failure.at("reason").text()).isEqualTo("INVOCATION_FAILED");
        assertThat(failure.at("serverId").text()).isEqualTo("fragile");
        assertThat(failure.at("execution").text()).isEqualTo("unknown");
    }

    @Test
    @Tag("INV-MCP-ECO-301")
    void aToolThatTimesOutIsInvocationFailedAndSaysSo() throws Exception {
        JsonTree result = host.result("hasty.hang", "{}");
        assertThat(Host.failure(result).at("reason").text()).isEqualTo("INVOCATION_FAILED");
        assertThat(result.at("content", 0, "text").text()).contains("timeout");
        assertThat(hasty.record().await(it -> !it.cancels().isEmpty(), Host.PATIENCE)).isTrue();
        assertThat(host.text("hasty.echo", "{}")).isEqualTo("{}");
    }

    private static void tellTools(String name) {
        changing.defining(
                """
                [{"name":"%s","x-behaviour":"echo","inputSchema":{"type":"object"}},
                 {"name":"crash","inputSchema":{"type":"object"}}]
                """
                        .formatted(name));
    }

    private static List<String> statuses(List<JsonTree> rows) {
        return rows.stream().map(row -> row.at("status").text()).toList();
    }

    private static List<String> withoutDuration(List<JsonTree> rows) {
        return rows.stream().map(row -> row.write().replaceAll("\"durationMs\":\\d+", "")).toList();
    }
}
