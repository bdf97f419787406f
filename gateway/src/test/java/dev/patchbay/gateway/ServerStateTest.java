package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.gateway.DiscoveryResult.Row;
import dev.patchbay.gateway.DiscoveryResult.Status;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.Reason;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerState;
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
    private Fleet fleet;

    @BeforeEach
    void open() {
        fleet = new Fleet(folder);
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    @Test
    @Tag("INV-MCP-ECO-100")
    void slowServerExceedsConnectionTimeoutConnectionTimeoutError() throws Exception {
        ServerScript a =
                fleet.add(fleet.script("a").at("initialize=hang"), Fleet.limits(3_000, 5_000, 0));
        var watch = Stopwatch.start();
        Row row = fleet.discover().serverResults().getFirst();
        assertThat(watch.net()).isLessThan(Duration.ofMillis(4_500));
        assertThat(row.status()).isEqualTo(Status.ERROR);
        assertThat(row.error().reason()).isEqualTo(Reason.CONNECTION_TIMEOUT);
        assertThat(row.error().message()).contains("a");
        assertThat(row.error().operation()).isNotEmpty();
        assertThat(row.durationMs()).isBetween(2_900L, 4_500 + watch.standstill().toMillis());
        assertThat(fleet.status("a")).isEqualTo(ServerState.Status.ERROR);
        long pid = a.record().pids().getFirst();
        assertThat(Fleet.comesTrue(() -> ProcessHandle.of(pid).isEmpty())).isTrue();
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void serverFailsWithMaxRetriesThreeFourTotalAttemptsThenError() throws Exception {
        ServerScript a =
                fleet.add(fleet.script("a").with("exit", 7), Fleet.limits(20_000, 5_000, 3));
        Row row = fleet.discover().serverResults().getFirst();
        assertThat(row.status()).isEqualTo(Status.ERROR);
        assertThat(row.error().attempts()).isEqualTo(4);
        assertThat(row.error().message()).contains("4 attempts");
        assertThat(a.record().starts()).isEqualTo(4);
        assertThat(fleet.pauses).isNotEmpty().isSorted();
        assertThat(fleet.report("a").state().attempts()).isEqualTo(4);
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void serverSucceedsOnRetryTwoNoErrorAttemptCountLogged() throws Exception {
        ServerScript a =
                fleet.add(fleet.script("a").with("fail-starts", 2), Fleet.limits(20_000, 5_000, 3));
        Row row = fleet.discover().serverResults().getFirst();
        assertThat(row.status()).isEqualTo(Status.SUCCESS);
        assertThat(row.error()).isNull();
        assertThat(a.record().starts()).isEqualTo(3);
        assertThat(fleet.report("a").state().attempts()).isEqualTo(3);
        assertThat(fleet.report("a").lastError()).isNull();
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void callersShareOneSeriesOfAttempts() throws Exception {
        ServerScript a =
                fleet.add(fleet.script("a").with("exit", 7), Fleet.limits(20_000, 5_000, 1));
        List<Callable<InvocationResult>> calls = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            calls.add(() -> fleet.call("a.echo", "{}"));
        }
        try (var workers = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(workers.invokeAll(calls)).allMatch(it -> !it.resultNow().isSuccess());
        }
        assertThat(a.record().starts()).isLessThanOrEqualTo(4);
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void theNextUseAfterTheLastAttemptTriesAgain() throws Exception {
        ServerScript a =
                fleet.add(fleet.script("a").with("fail-starts", 1), Fleet.limits(20_000, 5_000, 0));
        assertThat(fleet.discover().serverResults().getFirst().status()).isEqualTo(Status.ERROR);
        assertThat(a.record().starts()).isEqualTo(1);
        assertThat(fleet.call("a.echo", "{}").isSuccess()).isTrue();
        assertThat(a.record().starts()).isEqualTo(2);
        assertThat(fleet.report("a").lastError()).isNull();
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void theListOfServersSaysTheSameAsEachServer() throws Exception {
        fleet.add(fleet.script("a"));
        fleet.add(fleet.script("b").with("exit", 1));
        fleet.gateway.register(Fleet.spec(fleet.script("c"), Fleet.ONCE).withEnabled(false));
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
        assertThat(seen).containsExactly("connecting", "connected");
        assertThat(fleet.report("a").toJson().toString())
                .startsWith(
                        "{\"serverId\":\"a\",\"status\":\"connected\",\"enabled\":true,"
                                + "\"transport\":\"stdio\",\"era\":\"legacy\",\"toolCount\":2,"
                                + "\"resourceCount\":0,\"promptCount\":0,\"lastConnectedAt\":");
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void serverFailsStatusErrorLastErrorContainsMessage() throws Exception {
        fleet.add(fleet.script("a").with("exit", 7).with("stderr", "no such key"));
        fleet.discover();
        assertThat(fleet.status("a")).isEqualTo(ServerState.Status.ERROR);
        assertThat(fleet.report("a").lastError().message()).contains("7").contains("no such key");
        assertThat(fleet.report("a").toJson().toString())
                .contains("\"lastError\":\"CONNECTION_FAILED: ");
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void discoverySucceedsToolCountUpdated() throws Exception {
        fleet.add(fleet.script("a").tools("echo", "add", "fail").with("resources", 4));
        assertThat(fleet.report("a").counts().tools()).isZero();
        fleet.discover();
        assertThat(fleet.report("a").counts()).isEqualTo(new ServerReport.Counts(3, 4, 0));
        assertThat(fleet.report("a").lastDiscoveredAt()).isNotNull();
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void aDeathIsNoticedWithoutAnybodyAsking() throws Exception {
        ServerScript a = fleet.add(fleet.script("a").tools("echo", "hang"));
        fleet.discover();
        var call = new FutureTask<>(() -> fleet.call("a.hang", "{}"));
        Thread.startVirtualThread(call);
        assertThat(Fleet.comesTrue(() -> a.record().count("tools/call") == 1)).isTrue();
        ProcessHandle.of(a.record().pids().getFirst()).orElseThrow().destroyForcibly();
        var watch = Stopwatch.start();
        InvocationResult lost = call.get();
        assertThat(watch.net()).isLessThan(Duration.ofSeconds(1));
        assertThat(lost.problem().reason()).isEqualTo(Reason.INVOCATION_FAILED);
        assertThat(fleet.report("a").state().status()).isNotEqualTo(ServerState.Status.CONNECTED);
        assertThat(fleet.report("a").stale()).isTrue();
        assertThat(fleet.gateway.tools()).isNotEmpty();
        assertThat(
                        Fleet.comesTrue(
                                () ->
                                        fleet.gateway.tools().stream()
                                                .noneMatch(ToolReport::available)))
                .isTrue();
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void registerDisabledServerNoConnectionAttempt() throws Exception {
        ServerScript a = fleet.script("a");
        fleet.gateway.register(Fleet.spec(a, Fleet.ONCE).withEnabled(false));
        fleet.gateway.reconnect(A);
        assertThat(fleet.status("a")).isEqualTo(ServerState.Status.DISABLED);
        assertThat(fleet.call("a.echo", "{}").problem().reason()).isEqualTo(Reason.SERVER_DISABLED);
        assertThat(
                        fleet.gateway
                                .invoke(Invocation.of("echo", Json.EMPTY_OBJECT).at("a"))
                                .problem()
                                .reason())
                .isEqualTo(Reason.SERVER_DISABLED);
        fleet.gateway.discover(DiscoveryRequest.ALL.only("a").forced());
        fleet.gateway.catalogue(Duration.ofSeconds(1));
        assertThat(a.record().starts()).isZero();
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void enableServerConnectionInitiated() {
        ServerScript a = fleet.script("a");
        fleet.gateway.register(Fleet.spec(a, Fleet.ONCE).withEnabled(false));
        fleet.gateway.enable(A);
        assertThat(Fleet.comesTrue(() -> fleet.status("a") == ServerState.Status.CONNECTED))
                .isTrue();
        assertThat(Fleet.comesTrue(() -> fleet.tools().contains("a.echo"))).isTrue();
        assertThat(a.record().starts()).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void discoverWithIncludeDisabledFalseDisabledServersSkipped() throws Exception {
        ServerScript a = fleet.script("a");
        fleet.gateway.register(Fleet.spec(a, Fleet.ONCE).withEnabled(false));
        fleet.add(fleet.script("b"));
        assertThat(fleet.discover().serverResults()).extracting(Row::serverId).containsExactly("b");
        DiscoveryResult all = fleet.gateway.discover(DiscoveryRequest.ALL.withDisabled());
        assertThat(all.serverResults())
                .extracting(Row::status)
                .containsExactly(Status.SKIPPED, Status.SUCCESS);
        assertThat(a.record().starts()).isZero();
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void disablingAConnectedServerEndsItAndTakesItsToolsAway() throws Exception {
        ServerScript a = fleet.add(fleet.script("a").tools("hang"));
        fleet.discover();
        assertThat(Fleet.comesTrue(() -> fleet.changes.contains("tools"))).isTrue();
        fleet.changes.clear();
        var call = new FutureTask<>(() -> fleet.call("a.hang", "{}"));
        Thread.startVirtualThread(call);
        assertThat(Fleet.comesTrue(() -> a.record().count("tools/call") == 1)).isTrue();
        fleet.gateway.update(Fleet.spec(a, Fleet.ONCE).withEnabled(false));
        assertThat(fleet.tools()).isEmpty();
        assertThat(call.get().problem().reason()).isEqualTo(Reason.INVOCATION_FAILED);
        long pid = a.record().pids().getFirst();
        assertThat(Fleet.comesTrue(() -> ProcessHandle.of(pid).isEmpty())).isTrue();
        assertThat(Fleet.comesTrue(() -> fleet.changes.contains("tools"))).isTrue();
        assertThat(fleet.status("a")).isEqualTo(ServerState.Status.DISABLED);
        assertThat(a.record().starts()).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void aServerThatIsChangedAndDisabledAtOnceIsEnded() throws Exception {
        ServerScript a = fleet.add(fleet.script("a").tools("echo"));
        fleet.discover();
        ServerSpec other = Fleet.spec(fleet.script("a").tools("add"), Fleet.ONCE);
        fleet.gateway.update(other.withEnabled(false));
        assertThat(fleet.status("a")).isEqualTo(ServerState.Status.DISABLED);
        assertThat(fleet.tools()).isEmpty();
        long pid = a.record().pids().getFirst();
        assertThat(Fleet.comesTrue(() -> ProcessHandle.of(pid).isEmpty())).isTrue();
        assertThat(fleet.call("a.echo", "{}").problem().reason()).isEqualTo(Reason.SERVER_DISABLED);
        assertThat(a.record().starts()).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void aServerIdIsTakenOnceAlsoByRacingRegistrations() throws Exception {
        ServerSpec spec = Fleet.spec(fleet.script("a"), Fleet.ONCE).withEnabled(false);
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            tasks.add(
                    () -> {
                        try {
                            fleet.gateway.register(spec);
                            return true;
                        } catch (GatewayException e) {
                            assertThat(e.reason()).isEqualTo(Reason.SERVER_EXISTS);
                            return false;
                        }
                    });
        }
        try (var workers = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(workers.invokeAll(tasks)).filteredOn(it -> it.resultNow()).hasSize(1);
        }
    }

    @Test
    void theGatewaysOwnIdCannotBeTaken() {
        for (String id : List.of("patchbay", "Patchbay", "PATCHBAY")) {
            var spec =
                    new ServerSpec(
                            new ServerId(id),
                            Fleet.spec(fleet.script("a"), Fleet.ONCE).transport(),
                            ServerSpec.Options.DEFAULTS);
            assertThatThrownBy(() -> fleet.gateway.register(spec))
                    .isInstanceOf(GatewayException.class);
        }
        assertThat(fleet.gateway.servers()).isEmpty();
    }

    @Test
    void anUpdateReplacesTheServerAndLeavesTheSameAlone() throws Exception {
        ServerScript a = fleet.add(fleet.script("a").tools("echo"));
        fleet.discover();
        fleet.gateway.update(Fleet.spec(a, Fleet.ONCE));
        assertThat(fleet.status("a")).isEqualTo(ServerState.Status.CONNECTED);
        assertThat(a.record().starts()).isEqualTo(1);
        fleet.gateway.update(Fleet.spec(fleet.script("a").tools("add"), Fleet.ONCE));
        assertThat(Fleet.names(fleet.discover().tools())).containsExactly("a.add");
        assertThat(a.record().starts()).isEqualTo(2);
    }
}
