package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.catalog.Lookup.Absent;
import dev.patchbay.catalog.Lookup.Ambiguous;
import dev.patchbay.catalog.Lookup.Found;
import dev.patchbay.gateway.DiscoveryResult.Row;
import dev.patchbay.gateway.DiscoveryResult.Status;
import dev.patchbay.mcp.Reason;
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
    private Fleet fleet;

    @BeforeEach
    void open() {
        fleet = new Fleet(folder);
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    /** All of a result but times. */
    private static String said(DiscoveryResult result) {
        return result.toJson()
                .toString()
                .replaceAll("\"(durationMs|totalDurationMs)\":\\d+", "")
                .replaceAll("\"discoveredAt\":\"[^\"]*\"", "");
    }

    @Test
    void discoverToolsTwiceInSuccessionResultsMatch() throws Exception {
        ServerScript b = fleet.add(fleet.script("b").tools("echo", "add"));
        ServerScript a = fleet.add(fleet.script("a").tools("echo").with("resources", 2));
        DiscoveryResult first = fleet.discover();
        DiscoveryResult second = fleet.discover();
        assertThat(Fleet.names(first.tools())).containsExactly("a.echo", "b.echo", "b.add");
        assertThat(said(second)).isEqualTo(said(first));
        assertThat(a.record().count("tools/list")).isEqualTo(1);
        assertThat(b.record().count("tools/list")).isEqualTo(1);
    }

    @Test
    void forceRefreshReturnsSameToolsAsWithout() throws Exception {
        ServerScript a = fleet.add(fleet.script("a").tools("echo", "add"));
        DiscoveryResult first = fleet.discover();
        Instant told = fleet.report("a").lastDiscoveredAt();
        assertThat(fleet.discover().serverResults()).hasSize(1);
        assertThat(fleet.report("a").lastDiscoveredAt()).isEqualTo(told);
        DiscoveryResult forced = fleet.refresh();
        assertThat(said(forced)).isEqualTo(said(first));
        assertThat(a.record().count("tools/list")).isEqualTo(2);
        assertThat(fleet.report("a").lastDiscoveredAt()).isAfter(told);
    }

    @Test
    void discoveryAfterServerRestartReturnsUpdatedToolSet() throws Exception {
        Path tools = folder.resolve("tools.json");
        write(tools, "old", "echo");
        fleet.add(fleet.script("a").with("tools-file", tools.toString()));
        assertThat(Fleet.names(fleet.discover().tools())).containsExactly("a.old", "a.echo");
        write(tools, "new", "echo");
        fleet.gateway.reconnect(new ServerId("a"));
        assertThat(Fleet.comesTrue(() -> fleet.tools().equals(List.of("a.new", "a.echo"))))
                .isTrue();
        assertThat(Fleet.names(fleet.discover().tools())).containsExactly("a.new", "a.echo");
    }

    @Test
    void aForcedRefreshBringsTheNewSetAndItsBareNames() throws Exception {
        Path tools = folder.resolve("tools.json");
        write(tools, "search", "old");
        fleet.add(fleet.script("a").with("tools-file", tools.toString()));
        fleet.add(fleet.script("b").tools("search=echo"));
        fleet.discover();
        assertThat(fleet.gateway.lookup("search")).isInstanceOf(Ambiguous.class);
        write(tools, "new");
        assertThat(Fleet.names(fleet.discover().tools())).as("kept").contains("a.old");
        assertThat(Fleet.names(fleet.refresh().tools())).containsExactly("a.new", "b.search");
        assertThat(fleet.gateway.lookup("search")).isInstanceOf(Found.class);
        assertThat(fleet.gateway.lookup("a.old")).isInstanceOf(Absent.class);
        assertThat(fleet.call("search", "{}").tool()).isEqualTo("b.search");
    }

    @Test
    void aServerThatAnnouncesAChangeIsAskedAgain() throws Exception {
        Path tools = folder.resolve("tools.json");
        write(tools, "old");
        fleet.add(fleet.script("a").with("tools-file", tools.toString()).with("watch", 20));
        assertThat(Fleet.names(fleet.discover().tools())).containsExactly("a.old");
        assertThat(Fleet.comesTrue(() -> fleet.changes.contains("tools"))).isTrue();
        fleet.changes.clear();
        write(tools, "new");
        assertThat(Fleet.comesTrue(() -> fleet.tools().equals(List.of("a.new")))).isTrue();
        assertThat(Fleet.comesTrue(() -> fleet.changes.contains("tools"))).isTrue();
        assertThat(fleet.gateway.lookup("old")).isInstanceOf(Absent.class);
    }

    @Test
    void fiftyDiscoveriesAtOnceAskAServerOnce() throws Exception {
        ServerScript a = fleet.add(fleet.script("a").at("tools/list=delay:300"));
        List<Callable<String>> tasks = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            tasks.add(() -> said(fleet.discover()));
        }
        try (var workers = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = workers.invokeAll(tasks).stream().map(it -> it.resultNow()).toList();
            assertThat(results).allMatch(results.getFirst()::equals);
            assertThat(results.getFirst()).contains("\"status\":\"success\"");
        }
        assertThat(a.record().count("tools/list")).isEqualTo(1);
        assertThat(a.record().starts()).isEqualTo(1);
    }

    @Test
    void aFailedRefreshIsNeverTakenForAnEmptyList() throws Exception {
        Path tools = folder.resolve("tools.json");
        write(tools, "echo");
        fleet.add(fleet.script("a").with("tools-file", tools.toString()));
        assertThat(fleet.discover().serverResults().getFirst().toolCount()).isEqualTo(1);
        Files.writeString(tools, "{\"no\":\"list\"}");
        for (DiscoveryResult failed : List.of(fleet.refresh(), fleet.discover())) {
            Row row = failed.serverResults().getFirst();
            assertThat(row.status()).isEqualTo(Status.ERROR);
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
    void aServerRegisteredAnewIsAskedAnew() throws Exception {
        ServerScript a = fleet.add(fleet.script("a"));
        fleet.discover();
        assertThat(fleet.gateway.unregister(new ServerId("a"))).isTrue();
        assertThat(fleet.tools()).isEmpty();
        fleet.add(fleet.script("a").tools("add"));
        assertThat(Fleet.names(fleet.discover().tools())).containsExactly("a.add");
        assertThat(a.record().count("tools/list")).isEqualTo(2);
    }

    @Test
    void aServerNamedTwiceCountsOnceAndAnUnknownOneIsAnError() throws Exception {
        fleet.add(fleet.script("a").tools("echo"));
        var request = DiscoveryRequest.ALL.only("a", "nobody", "a", "not legal");
        DiscoveryResult result = fleet.gateway.discover(request);
        assertThat(result.serverResults())
                .extracting(Row::serverId)
                .containsExactly("a", "nobody", "not legal");
        assertThat(result.tools()).hasSize(1);
        assertThat(result.serverResults().get(1).error().reason())
                .isEqualTo(Reason.SERVER_NOT_FOUND);
        String[] many = IntStream.range(0, 21).mapToObj(Integer::toString).toArray(String[]::new);
        assertThatThrownBy(() -> fleet.gateway.discover(DiscoveryRequest.ALL.only(many)))
                .isInstanceOfSatisfying(
                        GatewayException.class,
                        it -> assertThat(it.reason()).isEqualTo(Reason.INVALID_CONFIG));
    }

    @Test
    void aModernListIsKeptAsLongAsItsServerSays() throws Exception {
        ServerScript a = fleet.add(fleet.script("a").era("modern"));
        DiscoveryResult first = fleet.discover();
        int before = a.record().count("tools/list");
        assertThat(said(fleet.discover())).isEqualTo(said(first));
        assertThat(a.record().count("tools/list")).as("it says: not at all").isGreaterThan(before);
        ServerScript b = fleet.add(fleet.script("b").era("modern").with("ttl", 60_000));
        fleet.discover();
        fleet.discover();
        assertThat(b.record().count("tools/list")).as("it says: a minute").isEqualTo(1);
    }

    @Test
    void theClockOfTheMachineDoesNotMatter() throws Exception {
        ServerScript a = fleet.add(fleet.script("a"));
        DiscoveryResult first = fleet.discover();
        for (Instant time : List.of(Instant.EPOCH, Instant.parse("2100-01-01T00:00:00Z"))) {
            fleet.setClock(time);
            assertThat(said(fleet.discover())).isEqualTo(said(first));
        }
        assertThat(a.record().count("tools/list")).isEqualTo(1);
    }

    @Test
    void allPagesAreRead() throws Exception {
        ServerScript a = fleet.add(fleet.script("a").with("tool-count", 25).with("page-size", 10));
        assertThat(fleet.discover().tools()).hasSize(27);
        assertThat(a.record().count("tools/list")).isEqualTo(3);
    }

    @Test
    void anEmptyCursorIsACursor() throws Exception {
        fleet.add(
                fleet.script("a")
                        .with("tool-count", 5)
                        .with("page-size", 4)
                        .with("cursor", "empty"));
        assertThat(fleet.discover().tools()).hasSize(7);
    }

    @Test
    void pagesWithoutEndEnd() throws Exception {
        ServerScript same = paged("same", "same");
        ServerScript fresh = paged("new", "new");
        ServerScript grow = paged("grow", "grow");
        DiscoveryResult result = fleet.discover();
        assertThat(result.serverResults()).extracting(Row::status).containsOnly(Status.SUCCESS);
        assertThat(same.record().count("tools/list")).isLessThanOrEqualTo(3);
        assertThat(fresh.record().count("tools/list")).isLessThanOrEqualTo(1_000);
        assertThat(grow.record().count("tools/list")).isLessThanOrEqualTo(1_000);
        assertThat(fleet.report("same").withheld())
                .extracting(it -> it.reason())
                .anyMatch(it -> it.contains("same next page"));
        assertThat(fleet.report("same").counts().tools()).isPositive();
        assertThat(fleet.report("grow").counts().tools()).isBetween(1_000, 2_000);
    }

    private ServerScript paged(String name, String cursor) {
        return fleet.add(
                fleet.script(name)
                        .with("tool-count", 8)
                        .with("page-size", 3)
                        .with("cursor", cursor),
                Fleet.limits(30_000, 5_000, 0));
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
