package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.RawHttpServer.Exchange;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tools that run as tasks, behind a proxy that fails now and then. Asking how a task is doing can
 * be done again, so that a failure of the proxy costs neither the call nor the task.
 */
class HttpTaskFaultTest {
    private static final String PATIENT = "\"requestTimeoutMs\": 30000, \"maxRetries\": 1";
    private static final String RESULT = "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}";

    @TempDir private static Path folder;
    private static Neighbourhood around;
    private static Host host;

    @BeforeAll
    static void open() throws Exception {
        around = new Neighbourhood(folder);
        host = around.host();
    }

    @AfterEach
    void clear() throws Exception {
        around.clear();
    }

    @AfterAll
    static void close() {
        around.close();
    }

    private static void complete(Exchange exchange, String members) throws IOException {
        exchange.result("{\"resultType\":\"complete\"," + members + "}");
    }

    private static String task(String status) {
        return "\"taskId\":\"t1\",\"status\":\""
                + status
                + "\",\"createdAt\":\"2026-01-01T00:00:00Z\","
                + "\"lastUpdatedAt\":\"2026-01-01T00:00:00Z\"";
    }

    /** Has a server speak the modern era, with tasks. */
    private static void modern(WebServer server) {
        String kept = "\"ttlMs\":0,\"cacheScope\":\"private\",";
        server.on(
                "server/discover",
                it ->
                        complete(
                                it,
                                kept
                                        + "\"supportedVersions\":[\"2026-07-28\"],"
                                        + "\"capabilities\":{\"tools\":{},\"extensions\":"
                                        + "{\"io.modelcontextprotocol/tasks\":{}}}"));
        server.on(
                "tools/list",
                it ->
                        complete(
                                it,
                                kept
                                        + "\"tools\":[{\"name\":\"work\",\"inputSchema\":"
                                        + "{\"type\":\"object\"}}]"));
        server.on(
                "tools/call",
                it ->
                        it.result(
                                "{\"resultType\":\"task\",\"ttlMs\":null,\"pollIntervalMs\":20,"
                                        + task("working")
                                        + "}"));
    }

    @Test
    void aPollThatAProxyDropsIsAskedAgain() throws Exception {
        var polls = new AtomicInteger();
        try (var server = new WebServer()) {
            modern(server);
            server.on(
                    "tasks/get",
                    it -> {
                        switch (polls.incrementAndGet()) {
                            case 1 -> complete(it, "\"ttlMs\":null," + task("working"));
                            case 2 -> it.answer(502, "<html>bad gateway</html>");
                            case 3 -> it.close();
                            default ->
                                    complete(
                                            it,
                                            "\"ttlMs\":null,\"result\":"
                                                    + RESULT
                                                    + ","
                                                    + task("completed"));
                        }
                    });
            String id = around.connect(server, PATIENT);
            assertThat(host.text(id + ".work", "{}")).isEqualTo("done");
            assertThat(server.count("tools/call")).isEqualTo(1);
            assertThat(server.count("tasks/cancel")).isZero();
        }
    }

    /** Whoever never gets through is told so, and the task is given up. */
    @Test
    void pollsThatAreAllDroppedEndTheCall() throws Exception {
        try (var server = new WebServer()) {
            modern(server);
            server.on("tasks/get", it -> it.answer(502, "<html>bad gateway</html>"));
            String id = around.connect(server, PATIENT);
            assertThat(host.failure(id + ".work", "{}").at("message").text()).contains("HTTP 502");
            assertThat(server.count("tasks/get")).isEqualTo(4);
            assertThat(Host.await(Host.PATIENCE, () -> server.count("tasks/cancel") == 1)).isTrue();
        }
    }

    /** As a proxy does that cuts whatever is quiet for a while. */
    @Test
    void aResultThatAProxyCutsIsAskedForAgain() throws Exception {
        var asked = new AtomicInteger();
        try (var server = new WebServer()) {
            server.on(
                    "initialize",
                    it ->
                            it.result(
                                    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":"
                                            + "{\"tools\":{},\"tasks\":{\"cancel\":{},"
                                            + "\"requests\":{\"tools\":{\"call\":{}}}}},"
                                            + "\"serverInfo\":{\"name\":\"w\",\"version\":\"1\"}}",
                                    "Mcp-Session-Id: s1"));
            server.on(
                    "tools/list",
                    it ->
                            it.result(
                                    "{\"tools\":[{\"name\":\"work\",\"execution\":"
                                            + "{\"taskSupport\":\"required\"},\"inputSchema\":"
                                            + "{\"type\":\"object\"}}]}"));
            server.on(
                    "tools/call",
                    it -> it.result("{\"task\":{\"ttl\":null," + task("working") + "}}"));
            server.on(
                    "tasks/result",
                    it -> {
                        switch (asked.incrementAndGet()) {
                            case 1 -> it.answer(504, "<html>gateway timeout</html>");
                            case 2 -> it.close();
                            default -> it.result(RESULT);
                        }
                    });
            String id = around.connect(server, PATIENT);
            assertThat(host.text(id + ".work", "{}")).isEqualTo("done");
            assertThat(server.count("tools/call")).isEqualTo(1);
            assertThat(server.count("tasks/cancel")).isZero();
        }
    }
}
