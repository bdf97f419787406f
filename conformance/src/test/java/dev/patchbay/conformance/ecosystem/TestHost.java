package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.SchemaCheck;
import dev.patchbay.testkit.Await;
import dev.patchbay.testkit.HistoryChecker;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.RawStdioClient;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;
import dev.patchbay.testkit.StrictJson;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * A host that has started a gateway as its MCP server, as an editor or an agent does. Closing it
 * asserts what must hold after every run: the gateway ended normally, every line was valid, every
 * request had one response, and no process is left.
 */
public final class TestHost implements AutoCloseable {
    public static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final Duration END_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration PROCESS_EXIT_MAX = Duration.ofSeconds(5);
    private static final long POLL_NANOS = 10_000_000;

    private final RawStdioClient client;
    private final List<ServerScript> scripts;

    TestHost(RawStdioClient client, List<ServerScript> scripts) {
        this.client = client;
        this.scripts = scripts;
    }

    public RawStdioClient client() {
        return client;
    }

    /** Calls a tool and returns the result; a JSON-RPC error fails the test. */
    public JsonTree callForResult(String tool, String arguments) throws InterruptedException {
        return client.callTool(tool, arguments).at("result");
    }

    /**
     * Calls a tool and returns the text of its first content block; a tool error fails the test.
     */
    public String callForText(String tool, String arguments) throws InterruptedException {
        JsonTree result = callForResult(tool, arguments);
        assertThat(isError(result)).as("%s answered %s", tool, result).isFalse();
        return result.at("content", 0, "text").asText();
    }

    /** Calls a tool that must fail and returns the gateway's error details. */
    JsonTree failureDetails(String tool, String arguments) throws InterruptedException {
        return failureDetails(callForResult(tool, arguments));
    }

    /** The gateway's error details in a result. */
    static JsonTree failureDetails(JsonTree result) {
        assertThat(isError(result)).as("%s", result).isTrue();
        return result.at("_meta", "dev.patchbay/error");
    }

    static boolean isError(JsonTree result) {
        return result.member("isError").equals(Optional.of(JsonTree.Literal.TRUE));
    }

    /** Discovers these servers and returns the row of each. */
    List<JsonTree> discover(boolean force, String... ids) throws InterruptedException {
        var quoted = new ArrayList<String>();
        for (String id : ids) {
            quoted.add(StrictJson.quote(id));
        }
        String arguments =
                "{\"serverIds\":[%s],\"forceRefresh\":%b}"
                        .formatted(String.join(",", quoted), force);
        return callForResult("patchbay.discover", arguments)
                .at("structuredContent", "serverResults")
                .asList();
    }

    /** The statuses of discovery rows. */
    static List<String> statuses(List<JsonTree> rows) {
        return rows.stream().map(row -> row.at("status").asText()).toList();
    }

    /** Discovery rows without the durations, which differ from run to run. */
    static List<String> withoutDuration(List<JsonTree> rows) {
        return rows.stream().map(row -> row.write().replaceAll("\"durationMs\":\\d+", "")).toList();
    }

    /** The listed tools in order, without the gateway's built-in tools. */
    public List<JsonTree> tools() throws InterruptedException {
        return client.request("tools/list", "{}").at("result", "tools").asList().stream()
                .filter(tool -> !tool.at("name").asText().startsWith("patchbay."))
                .toList();
    }

    public List<String> toolNames() throws InterruptedException {
        return tools().stream().map(tool -> tool.at("name").asText()).toList();
    }

    /** Waits until the names of the listed tools match. */
    public void awaitTools(Predicate<List<String>> wanted) throws InterruptedException {
        List<String> names = toolNames();
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (!wanted.test(names)) {
            assertThat(System.nanoTime()).as("Listed: %s", names).isLessThan(end);
            LockSupport.parkNanos(POLL_NANOS);
            names = toolNames();
        }
    }

    /** The reported state of all servers. */
    public List<JsonTree> servers() throws InterruptedException {
        return callForResult("patchbay.servers", "{}").at("structuredContent", "servers").asList();
    }

    /** The reported state of a server. */
    JsonTree server(String id) throws InterruptedException {
        return servers().stream()
                .filter(server -> server.at("serverId").asText().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No server " + id));
    }

    /** Whether the gateway has a server with this id. */
    boolean hasServer(String id) {
        try {
            return servers().stream().anyMatch(server -> server.at("serverId").asText().equals(id));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Waits until the tools of a server are known. */
    public void awaitListed(String id) throws InterruptedException {
        JsonTree server = server(id);
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (!server.has("lastDiscoveredAt")) {
            assertThat(System.nanoTime()).as("Still %s", server).isLessThan(end);
            LockSupport.parkNanos(POLL_NANOS);
            server = server(id);
        }
    }

    String status(String id) throws InterruptedException {
        return server(id).at("status").asText();
    }

    String lastError(String id) throws InterruptedException {
        return server(id).findAt("lastError").map(JsonTree::asText).orElse("");
    }

    /** Waits until a server reports this status, and returns its report. */
    public JsonTree awaitStatus(String id, String status) throws InterruptedException {
        return awaitStatus(id, status, TIMEOUT);
    }

    public JsonTree awaitStatus(String id, String status, Duration patience)
            throws InterruptedException {
        var stopwatch = Stopwatch.start();
        JsonTree server = server(id);
        while (!server.at("status").asText().equals(status)) {
            assertThat(stopwatch.activeTime()).as("Still %s", server).isLessThan(patience);
            LockSupport.parkNanos(POLL_NANOS);
            server = server(id);
        }
        return server;
    }

    /** Waits until the last error of a server contains this text. */
    void awaitError(String id, String part) throws InterruptedException {
        String error = lastError(id);
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (!error.contains(part)) {
            assertThat(System.nanoTime()).as("Still: %s", error).isLessThan(end);
            LockSupport.parkNanos(POLL_NANOS);
            error = lastError(id);
        }
    }

    /** Waits for a condition; whether it became true. */
    public static boolean await(Duration timeout, BooleanSupplier condition) {
        return Await.becomesTrue(condition, timeout);
    }

    /** All descendant processes of the gateway. */
    public List<Long> descendants() {
        return ProcessHandle.of(client.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .map(ProcessHandle::pid)
                .toList();
    }

    /** Ends the input; the gateway and everything it started must then end normally. */
    @Override
    public void close() {
        List<Long> below = descendants();
        client.closeInput();
        try {
            assertThat(client.exitCode(END_TIMEOUT)).as(client.stderr()).isZero();
            assertThat(client.awaitOutputEnd(TIMEOUT)).isTrue();
            checkTraffic();
            assertGone(below);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            client.close();
        }
    }

    /** Asserts what must hold of the traffic however the gateway ended. */
    void checkTraffic() {
        assertThat(client.violations()).isEmpty();
        assertThat(HistoryChecker.check(client.history())).isEmpty();
        for (ServerScript script : scripts) {
            assertThat(script.recording().violations()).as(script.name()).isEmpty();
            assertThat(SchemaCheck.violations(script.recording())).as(script.name()).isEmpty();
        }
    }

    /** Waits until these processes, and all processes of the scripted servers, have ended. */
    public void assertGone(List<Long> pids) {
        var stopwatch = Stopwatch.start();
        boolean gone = await(TIMEOUT, () -> stillAlive(pids).isEmpty());
        assertThat(gone).as("Left: %s", stillAlive(pids)).isTrue();
        assertThat(stopwatch.activeTime()).isLessThan(PROCESS_EXIT_MAX);
    }

    private List<Long> stillAlive(List<Long> pids) {
        var left = new ArrayList<>(pids);
        left.removeIf(pid -> !ProcessInspector.isAlive(pid));
        scripts.forEach(script -> left.addAll(script.recording().livingPids()));
        return left;
    }
}
