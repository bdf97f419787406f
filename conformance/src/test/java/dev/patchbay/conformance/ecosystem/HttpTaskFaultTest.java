package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.RawHttpServer.Exchange;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tools that run as tasks behind a proxy that fails sometimes. Polls can be repeated, so a failure
 * of the proxy loses neither the call nor the task.
 */
class HttpTaskFaultTest {
    private static final String LONG_TIMEOUT = "\"requestTimeoutMs\": 30000, \"maxRetries\": 1";
    private static final String RESULT = "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}";

    @RegisterExtension static final SharedGateway SHARED = new SharedGateway();

    private static void respond(Exchange exchange, String members) throws IOException {
        exchange.respondWithResult("{\"resultType\":\"complete\"," + members + "}");
    }

    private static String taskWithStatus(String status) {
        return "\"taskId\":\"t1\",\"status\":\""
                + status
                + "\",\"createdAt\":\"2026-01-01T00:00:00Z\","
                + "\"lastUpdatedAt\":\"2026-01-01T00:00:00Z\"";
    }

    /** Makes a server modern only, with tasks. */
    private static void makeModern(HttpEchoServer server) {
        String kept = "\"ttlMs\":0,\"cacheScope\":\"private\",";
        server.on("initialize", it -> it.respond(400, ""));
        server.on(
                "server/discover",
                it ->
                        respond(
                                it,
                                kept
                                        + "\"supportedVersions\":[\"2026-07-28\"],"
                                        + "\"capabilities\":{\"tools\":{},\"extensions\":"
                                        + "{\"io.modelcontextprotocol/tasks\":{}}}"));
        server.on(
                "tools/list",
                it ->
                        respond(
                                it,
                                kept
                                        + "\"tools\":[{\"name\":\"work\",\"inputSchema\":"
                                        + "{\"type\":\"object\"}}]"));
        server.on(
                "tools/call",
                it ->
                        it.respondWithResult(
                                "{\"resultType\":\"task\",\"ttlMs\":null,\"pollIntervalMs\":20,"
                                        + taskWithStatus("working")
                                        + "}"));
    }

    @Test
    void droppedPollIsRetried() throws Exception {
        var polls = new AtomicInteger();
        try (var server = new HttpEchoServer()) {
            makeModern(server);
            server.on(
                    "tasks/get",
                    it -> {
                        switch (polls.incrementAndGet()) {
                            case 1 -> respond(it, "\"ttlMs\":null," + taskWithStatus("working"));
                            case 2 -> it.respond(502, "<html>bad gateway</html>");
                            case 3 -> it.close();
                            default ->
                                    respond(
                                            it,
                                            "\"ttlMs\":null,\"result\":"
                                                    + RESULT
                                                    + ","
                                                    + taskWithStatus("completed"));
                        }
                    });
            String id = SHARED.gateway().connect(server, LONG_TIMEOUT);
            assertThat(SHARED.host().callForText(id + ".work", "{}")).isEqualTo("done");
            assertThat(server.count("tools/call")).isEqualTo(1);
            assertThat(server.count("tasks/cancel")).isZero();
        }
    }

    /** The call fails, and the task is cancelled. */
    @Test
    void callFailsIfAllPollsAreDropped() throws Exception {
        try (var server = new HttpEchoServer()) {
            makeModern(server);
            server.on("tasks/get", it -> it.respond(502, "<html>bad gateway</html>"));
            String id = SHARED.gateway().connect(server, LONG_TIMEOUT);
            assertThat(SHARED.host().failureDetails(id + ".work", "{}").at("message").asText())
                    .contains("HTTP 502");
            assertThat(server.count("tasks/get")).isEqualTo(4);
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> server.count("tasks/cancel") == 1))
                    .isTrue();
        }
    }

    /** As a proxy does that closes idle connections. */
    @Test
    void truncatedTaskResultIsRequestedAgain() throws Exception {
        var asked = new AtomicInteger();
        try (var server = new HttpEchoServer()) {
            server.on(
                    "initialize",
                    it ->
                            it.respondWithResult(
                                    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":"
                                            + "{\"tools\":{},\"tasks\":{\"cancel\":{},"
                                            + "\"requests\":{\"tools\":{\"call\":{}}}}},"
                                            + "\"serverInfo\":{\"name\":\"w\",\"version\":\"1\"}}",
                                    "Mcp-Session-Id: s1"));
            server.on(
                    "tools/list",
                    it ->
                            it.respondWithResult(
                                    "{\"tools\":[{\"name\":\"work\",\"execution\":"
                                            + "{\"taskSupport\":\"required\"},\"inputSchema\":"
                                            + "{\"type\":\"object\"}}]}"));
            server.on(
                    "tools/call",
                    it ->
                            it.respondWithResult(
                                    "{\"task\":{\"ttl\":null," + taskWithStatus("working") + "}}"));
            server.on(
                    "tasks/result",
                    it -> {
                        switch (asked.incrementAndGet()) {
                            case 1 -> it.respond(504, "<html>gateway timeout</html>");
                            case 2 -> it.close();
                            default -> it.respondWithResult(RESULT);
                        }
                    });
            String id = SHARED.gateway().connect(server, LONG_TIMEOUT);
            assertThat(SHARED.host().callForText(id + ".work", "{}")).isEqualTo("done");
            assertThat(server.count("tools/call")).isEqualTo(1);
            assertThat(server.count("tasks/cancel")).isZero();
        }
    }
}
