package dev.patchbay.clients;

import static dev.patchbay.clients.InMemoryClient.MODERN;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.mcp.MetaKeys;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

class ClientHandlerTest {
    private final EchoService service = new EchoService();

    @ParameterizedTest
    @CsvSource({
        "2024-11-05,2024-11-05",
        "2025-03-26,2025-03-26",
        "2025-06-18,2025-06-18",
        "2025-11-25,2025-11-25",
        "2026-07-28,2025-11-25",
        "9999-99-99,2025-11-25",
        "'',2025-11-25"
    })
    void negotiatesVersion(String asked, String agreed) throws IOException {
        try (var client = new InMemoryClient(service)) {
            assertThat(client.sendAndReceive(initialize("\"" + asked + "\"")))
                    .contains("\"" + agreed + "\"");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"protocolVersion\":5,\"capabilities\":{},\"clientInfo\":ME}",
                "{\"protocolVersion\":\"2025-06-18\",\"clientInfo\":ME}",
                "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{}}",
                "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{}}"
            })
    void staysUninitializedAfterInvalidHandshake(String params) throws IOException {
        try (var client = new InMemoryClient(service)) {
            String named = params.replace("ME", "{\"name\":\"a\",\"version\":\"1\"}");
            assertThat(client.sendAndReceive(request(1, "initialize", named))).contains("-32602");
            assertThat(client.sendAndReceive(request(2, "tools/list", "{}"))).contains("-32600");
            client.initialize("2025-06-18");
            assertThat(client.sendAndReceive(request(3, "tools/list", "{}")))
                    .contains("\"tools\":[]");
        }
    }

    @Test
    void rejectsSecondHandshakeAndKeepsSession() throws IOException {
        try (var client = new InMemoryClient(service).initialize("2025-06-18")) {
            assertThat(client.sendAndReceive(initialize("\"2025-06-18\"")))
                    .contains("-32600", "already");
            assertThat(client.sendAndReceive(request(3, "tools/list", "{}")))
                    .contains("\"tools\":[]");
        }
    }

    @Test
    void handlesRequestInSameWriteAsHandshake() throws IOException {
        try (var client = new InMemoryClient(service)) {
            client.send(initialize("\"2025-06-18\"") + "\n" + request(2, "tools/list", "{}"));
            assertThat(client.next()).contains("protocolVersion");
            assertThat(client.next()).contains("\"tools\":[]");
        }
    }

    @Test
    void handlesModernRequestsWithAndWithoutHandshake() throws IOException {
        try (var client = new InMemoryClient(service)) {
            String list = request(1, "tools/list", "{" + MODERN + "}");
            assertThat(client.sendAndReceive(list))
                    .contains(
                            "\"resultType\":\"complete\"",
                            "\"ttlMs\":0",
                            "\"cacheScope\":\"private\"")
                    .contains("io.modelcontextprotocol/serverInfo");
            client.initialize("2025-06-18");
            assertThat(client.sendAndReceive(list)).contains("resultType");
            assertThat(client.sendAndReceive(request(2, "tools/list", "{}")))
                    .doesNotContain("resultType");
            assertThat(client.sendAndReceive(request(3, "server/discover", "{" + MODERN + "}")))
                    .contains("\"supportedVersions\":[\"2026-07-28\"]");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    ping         | {"@V":"2026-07-28","@C":{}} | -32601
                    initialize   | {"@V":"2026-07-28","@C":{}} | -32601
                    prompts/list | {"@V":"2026-07-28","@C":{}} | -32601
                    tools/list   | {"@V":"2099-01-01","@C":{}} | -32022
                    tools/list   | {"@V":"2026-07-28"} | -32602
                    tools/list   | {"@V":7,"@C":{}} | -32602
                    """)
    void rejectsInvalidModernRequests(String method, String meta, String code) throws IOException {
        try (var client = new InMemoryClient(service)) {
            String spelled =
                    meta.replace("@V", MetaKeys.PROTOCOL_VERSION)
                            .replace("@C", MetaKeys.CLIENT_CAPABILITIES);
            String params = "{\"_meta\":" + spelled + "}";
            assertThat(client.sendAndReceive(request(1, method, params))).contains(code);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"name\":5}",
                "{\"name\":\"a\",\"arguments\":null}",
                "{\"name\":\"a\",\"arguments\":[]}",
                "{\"name\":\"a\",\"arguments\":\"x\"}"
            })
    void rejectsInvalidCallParams(String params) throws IOException {
        try (var client = new InMemoryClient(service).initialize("2025-11-25")) {
            assertThat(client.sendAndReceive(request(1, "tools/call", params))).contains("-32602");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"overflow", "memory", "runtime", "assert"})
    void respondsOnceWhateverTheServiceThrows(String tool) throws IOException {
        try (var client = new InMemoryClient(service).initialize("2025-06-18")) {
            client.callTool("1", tool);
            assertThat(client.next())
                    .isEqualTo(
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,"
                                    + "\"message\":\"Internal error\"}}");
            client.callTool("2", "echo");
            assertThat(client.next()).contains("\"id\":2", "result");
        }
    }

    @Test
    void respondsWhenServiceLeavesThreadInterrupted() throws IOException {
        try (var client = new InMemoryClient(service).initialize("2025-06-18")) {
            client.callTool("1", "leaveInterrupted");
            assertThat(client.next()).contains("\"id\":1", "result");
        }
    }

    @Test
    void rejectsDuplicateRequestId() throws IOException {
        try (var client = new InMemoryClient(service).initialize("2025-06-18")) {
            client.callTool("1", "wait");
            client.callTool("1", "echo");
            assertThat(client.next()).contains("\"id\":1", "-32600");
            service.released.countDown();
            assertThat(client.next()).contains("\"id\":1", "result");
            client.callTool("1", "echo");
            assertThat(client.next()).contains("\"id\":1", "result");
        }
    }

    @Test
    void cancelledRequestGetsNoResponse() throws Exception {
        try (var client = new InMemoryClient(service).initialize("2025-06-18")) {
            client.callTool("1", "wait");
            client.sendExpectingNoResponse(cancelNotification("\"1\"")); // another id: a string
            assertThat(service.interrupted.getCount()).isOne();
            client.sendExpectingNoResponse(cancelNotification("1"));
            assertThat(service.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
            client.sendExpectingNoResponse(cancelNotification("1"));
            client.sendExpectingNoResponse(cancelNotification("99"));
            client.sendExpectingNoResponse(cancelNotification("null"));
            client.sendExpectingNoResponse(
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":[]}");
            service.released.countDown();
            client.callTool("1", "echo");
            assertThat(client.next()).contains("\"id\":1", "result");
        }
    }

    @Test
    void fastRequestsOvertakeSlowOnes() throws IOException {
        try (var client = new InMemoryClient(service).initialize("2025-06-18")) {
            client.callTool("1", "wait");
            client.callTool("2", "echo");
            assertThat(client.next()).contains("\"id\":2");
            service.released.countDown();
            assertThat(client.next()).contains("\"id\":1");
        }
    }

    @Test
    void sendsProgressBeforeResponse() throws IOException {
        try (var client = new InMemoryClient(service).initialize("2025-06-18")) {
            client.callTool("1", "progress");
            assertThat(client.next()).contains("notifications/progress");
            assertThat(client.next()).contains("\"id\":1");
        }
    }

    @Test
    void rejectsRequestsAboveTheLimit() throws IOException {
        try (var client = new InMemoryClient(service, 3).initialize("2025-06-18")) {
            for (int i = 1; i <= 5; i++) {
                client.callTool(Integer.toString(i), "wait");
            }
            assertThat(client.next()).contains("\"id\":4", "OVERLOADED");
            assertThat(client.next()).contains("\"id\":5", "OVERLOADED");
            service.released.countDown();
            Set<String> answered = new HashSet<>();
            for (int i = 0; i < 3; i++) {
                answered.add(client.nextTree().toString());
            }
            assertThat(answered).hasSize(3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-06-18", "2025-11-25"})
    void rejectsBatchExceptInRevision20250326(String version) throws IOException {
        try (var client = new InMemoryClient(service).initialize(version)) {
            assertThat(client.sendAndReceive("[" + request(1, "ping", "{}") + "]"))
                    .contains("\"id\":null", "-32600");
        }
    }

    @Test
    void respondsToBatchWithOneArray() throws IOException {
        try (var client = new InMemoryClient(service).initialize("2025-03-26")) {
            String batch =
                    "[%s,1,{\"jsonrpc\":\"2.0\",\"method\":\"x\"},%s,%s]"
                            .formatted(
                                    request(1, "ping", "{}"),
                                    request(2, "nope", "{}"),
                                    request(3, "tools/list", "{}"));
            assertThat(client.sendAndReceive(batch))
                    .startsWith("[")
                    .contains("\"id\":1,\"result\":{}", "-32601", "\"tools\":[]", "\"id\":null");
            client.sendExpectingNoResponse("[{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]");
            assertThat(client.sendAndReceive("[]")).startsWith("{").contains("-32600");
            assertThat(client.sendAndReceive("[" + initialize("\"2025-03-26\"") + "]"))
                    .contains("-32600");
        }
    }

    @Test
    void respondsToBatchWithCancelledRequest() throws IOException {
        try (var client = new InMemoryClient(service).initialize("2025-03-26")) {
            client.send(
                    "["
                            + request(1, "tools/call", "{\"name\":\"wait\"}")
                            + ","
                            + request(2, "tools/list", "{}")
                            + "]");
            client.sendExpectingNoResponse(request("x"));
            client.send(cancelNotification("1"));
            assertThat(client.next())
                    .startsWith("[")
                    .contains("\"id\":2")
                    .doesNotContain("\"id\":1");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":{}}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"tools/list\"}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/xyz\",\"params\":7}",
                "",
                " \t\r"
            })
    void doesNotRespondToNonRequests(String line) throws IOException {
        try (var client = new InMemoryClient(service).initialize("2025-06-18")) {
            client.sendExpectingNoResponse(line);
        }
    }

    @Test
    void rejectsTooLongLineUnderItsIdAndContinues() throws IOException {
        try (var client = new InMemoryClient(service).initialize("2025-06-18")) {
            String filler = "x".repeat(200_000);
            assertThat(
                            client.sendAndReceive(
                                    "{\"method\":\"tools/call\",\"params\":{\"a\":\""
                                            + filler
                                            + "\"},\"jsonrpc\":\"2.0\",\"id\":77}"))
                    .contains("\"id\":77", "-32600");
            client.sendExpectingNoResponse(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"" + filler + "\"}");
            assertThat(client.sendAndReceive(filler)).contains("\"id\":null", "-32600");
        }
    }

    @Test
    void respondsWithErrorWhenResultDoesNotFitIntoLine() throws IOException {
        try (var client = new InMemoryClient(service).initialize("2025-06-18")) {
            client.send(
                    request(
                            5,
                            "tools/call",
                            "{\"name\":\"echo\",\"arguments\":{\"a\":\""
                                    + "x".repeat(60_000)
                                    + "\"}}"));
            assertThat(client.next()).contains("\"id\":5", "-32603", "50,000");
        }
    }

    @Test
    void respondsToRequestsReadBeforeEndOfInput() throws IOException {
        try (var client = new InMemoryClient(service).initialize("2025-06-18")) {
            client.callTool("1", "wait");
            client.callTool("2", "echo");
            assertThat(client.next()).contains("\"id\":2");
            service.released.countDown();
            assertThat(client.next()).contains("\"id\":1");
            client.closeAndExpectEnd();
        }
    }

    @Test
    void rejectsUnfinishedRequestsAtEndOfInput() throws IOException {
        var client = new InMemoryClient(service).initialize("2025-06-18");
        client.callTool("1", "wait");
        client.close();
        assertThat(client.next()).contains("\"id\":1", "Shutting down");
    }

    @Test
    void notifiesLegacyClientOfChanges() throws IOException {
        try (var client = new InMemoryClient(service).initialize("2025-06-18")) {
            client.sendExpectingNoResponse(request("x"));
            service.listeners.forEach(listener -> listener.listChanged("tools"));
            assertThat(client.next()).contains("notifications/tools/list_changed");
        }
        assertThat(service.listeners).hasSize(1);
    }

    @Test
    void notifiesModernClientOfRequestedChanges() throws IOException {
        try (var client = new InMemoryClient(service)) {
            client.send(
                    request(
                            9,
                            "subscriptions/listen",
                            "{\"notifications\":{\"toolsListChanged\":true,"
                                    + "\"promptsListChanged\":true},"
                                    + MODERN
                                    + "}"));
            assertThat(client.next())
                    .contains("notifications/subscriptions/acknowledged", "subscriptionId\":9")
                    .contains("{\"toolsListChanged\":true}");
            while (service.listeners.isEmpty()) {
                Thread.onSpinWait();
            }
            service.listeners.forEach(listener -> listener.listChanged("prompts"));
            service.listeners.forEach(listener -> listener.listChanged("tools"));
            assertThat(client.next()).contains("tools/list_changed", "subscriptionId\":9");
            client.sendExpectingNoResponse(cancelNotification("9"));
        }
    }

    private static String initialize(String version) {
        return request(
                1,
                "initialize",
                "{\"protocolVersion\":"
                        + version
                        + ",\"capabilities\":{},"
                        + "\"clientInfo\":{\"name\":\"mcp-inspector\",\"version\":\"1\"}}");
    }

    private static String request(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}"
                .formatted(id, method, params);
    }

    private static String request(String notification) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"%s\"}".formatted(notification);
    }

    private static String cancelNotification(String id) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                + "\"params\":{\"requestId\":"
                + id
                + "}}";
    }
}
