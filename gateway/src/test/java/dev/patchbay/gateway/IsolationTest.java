package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.NameStyle;
import dev.patchbay.gateway.DiscoveryResult.DiscoveryStatus;
import dev.patchbay.gateway.DiscoveryResult.ServerResult;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.server.ServerSpec.Limits;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;

/** What is wrong with one server does not touch the others. */
@Tag("INV-MCP-ECO-002")
@Tag("slow")
class IsolationTest {
    private static final Limits SHORT = GatewayFixture.limits(2_000, 5_000, 0);

    @TempDir private Path folder;
    private GatewayFixture fleet;

    @BeforeEach
    void open() {
        fleet = new GatewayFixture(folder);
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private static ServerResult row(DiscoveryResult result, String id) {
        return result.serverResults().stream()
                .filter(it -> it.serverId().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void serverAFailsServerBSucceedsBsToolsAreStillAvailable() throws Exception {
        fleet.add(fleet.script("a").withOption("exit", 3));
        fleet.add(fleet.script("b").tools("echo"));
        DiscoveryResult result = fleet.discover();
        assertThat(GatewayFixture.names(result.tools())).containsExactly("b.echo");
        assertThat(row(result, "a").status()).isEqualTo(DiscoveryStatus.ERROR);
        assertThat(row(result, "a").error().reason()).isEqualTo(ErrorReason.CONNECTION_FAILED);
        assertThat(row(result, "b").status()).isEqualTo(DiscoveryStatus.SUCCESS);
        assertThat(fleet.call("b.echo", "{\"x\":1}").isSuccess()).isTrue();
    }

    @Test
    void allServersFailEmptyToolSetReturnedWithErrorDetails() throws Exception {
        fleet.add(fleet.script("a").withOption("exit", 3));
        fleet.add(fleet.script("b").withOption("exit", 4));
        DiscoveryResult result = fleet.discover();
        assertThat(result.tools()).isEmpty();
        assertThat(result.serverResults())
                .hasSize(2)
                .allMatch(it -> it.status() == DiscoveryStatus.ERROR)
                .allMatch(it -> it.error().message().contains("Server " + it.serverId()));
        assertThat(row(result, "b").error().message()).contains("4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"initialize=hang", "tools/list=hang", "tools/list:2=hang"})
    void slowServerDoesNotBlockOthers(String fault) throws Exception {
        fleet.add(fleet.script("fast").tools("echo"));
        assertThat(GatewayFixture.becomesTrue(() -> fleet.tools().contains("fast.echo"))).isTrue();
        fleet.add(fleet.script("slow").at(fault).withOption("page-size", 1), SHORT);
        var watch = Stopwatch.start();
        var slow = new FutureTask<>(fleet::discover);
        Thread.startVirtualThread(slow);
        assertThat(fleet.call("fast.echo", "{}").isSuccess()).isTrue();
        assertThat(fleet.gateway.tools()).isNotEmpty();
        DiscoveryResult result = slow.get();
        // Once to connect, with a process to start, and once to list.
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(6));
        assertThat(GatewayFixture.names(result.tools())).containsExactly("fast.echo");
        assertThat(row(result, "fast").durationMs())
                .isLessThan(1_000 + watch.stalledTime().toMillis());
        assertThat(row(result, "slow").status()).isEqualTo(DiscoveryStatus.ERROR);
        assertThat(row(result, "slow").error().message()).contains("Server slow");
    }

    @Test
    void serverThatHangsAtResourcesKeepsItsTools() throws Exception {
        fleet.add(
                fleet.script("a")
                        .tools("echo")
                        .withOption("resources", 2)
                        .at("resources/list=hang"),
                GatewayFixture.limits(6_000, 60_000, 0)); // enough for its start on a busy machine
        DiscoveryResult result = fleet.discover();
        assertThat(row(result, "a").status()).isEqualTo(DiscoveryStatus.ERROR);
        assertThat(row(result, "a").error().operation()).isEqualTo("resources/list");
        assertThat(GatewayFixture.names(result.tools())).containsExactly("a.echo");
        assertThat(fleet.call("a.echo", "{}").isSuccess()).isTrue();
    }

    @Test
    void serverWithOnlyToolsIsASuccess() throws Exception {
        fleet.add(fleet.script("a").tools("echo"));
        fleet.add(
                fleet.script("b")
                        .tools("echo")
                        .withOption(
                                "capabilities", "{\"tools\":{},\"resources\":{},\"prompts\":{}}")
                        .at("resources/list=error:-32601", "prompts/list=error:-32601"));
        DiscoveryResult result = fleet.discover();
        assertThat(result.serverResults())
                .allMatch(it -> it.status() == DiscoveryStatus.SUCCESS)
                .allMatch(it -> it.toolCount() == 1 && it.resourceCount() == 0);
    }

    @Test
    void invalidToolsAreWithheldOneByOne() throws Exception {
        Path tools = folder.resolve("tools.json");
        Files.writeString(
                tools,
                """
                [{"name":"good","inputSchema":{"type":"object"},"x-behaviour":"echo"},
                 {"inputSchema":{"type":"object"}},
                 {"name":"array","inputSchema":{"type":"array"}},
                 {"name":"remote","inputSchema":{"type":"object","$ref":"http://example.com/x"}},
                 {"name":"wrong","inputSchema":{"type":"object","minProperties":"many"}},
                 {"name":"long","description":"%s"},
                 {"name":"mended","inputSchema":{},"x-behaviour":"echo"}]
                """
                        .formatted("d".repeat(1_000_000)));
        fleet.add(fleet.script("a").withOption("tools-file", tools.toString()));
        DiscoveryResult result = fleet.discover();
        assertThat(GatewayFixture.names(result.tools())).containsExactly("a.good", "a.mended");
        assertThat(result.serverResults().getFirst().status()).isEqualTo(DiscoveryStatus.SUCCESS);
        assertThat(fleet.report("a").withheld())
                .extracting(it -> it.name())
                .containsExactlyInAnyOrder("", "array", "remote", "wrong", "long");
        assertThat(fleet.call("a.mended", "{\"x\":1}").isSuccess()).isTrue();
        for (String name : List.of("a.remote", "remote")) {
            var problem = fleet.call(name, "{}").problem();
            assertThat(problem.reason()).isEqualTo(ErrorReason.TOOL_NOT_FOUND);
            assertThat(problem.message()).startsWith("a.remote is withheld: ").contains("$ref");
        }
        assertThat(fleet.call("a.absent", "{}").problem().message())
                .startsWith("There is no tool ");
    }

    @Test
    void twentySlowServersAreQueriedInParallel() throws Exception {
        for (int i = 0; i < 20; i++) {
            fleet.add(fleet.script("s" + i).at("tools/list=delay:1000"));
        }
        List<ServerReport> all = fleet.gateway.servers();
        assertThat(
                        GatewayFixture.becomesTrue(
                                () ->
                                        fleet.gateway.servers().stream()
                                                .allMatch(it -> it.state().handshake() != null)))
                .isTrue();
        var watch = Stopwatch.start();
        DiscoveryResult result = fleet.refresh();
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(5));
        assertThat(result.serverResults())
                .hasSize(all.size())
                .allMatch(it -> it.status() == DiscoveryStatus.SUCCESS);
    }

    @Test
    void clientListWaitsAtMostTheConnectionTimeout() throws Exception {
        fleet.add(fleet.script("fast").tools("echo"));
        fleet.add(fleet.script("hung").at("initialize=hang"), SHORT);
        var watch = Stopwatch.start();
        Catalog catalog = fleet.gateway.awaitCatalog(Duration.ofSeconds(60));
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(3));
        assertThat(catalog.toolsResult(NameStyle.DOTTED, Era.LEGACY).toString())
                .contains("fast.echo");
        watch = Stopwatch.start();
        assertThat(fleet.gateway.awaitCatalog(Duration.ofSeconds(60)).tools()).hasSize(1);
        assertThat(watch.activeTime()).isLessThan(Duration.ofMillis(500));
    }

    @Test
    void clientListDoesNotWaitForAFailedServer() throws Exception {
        fleet.add(
                fleet.script("broken").withOption("exit", 1),
                GatewayFixture.limits(20_000, 60_000, 3));
        assertThat(GatewayFixture.becomesTrue(() -> fleet.report("broken").lastError() != null))
                .isTrue();
        var watch = Stopwatch.start();
        assertThat(fleet.gateway.awaitCatalog(Duration.ofSeconds(60)).tools()).isEmpty();
        assertThat(watch.activeTime()).isLessThan(Duration.ofMillis(500));
    }

    @Test
    void manyListChangedNotificationsCauseFewQueries() throws Exception {
        var a = fleet.add(fleet.script("a").tools("echo").withOption("storm", "2000:3"));
        fleet.discover();
        var watch = Stopwatch.start();
        assertThat(GatewayFixture.becomesTrue(() -> watch.elapsed().toSeconds() >= 3)).isTrue();
        assertThat(a.recording().receivedCount("tools/list")).isBetween(2, 16);
        assertThat(fleet.changes.stream().filter("tools"::equals).count()).isLessThanOrEqualTo(2);
    }
}
