package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.catalog.LookupResult.Ambiguous;
import dev.patchbay.catalog.LookupResult.Found;
import dev.patchbay.catalog.LookupResult.NotFound;
import dev.patchbay.gateway.DiscoveryResult.DiscoveryStatus;
import dev.patchbay.gateway.DiscoveryResult.ServerResult;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.server.ServerId;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** Discovering the same servers again tells the same. */
@Tag("INV-MCP-ECO-001")
class DiscoveryTest {
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

    /** All of a result but times. */
    private static String withoutTimes(DiscoveryResult result) {
        return result.toJson()
                .toString()
                .replaceAll("\"(durationMs|totalDurationMs)\":\\d+", "")
                .replaceAll("\"discoveredAt\":\"[^\"]*\"", "");
    }

    @Test
    void discoverToolsTwiceInSuccessionResultsMatch() throws Exception {
        ServerScript b = fleet.add(fleet.script("b").tools("echo", "add"));
        ServerScript a = fleet.add(fleet.script("a").tools("echo").withOption("resources", 2));
        DiscoveryResult first = fleet.discover();
        DiscoveryResult second = fleet.discover();
        assertThat(GatewayFixture.names(first.tools()))
                .containsExactly("a.echo", "b.echo", "b.add");
        assertThat(withoutTimes(second)).isEqualTo(withoutTimes(first));
        assertThat(a.recording().receivedCount("tools/list")).isEqualTo(1);
        assertThat(b.recording().receivedCount("tools/list")).isEqualTo(1);
    }

    @Test
    void forceRefreshReturnsSameToolsAsWithout() throws Exception {
        ServerScript a = fleet.add(fleet.script("a").tools("echo", "add"));
        DiscoveryResult first = fleet.discover();
        Instant told = fleet.report("a").lastDiscoveredAt();
        assertThat(fleet.discover().serverResults()).hasSize(1);
        assertThat(fleet.report("a").lastDiscoveredAt()).isEqualTo(told);
        DiscoveryResult forced = fleet.refresh();
        assertThat(withoutTimes(forced)).isEqualTo(withoutTimes(first));
        assertThat(a.recording().receivedCount("tools/list")).isEqualTo(2);
        assertThat(fleet.report("a").lastDiscoveredAt()).isAfter(told);
    }

    @Test
    void discoveryAfterServerRestartReturnsUpdatedToolSet() throws Exception {
        Path tools = folder.resolve("tools.json");
        write(tools, "old", "echo");
        fleet.add(fleet.script("a").withOption("tools-file", tools.toString()));
        assertThat(GatewayFixture.names(fleet.discover().tools()))
                .containsExactly("a.old", "a.echo");
        write(tools, "new", "echo");
        fleet.gateway.reconnect(new ServerId("a"));
        assertThat(
                        GatewayFixture.becomesTrue(
                                () -> fleet.tools().equals(List.of("a.new", "a.echo"))))
                .isTrue();
        assertThat(GatewayFixture.names(fleet.discover().tools()))
                .containsExactly("a.new", "a.echo");
    }

    @Test
    void forcedRefreshReturnsNewToolsAndTheirBareNames() throws Exception {
        Path tools = folder.resolve("tools.json");
        write(tools, "search", "old");
        fleet.add(fleet.script("a").withOption("tools-file", tools.toString()));
        fleet.add(fleet.script("b").tools("search=echo"));
        fleet.discover();
        assertThat(fleet.gateway.lookup("search")).isInstanceOf(Ambiguous.class);
        write(tools, "new");
        assertThat(GatewayFixture.names(fleet.discover().tools())).as("kept").contains("a.old");
        assertThat(GatewayFixture.names(fleet.refresh().tools()))
                .containsExactly("a.new", "b.search");
        assertThat(fleet.gateway.lookup("search")).isInstanceOf(Found.class);
        assertThat(fleet.gateway.lookup("a.old")).isInstanceOf(NotFound.class);
        assertThat(fleet.call("search", "{}").tool()).isEqualTo("b.search");
    }

    @Test
    void listChangedNotificationTriggersARefresh() throws Exception {
        Path tools = folder.resolve("tools.json");
        write(tools, "old");
        fleet.add(
                fleet.script("a")
                        .withOption("tools-file", tools.toString())
                        .withOption("watch", 20));
        assertThat(GatewayFixture.names(fleet.discover().tools())).containsExactly("a.old");
        assertThat(GatewayFixture.becomesTrue(() -> fleet.changes.contains("tools"))).isTrue();
        fleet.changes.clear();
        write(tools, "new");
        assertThat(GatewayFixture.becomesTrue(() -> fleet.tools().equals(List.of("a.new"))))
                .isTrue();
        assertThat(GatewayFixture.becomesTrue(() -> fleet.changes.contains("tools"))).isTrue();
        assertThat(fleet.gateway.lookup("old")).isInstanceOf(NotFound.class);
    }

    @Test
    void fiftyConcurrentDiscoveriesQueryAServerOnce() throws Exception {
        ServerScript a = fleet.add(fleet.script("a").at("tools/list=delay:300"));
        List<Callable<String>> tasks = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            tasks.add(() -> withoutTimes(fleet.discover()));
        }
        try (var workers = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = workers.invokeAll(tasks).stream().map(it -> it.resultNow()).toList();
            assertThat(results).allMatch(results.getFirst()::equals);
            assertThat(results.getFirst()).contains("\"status\":\"success\"");
        }
        assertThat(a.recording().receivedCount("tools/list")).isEqualTo(1);
        assertThat(a.recording().startCount()).isEqualTo(1);
    }

    @Test
    void failedRefreshIsNotAnEmptyList() throws Exception {
        Path tools = folder.resolve("tools.json");
        write(tools, "echo");
        fleet.add(fleet.script("a").withOption("tools-file", tools.toString()));
        assertThat(fleet.discover().serverResults().getFirst().toolCount()).isEqualTo(1);
        Files.writeString(tools, "{\"no\":\"list\"}");
        for (DiscoveryResult failed : List.of(fleet.refresh(), fleet.discover())) {
            ServerResult row = failed.serverResults().getFirst();
            assertThat(row.status()).isEqualTo(DiscoveryStatus.ERROR);
            assertThat(row.error()).isNotNull();
            assertThat(failed.tools()).isEmpty();
        }
        assertThat(fleet.gateway.tools())
                .singleElement()
                .matches(it -> !it.available(), "is known to be of before");
        assertThat(fleet.report("a").stale()).isTrue();
        assertThat(fleet.report("a").lastError().message()).contains("Server a");
        write(tools, "echo", "more");
        assertThat(fleet.discover().serverResults().getFirst().toolCount()).isEqualTo(2);
        assertThat(fleet.report("a").lastError()).isNull();
    }

    @Test
    void reregisteredServerIsQueriedAgain() throws Exception {
        ServerScript a = fleet.add(fleet.script("a"));
        fleet.discover();
        assertThat(fleet.gateway.unregister(new ServerId("a"))).isTrue();
        assertThat(fleet.tools()).isEmpty();
        fleet.add(fleet.script("a").tools("add"));
        assertThat(GatewayFixture.names(fleet.discover().tools())).containsExactly("a.add");
        assertThat(a.recording().receivedCount("tools/list")).isEqualTo(2);
    }

    @Test
    void duplicateServerIdsCountOnceAndUnknownOnesAreErrors() throws Exception {
        fleet.add(fleet.script("a").tools("echo"));
        var request = DiscoveryRequest.ALL.only("a", "nobody", "a", "not legal");
        DiscoveryResult result = fleet.gateway.discover(request);
        assertThat(result.serverResults())
                .extracting(ServerResult::serverId)
                .containsExactly("a", "nobody", "not legal");
        assertThat(result.tools()).hasSize(1);
        assertThat(result.serverResults().get(1).error().reason())
                .isEqualTo(ErrorReason.SERVER_NOT_FOUND);
        String[] many = IntStream.range(0, 21).mapToObj(Integer::toString).toArray(String[]::new);
        assertThatThrownBy(() -> fleet.gateway.discover(DiscoveryRequest.ALL.only(many)))
                .isInstanceOfSatisfying(
                        GatewayException.class,
                        it -> assertThat(it.reason()).isEqualTo(ErrorReason.INVALID_CONFIG));
    }

    @Test
    void modernListIsCachedForTheTtlOfItsServer() throws Exception {
        ServerScript a = fleet.add(fleet.script("a").era("modern"));
        DiscoveryResult first = fleet.discover();
        int before = a.recording().receivedCount("tools/list");
        assertThat(withoutTimes(fleet.discover())).isEqualTo(withoutTimes(first));
        assertThat(a.recording().receivedCount("tools/list"))
                .as("it says: not at all")
                .isGreaterThan(before);
        ServerScript b = fleet.add(fleet.script("b").era("modern").withOption("ttl", 60_000));
        fleet.discover();
        fleet.discover();
        assertThat(b.recording().receivedCount("tools/list")).as("it says: a minute").isEqualTo(1);
    }

    @Test
    void wallClockChangesDoNotAffectDiscovery() throws Exception {
        ServerScript a = fleet.add(fleet.script("a"));
        DiscoveryResult first = fleet.discover();
        for (Instant time : List.of(Instant.EPOCH, Instant.parse("2100-01-01T00:00:00Z"))) {
            fleet.setClock(time);
            assertThat(withoutTimes(fleet.discover())).isEqualTo(withoutTimes(first));
        }
        assertThat(a.recording().receivedCount("tools/list")).isEqualTo(1);
    }

    @Test
    void allPagesAreRead() throws Exception {
        ServerScript a =
                fleet.add(
                        fleet.script("a").withOption("tool-count", 25).withOption("page-size", 10));
        assertThat(fleet.discover().tools()).hasSize(27);
        assertThat(a.recording().receivedCount("tools/list")).isEqualTo(3);
    }

    @Test
    void emptyCursorIsACursor() throws Exception {
        fleet.add(
                fleet.script("a")
                        .withOption("tool-count", 5)
                        .withOption("page-size", 4)
                        .withOption("cursor", "empty"));
        assertThat(fleet.discover().tools()).hasSize(7);
    }

    @Test
    void endlessPaginationIsBounded() throws Exception {
        ServerScript same = paged("same", "same");
        ServerScript fresh = paged("new", "new");
        ServerScript grow = paged("grow", "grow");
        DiscoveryResult result = fleet.discover();
        assertThat(result.serverResults())
                .extracting(ServerResult::status)
                .containsOnly(DiscoveryStatus.SUCCESS);
        assertThat(same.recording().receivedCount("tools/list")).isLessThanOrEqualTo(3);
        assertThat(fresh.recording().receivedCount("tools/list")).isLessThanOrEqualTo(1_000);
        assertThat(grow.recording().receivedCount("tools/list")).isLessThanOrEqualTo(1_000);
        assertThat(fleet.report("same").withheld())
                .extracting(it -> it.reason())
                .anyMatch(it -> it.contains("same next page"));
        assertThat(fleet.report("same").counts().tools()).isPositive();
        assertThat(fleet.report("grow").counts().tools()).isBetween(1_000, 2_000);
    }

    private ServerScript paged(String name, String cursor) {
        return fleet.add(
                fleet.script(name)
                        .withOption("tool-count", 8)
                        .withOption("page-size", 3)
                        .withOption("cursor", cursor),
                GatewayFixture.limits(30_000, 5_000, 0));
    }

    private static void write(Path file, String... tools) throws IOException {
        var definitions = new ArrayList<String>();
        for (String tool : tools) {
            definitions.add("{\"name\":\"%s\",\"x-behaviour\":\"echo\"}".formatted(tool));
        }
        Path fresh = Files.createTempFile(file.getParent(), "t", ".json");
        Files.writeString(fresh, "[" + String.join(",", definitions) + "]");
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
