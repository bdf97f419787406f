package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.gateway.DiscoveryResult.DiscoveryStatus;
import dev.patchbay.gateway.DiscoveryResult.ServerResult;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerState;
import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;

/** What is told of a server is so: connecting, failing, trying again, being switched off. */
class ServerStateTest {
    private static final ServerId A = new ServerId("a");

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

    @Test
    @Tag("INV-MCP-ECO-100")
    void slowServerExceedsConnectionTimeoutConnectionTimeoutError() throws Exception {
        ServerScript a =
                fleet.add(
                        fleet.script("a").at("initialize=hang"),
                        GatewayFixture.limits(3_000, 5_000, 0));
        var watch = Stopwatch.start();
        ServerResult row = fleet.discover().serverResults().getFirst();
        assertThat(watch.activeTime()).isLessThan(Duration.ofMillis(4_500));
        assertThat(row.status()).isEqualTo(DiscoveryStatus.ERROR);
        assertThat(row.error().reason()).isEqualTo(ErrorReason.CONNECTION_TIMEOUT);
        assertThat(row.error().message()).contains("a");
        assertThat(row.error().operation()).isNotEmpty();
        assertThat(row.durationMs()).isBetween(2_900L, 4_500 + watch.stalledTime().toMillis());
        assertThat(fleet.status("a")).isEqualTo(ServerState.Status.ERROR);
        // On a busy machine the process may be ended before it has recorded anything.
        assertThat(
                        GatewayFixture.becomesTrue(
                                () ->
                                        a.recording().pids().stream()
                                                .noneMatch(ProcessInspector::isAlive)))
                .isTrue();
    }

    /** Only another transport or era needs another connection. */
    @Test
    void changedLimitsTakeEffectWithoutARestart() throws Exception {
        ServerScript a =
                fleet.add(fleet.script("a").tools("echo"), GatewayFixture.limits(20_000, 5_000, 0));
        fleet.discover();
        fleet.gateway.update(GatewayFixture.spec(a, GatewayFixture.limits(15_000, 4_000, 2)));
        assertThat(fleet.report("a").spec().options().limits())
                .isEqualTo(GatewayFixture.limits(15_000, 4_000, 2));
        assertThat(fleet.call("a.echo", "{\"text\":\"x\"}").isSuccess()).isTrue();
        assertThat(fleet.status("a")).isEqualTo(ServerState.Status.CONNECTED);
        assertThat(a.recording().startCount()).isEqualTo(1);
        assertThat(a.recording().receivedCount("tools/list")).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void serverFailsWithMaxRetriesThreeFourTotalAttemptsThenError() throws Exception {
        ServerScript a =
                fleet.add(
                        fleet.script("a").withOption("exit", 7),
                        GatewayFixture.limits(20_000, 5_000, 3));
        ServerResult row = fleet.discover().serverResults().getFirst();
        assertThat(row.status()).isEqualTo(DiscoveryStatus.ERROR);
        assertThat(row.error().attempts()).isEqualTo(4);
        assertThat(row.error().message()).contains("4 attempts");
        assertThat(a.recording().startCount()).isEqualTo(4);
        assertThat(fleet.pauses).isNotEmpty().isSorted();
        assertThat(fleet.report("a").state().attempts()).isEqualTo(4);
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void serverSucceedsOnRetryTwoNoErrorAttemptCountLogged() throws Exception {
        ServerScript a =
                fleet.add(
                        fleet.script("a").withOption("fail-starts", 2),
                        GatewayFixture.limits(20_000, 5_000, 3));
        ServerResult row = fleet.discover().serverResults().getFirst();
        assertThat(row.status()).isEqualTo(DiscoveryStatus.SUCCESS);
        assertThat(row.error()).isNull();
        assertThat(a.recording().startCount()).isEqualTo(3);
        assertThat(fleet.report("a").state().attempts()).isEqualTo(3);
        assertThat(fleet.report("a").lastError()).isNull();
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void concurrentCallersShareTheConnectAttempts() throws Exception {
        ServerScript a =
                fleet.add(
                        fleet.script("a").withOption("exit", 7),
                        GatewayFixture.limits(20_000, 5_000, 1));
        List<Callable<InvocationResult>> calls = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            calls.add(() -> fleet.call("a.echo", "{}"));
        }
        try (var workers = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(workers.invokeAll(calls)).allMatch(it -> !it.resultNow().isSuccess());
        }
        assertThat(a.recording().startCount()).isLessThanOrEqualTo(4);
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void nextCallAfterTheLastAttemptConnectsAgain() throws Exception {
        ServerScript a =
                fleet.add(
                        fleet.script("a").withOption("fail-starts", 1),
                        GatewayFixture.limits(60_000, 60_000, 0));
        assertThat(fleet.discover().serverResults().getFirst().status())
                .isEqualTo(DiscoveryStatus.ERROR);
        assertThat(a.recording().startCount()).isEqualTo(1);
        assertThat(fleet.call("a.echo", "{}").isSuccess()).isTrue();
        assertThat(a.recording().startCount()).isEqualTo(2);
        assertThat(fleet.report("a").lastError()).isNull();
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void serverListMatchesTheReportOfEachServer() throws Exception {
        fleet.add(fleet.script("a"));
        fleet.add(fleet.script("b").withOption("exit", 1));
        fleet.gateway.register(
                GatewayFixture.spec(fleet.script("c"), GatewayFixture.NO_RETRIES)
                        .withEnabled(false));
        fleet.discover();
        assertThat(fleet.gateway.servers())
                .extracting(it -> it.state().status().text())
                .containsExactly("connected", "error", "disabled");
        for (ServerReport each : fleet.gateway.servers()) {
            assertThat(fleet.report(each.spec().id().value()).toJson()).isEqualTo(each.toJson());
        }
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void serverConnectsStatusConnectedLastErrorUndefined() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        fleet.gateway.addListener(
                new GatewayListener() {
                    @Override
                    public void stateChanged(
                            ServerId server, ServerState before, ServerState after) {
                        seen.add(after.status().text());
                    }
                });
        fleet.add(fleet.script("a"));
        fleet.discover();
        assertThat(fleet.status("a")).isEqualTo(ServerState.Status.CONNECTED);
        assertThat(fleet.report("a").lastError()).isNull();
        assertThat(fleet.report("a").state().lastConnectedAt()).isNotNull();
        assertThat(GatewayFixture.becomesTrue(() -> seen.size() == 2)).isTrue();
        assertThat(seen).containsExactly("connecting", "connected");
        assertThat(fleet.report("a").toJson().toString())
                .startsWith(
                        "{\"serverId\":\"a\",\"status\":\"connected\",\"enabled\":true,"
                                + "\"transport\":\"stdio\",\"sandbox\":\"none\","
                                + "\"era\":\"legacy\",\"scope\":\"shared\",\"scopeReason\":"
                                + "\"it is not known to keep anything for a client\","
                                + "\"processes\":1,\"toolCount\":2,"
                                + "\"resourceCount\":0,\"promptCount\":0,\"lastConnectedAt\":");
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void serverFailsStatusErrorLastErrorContainsMessage() throws Exception {
        fleet.add(fleet.script("a").withOption("exit", 7).withOption("stderr", "no such key"));
        fleet.discover();
        assertThat(fleet.status("a")).isEqualTo(ServerState.Status.ERROR);
        assertThat(fleet.report("a").lastError().message()).contains("7").contains("no such key");
        assertThat(fleet.report("a").toJson().toString())
                .contains("\"lastError\":\"CONNECTION_FAILED: ");
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void discoverySucceedsToolCountUpdated() throws Exception {
        fleet.add(fleet.script("a").tools("echo", "add", "fail").withOption("resources", 4));
        assertThat(fleet.report("a").counts().tools()).isZero();
        fleet.discover();
        assertThat(fleet.report("a").counts()).isEqualTo(new ServerReport.Counts(3, 4, 0));
        assertThat(fleet.report("a").lastDiscoveredAt()).isNotNull();
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void processExitIsDetectedWithoutARequest() throws Exception {
        ServerScript a = fleet.add(fleet.script("a").tools("echo", "hang"));
        fleet.discover();
        var call = new FutureTask<>(() -> fleet.call("a.hang", "{}"));
        Thread.startVirtualThread(call);
        assertThat(GatewayFixture.becomesTrue(() -> a.recording().receivedCount("tools/call") == 1))
                .isTrue();
        ProcessHandle.of(a.recording().pids().getFirst()).orElseThrow().destroyForcibly();
        var watch = Stopwatch.start();
        InvocationResult lost = call.get();
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(1));
        assertThat(lost.problem().reason()).isEqualTo(ErrorReason.INVOCATION_FAILED);
        assertThat(fleet.report("a").state().status()).isNotEqualTo(ServerState.Status.CONNECTED);
        assertThat(fleet.report("a").stale()).isTrue();
        assertThat(fleet.gateway.tools()).isNotEmpty();
        assertThat(
                        GatewayFixture.becomesTrue(
                                () ->
                                        fleet.gateway.tools().stream()
                                                .noneMatch(ToolReport::available)))
                .isTrue();
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void registerDisabledServerNoConnectionAttempt() throws Exception {
        ServerScript a = fleet.script("a");
        fleet.gateway.register(
                GatewayFixture.spec(a, GatewayFixture.NO_RETRIES).withEnabled(false));
        fleet.gateway.reconnect(A);
        assertThat(fleet.status("a")).isEqualTo(ServerState.Status.DISABLED);
        assertThat(fleet.call("a.echo", "{}").problem().reason())
                .isEqualTo(ErrorReason.SERVER_DISABLED);
        assertThat(
                        fleet.gateway
                                .invoke(Invocation.of("echo", Json.EMPTY_OBJECT).onServer("a"))
                                .problem()
                                .reason())
                .isEqualTo(ErrorReason.SERVER_DISABLED);
        fleet.gateway.discover(DiscoveryRequest.ALL.only("a").forced());
        fleet.gateway.awaitCatalog(Duration.ofSeconds(1));
        assertThat(a.recording().startCount()).isZero();
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void enableServerConnectionInitiated() {
        ServerScript a = fleet.script("a");
        fleet.gateway.register(
                GatewayFixture.spec(a, GatewayFixture.NO_RETRIES).withEnabled(false));
        fleet.gateway.enable(A);
        assertThat(
                        GatewayFixture.becomesTrue(
                                () -> fleet.status("a") == ServerState.Status.CONNECTED))
                .isTrue();
        assertThat(GatewayFixture.becomesTrue(() -> fleet.tools().contains("a.echo"))).isTrue();
        assertThat(a.recording().startCount()).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void discoverWithIncludeDisabledFalseDisabledServersSkipped() throws Exception {
        ServerScript a = fleet.script("a");
        fleet.gateway.register(
                GatewayFixture.spec(a, GatewayFixture.NO_RETRIES).withEnabled(false));
        fleet.add(fleet.script("b"));
        assertThat(fleet.discover().serverResults())
                .extracting(ServerResult::serverId)
                .containsExactly("b");
        DiscoveryResult all = fleet.gateway.discover(DiscoveryRequest.ALL.withDisabled());
        assertThat(all.serverResults())
                .extracting(ServerResult::status)
                .containsExactly(DiscoveryStatus.SKIPPED, DiscoveryStatus.SUCCESS);
        assertThat(a.recording().startCount()).isZero();
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void disablingAConnectedServerStopsItAndRemovesItsTools() throws Exception {
        ServerScript a = fleet.add(fleet.script("a").tools("hang"));
        fleet.discover();
        assertThat(GatewayFixture.becomesTrue(() -> fleet.changes.contains("tools"))).isTrue();
        fleet.changes.clear();
        var call = new FutureTask<>(() -> fleet.call("a.hang", "{}"));
        Thread.startVirtualThread(call);
        assertThat(GatewayFixture.becomesTrue(() -> a.recording().receivedCount("tools/call") == 1))
                .isTrue();
        fleet.gateway.update(GatewayFixture.spec(a, GatewayFixture.NO_RETRIES).withEnabled(false));
        assertThat(fleet.tools()).isEmpty();
        assertThat(call.get().problem().reason()).isEqualTo(ErrorReason.INVOCATION_FAILED);
        long pid = a.recording().pids().getFirst();
        assertThat(GatewayFixture.becomesTrue(() -> ProcessHandle.of(pid).isEmpty())).isTrue();
        assertThat(GatewayFixture.becomesTrue(() -> fleet.changes.contains("tools"))).isTrue();
        assertThat(fleet.status("a")).isEqualTo(ServerState.Status.DISABLED);
        assertThat(a.recording().startCount()).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void serverChangedAndDisabledTogetherIsStopped() throws Exception {
        ServerScript a = fleet.add(fleet.script("a").tools("echo"));
        fleet.discover();
        ServerSpec other =
                GatewayFixture.spec(fleet.script("a").tools("add"), GatewayFixture.NO_RETRIES);
        fleet.gateway.update(other.withEnabled(false));
        assertThat(fleet.status("a")).isEqualTo(ServerState.Status.DISABLED);
        assertThat(fleet.tools()).isEmpty();
        long pid = a.recording().pids().getFirst();
        assertThat(GatewayFixture.becomesTrue(() -> ProcessHandle.of(pid).isEmpty())).isTrue();
        assertThat(fleet.call("a.echo", "{}").problem().reason())
                .isEqualTo(ErrorReason.SERVER_DISABLED);
        assertThat(a.recording().startCount()).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void onlyOneOfManyConcurrentRegistrationsOfAnIdSucceeds() throws Exception {
        ServerSpec spec =
                GatewayFixture.spec(fleet.script("a"), GatewayFixture.NO_RETRIES)
                        .withEnabled(false);
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            tasks.add(
                    () -> {
                        try {
                            fleet.gateway.register(spec);
                            return true;
                        } catch (GatewayException e) {
                            assertThat(e.reason()).isEqualTo(ErrorReason.SERVER_EXISTS);
                            return false;
                        }
                    });
        }
        try (var workers = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(workers.invokeAll(tasks)).filteredOn(it -> it.resultNow()).hasSize(1);
        }
    }

    @Test
    void gatewayIdIsReserved() {
        for (String id : List.of("patchbay", "Patchbay", "PATCHBAY")) {
            var spec =
                    new ServerSpec(
                            new ServerId(id),
                            GatewayFixture.spec(fleet.script("a"), GatewayFixture.NO_RETRIES)
                                    .transport(),
                            ServerSpec.Options.DEFAULTS);
            assertThatThrownBy(() -> fleet.gateway.register(spec))
                    .isInstanceOf(GatewayException.class);
        }
        assertThat(fleet.gateway.servers()).isEmpty();
    }

    @Test
    void updateRestartsAServerOnlyIfItsConnectionChanged() throws Exception {
        ServerScript a = fleet.add(fleet.script("a").tools("echo"));
        fleet.discover();
        fleet.gateway.update(GatewayFixture.spec(a, GatewayFixture.NO_RETRIES));
        assertThat(fleet.status("a")).isEqualTo(ServerState.Status.CONNECTED);
        assertThat(a.recording().startCount()).isEqualTo(1);
        fleet.gateway.update(
                GatewayFixture.spec(fleet.script("a").tools("add"), GatewayFixture.NO_RETRIES));
        assertThat(GatewayFixture.names(fleet.discover().tools())).containsExactly("a.add");
        assertThat(a.recording().startCount()).isEqualTo(2);
    }
}
