package dev.patchbay.front;

import static dev.patchbay.front.Conversation.MODERN;

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

class FrontTest {
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
    void negotiatesTheVersion(String asked, String agreed) throws IOException {
        try (var client = new Conversation(service)) {
            assertThat(client.ask(initialize("\"" + asked + "\""))).contains("\"" + agreed + "\"");
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
    void staysUninitializedAfterABadHandshake(String params) throws IOException {
        try (var client = new Conversation(service)) {
            String named = params.replace("ME", "{\"name\":\"a\",\"version\":\"1\"}");
            assertThat(client.ask(request(1, "initialize", named))).contains("-32602");
            assertThat(client.ask(request(2, "tools/list", "{}"))).contains("-32600");
            client.initialized("2025-06-18");
            assertThat(client.ask(request(3, "tools/list", "{}"))).contains("\"tools\":[]");
        }
    }

    @Test
    void refusesASecondHandshakeAndKeepsTheSession() throws IOException {
        try (var client = new Conversation(service).initialized("2025-06-18")) {
            assertThat(client.ask(initialize("\"2025-06-18\""))).contains("-32600", "already");
            assertThat(client.ask(request(3, "tools/list", "{}"))).contains("\"tools\":[]");
        }
    }

    @Test
    void servesWhatFollowsTheHandshakeInTheSameWrite() throws IOException {
        try (var client = new Conversation(service)) {
            client.send(initialize("\"2025-06-18\"") + "\n" + request(2, "tools/list", "{}"));
            assertThat(client.next()).contains("protocolVersion");
            assertThat(client.next()).contains("\"tools\":[]");
        }
    }

    @Test
    void servesModernRequestsWithoutAHandshakeAndBesideOne() throws IOException {
        try (var client = new Conversation(service)) {
            String list = request(1, "tools/list", "{" + MODERN + "}");
            assertThat(client.ask(list))
                    .contains(
                            "\"resultType\":\"complete\"",
                            "\"ttlMs\":0",
                            "\"cacheScope\":\"private\"")
                    .contains("io.modelcontextprotocol/serverInfo");
            client.initialized("2025-06-18");
            assertThat(client.ask(list)).contains("resultType");
            assertThat(client.ask(request(2, "tools/list", "{}"))).doesNotContain("resultType");
            assertThat(client.ask(request(3, "server/discover", "{" + MODERN + "}")))
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
    void refusesBadModernRequests(String method, String meta, String code) throws IOException {
        try (var client = new Conversation(service)) {
            String spelled =
                    meta.replace("@V", MetaKeys.PROTOCOL_VERSION)
                            .replace("@C", MetaKeys.CLIENT_CAPABILITIES);
            String params = "{\"_meta\":" + spelled + "}";
            assertThat(client.ask(request(1, method, params))).contains(code);
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
    void refusesBadParamsOfACall(String params) throws IOException {
        try (var client = new Conversation(service).initialized("2025-11-25")) {
            assertThat(client.ask(request(1, "tools/call", params))).contains("-32602");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"overflow", "memory", "runtime", "assert"})
    void answersOnceWhateverAHandlerThrows(String tool) throws IOException {
        try (var client = new Conversation(service).initialized("2025-06-18")) {
            client.call("1", tool);
            assertThat(client.next())
                    .isEqualTo(
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,"
                                    + "\"message\":\"Internal error\"}}");
            client.call("2", "echo");
            assertThat(client.next()).contains("\"id\":2", "result");
        }
    }

    @Test
    void answersARequestWhoseThreadWasLeftInterrupted() throws IOException {
        try (var client = new Conversation(service).initialized("2025-06-18")) {
            client.call("1", "leaveInterrupted");
            assertThat(client.next()).contains("\"id\":1", "result");
        }
    }

    @Test
    void refusesTheSecondOfTwoRequestsWithOneId() throws IOException {
        try (var client = new Conversation(service).initialized("2025-06-18")) {
            client.call("1", "wait");
            client.call("1", "echo");
            assertThat(client.next()).contains("\"id\":1", "-32600");
            service.released.countDown();
            assertThat(client.next()).contains("\"id\":1", "result");
            client.call("1", "echo");
            assertThat(client.next()).contains("\"id\":1", "result");
        }
    }

    @Test
    void answersNothingToACancelledRequest() throws Exception {
        try (var client = new Conversation(service).initialized("2025-06-18")) {
            client.call("1", "wait");
            client.silent(cancel("\"1\"")); // another id: a string
            assertThat(service.interrupted.getCount()).isOne();
            client.silent(cancel("1"));
            assertThat(service.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
            client.silent(cancel("1"));
            client.silent(cancel("99"));
            client.silent(cancel("null"));
            client.silent(
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":[]}");
            service.released.countDown();
            client.call("1", "echo");
            assertThat(client.next()).contains("\"id\":1", "result");
        }
    }

    @Test
    void letsFastRequestsPassSlowOnes() throws IOException {
        try (var client = new Conversation(service).initialized("2025-06-18")) {
            client.call("1", "wait");
            client.call("2", "echo");
            assertThat(client.next()).contains("\"id\":2");
            service.released.countDown();
            assertThat(client.next()).contains("\"id\":1");
        }
    }

    @Test
    void sendsProgressBeforeTheAnswer() throws IOException {
        try (var client = new Conversation(service).initialized("2025-06-18")) {
            client.call("1", "progress");
            assertThat(client.next()).contains("notifications/progress");
            assertThat(client.next()).contains("\"id\":1");
        }
    }

    @Test
    void refusesWhatIsTooMuchAtATime() throws IOException {
        try (var client = new Conversation(service, 3).initialized("2025-06-18")) {
            for (int i = 1; i <= 5; i++) {
                client.call(Integer.toString(i), "wait");
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
    void refusesABatchOutsideTheOneRevisionThatHasIt(String version) throws IOException {
        try (var client = new Conversation(service).initialized(version)) {
            assertThat(client.ask("[" + request(1, "ping", "{}") + "]"))
                    .contains("\"id\":null", "-32600");
        }
    }

    @Test
    void answersABatchWithOneArray() throws IOException {
        try (var client = new Conversation(service).initialized("2025-03-26")) {
            String batch =
                    "[%s,1,{\"jsonrpc\":\"2.0\",\"method\":\"x\"},%s,%s]"
                            .formatted(
                                    request(1, "ping", "{}"),
                                    request(2, "nope", "{}"),
                                    request(3, "tools/list", "{}"));
            assertThat(client.ask(batch))
                    .startsWith("[")
                    .contains("\"id\":1,\"result\":{}", "-32601", "\"tools\":[]", "\"id\":null");
            client.silent("[{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]");
            assertThat(client.ask("[]")).startsWith("{").contains("-32600");
            assertThat(client.ask("[" + initialize("\"2025-03-26\"") + "]")).contains("-32600");
        }
    }

    @Test
    void answersABatchOneOfWhichWasCancelled() throws IOException {
        try (var client = new Conversation(service).initialized("2025-03-26")) {
            client.send(
                    "["
                            + request(1, "tools/call", "{\"name\":\"wait\"}")
                            + ","
                            + request(2, "tools/list", "{}")
                            + "]");
            client.silent(request("x"));
            client.send(cancel("1"));
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
    void staysSilent(String line) throws IOException {
        try (var client = new Conversation(service).initialized("2025-06-18")) {
            client.silent(line);
        }
    }

    @Test
    void refusesALineBeyondTheLimitUnderItsIdAndGoesOn() throws IOException {
        try (var client = new Conversation(service).initialized("2025-06-18")) {
            String filler = "x".repeat(200_000);
            assertThat(
                            client.ask(
                                    "{\"method\":\"tools/call\",\"params\":{\"a\":\""
                                            + filler
                                            + "\"},\"jsonrpc\":\"2.0\",\"id\":77}"))
                    .contains("\"id\":77", "-32600");
            client.silent("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"" + filler + "\"}");
            assertThat(client.ask(filler)).contains("\"id\":null", "-32600");
        }
    }

    @Test
    void answersWithAnErrorWhatWouldNotFitIntoALine() throws IOException {
        try (var client = new Conversation(service).initialized("2025-06-18")) {
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
    void answersWhatWasReadBeforeTheEnd() throws IOException {
        try (var client = new Conversation(service).initialized("2025-06-18")) {
            client.call("1", "wait");
            client.call("2", "echo");
            assertThat(client.next()).contains("\"id\":2");
            service.released.countDown();
            assertThat(client.next()).contains("\"id\":1");
            client.end();
        }
    }

    @Test
    void refusesAtTheEndWhatIsStillAtWork() throws IOException {
        var client = new Conversation(service).initialized("2025-06-18");
        client.call("1", "wait");
        client.close();
        assertThat(client.next()).contains("\"id\":1", "Shutting down");
    }

    @Test
    void tellsALegacyClientOfChanges() throws IOException {
        try (var client = new Conversation(service).initialized("2025-06-18")) {
            client.silent(request("x"));
            service.listeners.forEach(listener -> listener.listChanged("tools"));
            assertThat(client.next()).contains("notifications/tools/list_changed");
        }
        assertThat(service.listeners).hasSize(1);
    }

    @Test
    void tellsAListeningModernClientWhatItAskedFor() throws IOException {
        try (var client = new Conversation(service)) {
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
            client.silent(cancel("9"));
        }
    }

    private static String initialize(String version) {
        return request(
                1,
                "initialize",
                "{\"protocolVersion\":"
                        + version
                        + ",\"capabilities\":{},"
                        + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}");
    }

    private static String request(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}"
                .formatted(id, method, params);
    }

    private static String request(String notification) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"%s\"}".formatted(notification);
    }

    private static String cancel(String id) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                + "\"params\":{\"requestId\":"
                + id
                + "}}";
    }
}
