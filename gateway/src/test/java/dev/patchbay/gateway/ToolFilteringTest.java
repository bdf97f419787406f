package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.NameStyle;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.ToolFilter;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;

/** Tools that the configuration keeps from clients. */
class ToolFilteringTest {
    private static final ServerId A = new ServerId("a");

    @TempDir private Path folder;
    private GatewayFixture fleet;

    @BeforeEach
    void open() {
        fleet = new GatewayFixture(folder, GatewayFixture.withOwnTools(true, false));
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private ServerScript add(ServerScript script, ToolFilter filter) throws Exception {
        fleet.gateway.register(
                GatewayFixture.spec(script, GatewayFixture.NO_RETRIES).withTools(filter));
        assertThat(fleet.discover().serverResults()).allMatch(it -> it.error() == null);
        return script;
    }

    private List<String> tools() {
        return fleet.tools().stream().filter(it -> !it.startsWith("patchbay.")).toList();
    }

    @Test
    void filteredToolsAreNotListed() throws Exception {
        add(
                fleet.script("a").tools("read=echo", "write=echo", "wipe=echo"),
                ToolFilter.excluding("w*"));
        assertThat(tools()).containsExactly("a.read");
        assertThat(fleet.gateway.catalog().toolsResult(NameStyle.SAFE, Era.LEGACY).toString())
                .contains("a__read")
                .doesNotContain("wipe", "write");
        assertThat(GatewayFixture.names(fleet.discover().tools())).containsExactly("a.read");
        assertThat(fleet.discover().serverResults().getFirst().toolCount()).isEqualTo(1);
        assertThat(fleet.report("a").counts().tools()).isEqualTo(1);
        assertThat(fleet.report("a").filtered()).containsExactly("write", "wipe");
        assertThat(fleet.report("a").withheld()).isEmpty();
        assertThat(fleet.report("a").toJson().toString())
                .contains("\"filtered\":[\"write\",\"wipe\"]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.wipe", "a__wipe", "wipe"})
    void filteredToolsCannotBeCalledByAnyName(String name) throws Exception {
        ServerScript script =
                add(fleet.script("a").tools("read=echo", "wipe=echo"), ToolFilter.including("r*"));
        InvocationResult result = fleet.call(name, "{}");
        assertThat(result.problem().reason()).isEqualTo(ErrorReason.TOOL_NOT_FOUND);
        assertThat(result.problem().message()).contains("a.wipe is filtered");
        assertThat(result.server()).isEqualTo(A);
        var invocation = Invocation.of(name, Json.EMPTY_OBJECT).onServer("a");
        assertThat(fleet.gateway.invoke(invocation).problem().message()).contains("is filtered");
        var results = new ArrayList<InvocationResult>();
        fleet.gateway.call(Invocation.of(name, Json.EMPTY_OBJECT)).start(results::add);
        assertThat(results)
                .singleElement()
                .matches(it -> it.problem().message().contains("is filtered"));
        assertThat(script.recording().receivedCount("tools/call")).isZero();
        assertThat(fleet.call("a.read", "{}").isSuccess()).isTrue();
    }

    @Test
    void filteredToolsReleaseTheirBareNamesButNotTheirFullNames() throws Exception {
        add(fleet.script("a").tools("search=echo"), ToolFilter.including());
        ServerScript b =
                add(fleet.script("b").tools("search=echo", "a.search=echo"), ToolFilter.ALLOW_ALL);
        assertThat(fleet.call("search", "{}").tool()).isEqualTo("b.search");
        assertThat(fleet.gateway.lookup("a.search")).isInstanceOf(LookupResult.Filtered.class);
        assertThat(fleet.call("a.search", "{}").problem().message()).contains("is filtered");
        assertThat(b.recording().callArguments("a.search"))
                .as("the name of another's tool")
                .isEmpty();
        assertThat(fleet.call("b.a.search", "{}").isSuccess()).isTrue();
    }

    @Test
    void filterChangesDoNotReconnectTheServer() throws Exception {
        ServerScript a = fleet.script("a").tools("read=echo", "wipe=echo", "slow");
        add(a, ToolFilter.ALLOW_ALL);
        fleet.gateway.awaitCatalog(Duration.ZERO);
        var call = new FutureTask<>(() -> fleet.call("a.slow", "{\"ms\":1000}"));
        Thread.startVirtualThread(call);
        assertThat(GatewayFixture.becomesTrue(() -> a.recording().receivedCount("tools/call") == 1))
                .isTrue();
        fleet.changes.clear();
        fleet.gateway.update(
                GatewayFixture.spec(a, GatewayFixture.NO_RETRIES)
                        .withTools(ToolFilter.including("read")));
        assertThat(tools()).containsExactly("a.read");
        assertThat(fleet.report("a").spec().options().tools().include()).containsExactly("read");
        assertThat(GatewayFixture.becomesTrue(() -> fleet.changes.contains("tools"))).isTrue();
        assertThat(call.get().isSuccess()).as("a call under way").isTrue();
        fleet.gateway.update(GatewayFixture.spec(a, GatewayFixture.NO_RETRIES));
        assertThat(tools()).containsExactly("a.read", "a.wipe", "a.slow");
        assertThat(fleet.call("a.wipe", "{}").isSuccess()).isTrue();
        assertThat(fleet.status("a")).isEqualTo(ServerState.Status.CONNECTED);
        assertThat(a.recording().startCount()).isEqualTo(1);
        assertThat(a.recording().receivedCount("tools/list")).isEqualTo(1);
    }

    @Test
    void storedListingsContainFilteredTools() throws Exception {
        var settings = GatewaySettings.DEFAULTS.withStateDir(folder.resolve("state"));
        ServerScript a = fleet.script("a").tools("read=echo", "wipe=echo");
        try (var before = new GatewayFixture(folder, settings)) {
            before.gateway.register(
                    GatewayFixture.spec(a, GatewayFixture.NO_RETRIES)
                            .withTools(ToolFilter.excluding("wipe")));
            before.discover();
        }
        try (var after = new GatewayFixture(folder, settings)) {
            after.gateway.register(GatewayFixture.spec(a, GatewayFixture.NO_RETRIES));
            assertThat(after.tools()).as("at once").containsExactly("a.read", "a.wipe");
        }
    }

    @Test
    void explainReportsFilteredTools() throws Exception {
        add(fleet.script("a").tools("read=echo", "wipe=echo"), ToolFilter.excluding("w*"));
        String said =
                ((CallResult.Answered)
                                fleet.call("patchbay.explain", "{\"name\":\"a.wipe\"}")
                                        .callResult())
                        .result()
                        .toString();
        assertThat(said).contains("filtered by the configuration", "tools.exclude contains");
        assertThat(fleet.call("patchbay.explain", "{\"name\":\"a\"}").callResult().toString())
                .contains("1 tools, 0 withheld, 1 filtered");
    }

    @Test
    void filteredToolsAreNotReportedAsWithheld() throws Exception {
        Path tools = folder.resolve("tools.json");
        Files.writeString(
                tools,
                """
                [{"name":"good","inputSchema":{"type":"object"}},
                 {"name":"odd","inputSchema":{"type":"array"}}]
                """);
        add(
                fleet.script("a").withOption("tools-file", tools.toString()),
                ToolFilter.excluding("odd"));
        assertThat(fleet.report("a").withheld()).isEmpty();
    }
}
