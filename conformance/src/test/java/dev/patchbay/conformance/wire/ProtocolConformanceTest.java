package dev.patchbay.conformance.wire;

import static dev.patchbay.testkit.TrafficLine.received;
import static dev.patchbay.testkit.TrafficLine.sent;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.ExpectedResponse.SingleResponse;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;
import dev.patchbay.testkit.TrafficLine;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Set;

/**
 * Every message in and out is valid JSON-RPC 2.0 and fits the schema of its version; invalid ones
 * get an error. Versions are negotiated in {@link InitializationStateMachineTest}.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.patchbay.conformance.wire.WireMatrixCase#all")
class ProtocolConformanceTest {
    private static CheckedConversation conversation;

    @Parameter private WireMatrixCase matrixCase;

    @BeforeParameterizedClassInvocation
    static void open(WireMatrixCase cell) throws InterruptedException {
        conversation = CheckedConversation.open(cell);
    }

    @AfterParameterizedClassInvocation
    static void finish() throws InterruptedException {
        conversation.finishAndCheck();
    }

    /** PC1: this is checked of every line of every test; here, that the check can fail. */
    @Test
    void schemaCheckDetectsAnInvalidLine() {
        String list = conversation.request("5", "tools/list", "");
        for (String wrong :
                List.of(
                        "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"tools\":{}}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":5}",
                        "{\"jsonrpc\":\"2.0\",\"id\":true,\"result\":{}}",
                        "{\"id\":5,\"error\":{\"code\":-32600,\"message\":\"m\"}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":5,\"error\":{\"code\":1.5,\"message\":\"m\"}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":5,\"error\":{\"code\":1,\"message\":\"\"}}",
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/nonsense\"}",
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}")) {
            var history = List.of(TrafficLine.sent(list), TrafficLine.received(wrong));
            assertThat(SchemaCheck.violations(history, matrixCase.version()))
                    .as(wrong)
                    .isNotEmpty();
        }
    }

    /**
     * PC1: ids are used again, also while they are in use; tasks are in the schema of one version.
     */
    @Test
    void schemaCheckDetectsTheResponseToAnotherRequest() throws Exception {
        if (matrixCase.endpoint() == WireMatrixCase.Endpoint.REPL) {
            return; // it has no prompts
        }
        String tools = conversation.request("5", "tools/list", "");
        String prompts = conversation.request("5", "prompts/list", "");
        String listed =
                new String(
                        conversation.responsesTo(CheckedConversation.bytes(tools), 1).getFirst(),
                        UTF_8);
        String prompted =
                new String(
                        conversation.responsesTo(CheckedConversation.bytes(prompts), 1).getFirst(),
                        UTF_8);
        assertThat(
                        schemaViolations(
                                sent(tools), sent(prompts), received(prompted), received(listed)))
                .isEmpty();
        assertThat(schemaViolations(sent(tools), received(prompted))).isNotEmpty();
        assertThat(schemaViolations(sent(tools), received(listed), sent(prompts), received(listed)))
                .isNotEmpty();
        if (matrixCase.version().equals(WireMatrixCase.NEWEST_LEGACY)) {
            String call = conversation.request("5", "tools/call", "{\"name\":\"x\",\"task\":{}}");
            String begun = "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"task\":{}}}";
            assertThat(schemaViolations(sent(call), received(begun))).isNotEmpty();
            String told = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tasks/status\"}";
            assertThat(schemaViolations(received(told))).isNotEmpty();
        }
    }

    private List<String> schemaViolations(TrafficLine... history) {
        return SchemaCheck.violations(List.of(history), matrixCase.version());
    }

    /** PC2. */
    @Test
    void rejectsAnInvalidEnvelopeWithItsId() throws Exception {
        for (String version : List.of("\"1.0\"", "2.0", "\"2.00\"", "null", "\"\"", "[]", "2")) {
            String line = "{\"jsonrpc\":" + version + ",\"id\":7,\"method\":\"tools/list\"}";
            conversation.expectError(line, -32600, "7");
        }
        conversation.expectError("{\"id\":\"a\",\"method\":\"tools/list\"}", -32600, "\"a\"");
        conversation.expectError("{\"id\":7}", -32600, "7");
        conversation.expectError("{\"jsonrpc\":\"2.0\",\"id\":7}", -32600, "7");
        conversation.expectError(
                "{\"jsonrpc\":\"2.0\",\"ID\":7,\"Method\":\"ping\"}", -32600, "null");
        for (String method : List.of("5", "null", "[]", "{}", "true")) {
            conversation.expectError(
                    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":" + method + "}", -32600, "7");
        }
    }

    /** PC2. */
    @Test
    void matchesMethodNamesExactly() throws Exception {
        for (String method :
                List.of(
                        "",
                        "no/such",
                        "Tools/List",
                        "TOOLS/LIST",
                        "tools/lıst",
                        "tools/lİst",
                        "rpc.x",
                        "tools/list ",
                        " tools/list",
                        "tools/list\u0000",
                        "tools/list/",
                        "tools")) {
            conversation.expectError(conversation.request("7", method, ""), -32601, "7");
        }
        String escaped =
                conversation.request("7", "@", "").replace("\"@\"", "\"tools\\u002f\\u006cist\"");
        conversation.expectResult(escaped, "7");
        String named =
                conversation.request("7", "tools/list", "").replace("\"id\"", "\"\\u0069d\"");
        conversation.expectResult(named, "7");
    }

    /** PC3. */
    @Test
    void acceptsOnlyNamedParams() throws Exception {
        conversation.expectResult(conversation.request("7", "tools/list", ""), "7");
        conversation.expectResult(conversation.request("7", "tools/list", "{}"), "7");
        for (String method : List.of("tools/list", "tools/call")) {
            for (String params : List.of("[]", "[1]", "[{}]")) {
                conversation.expectError(ClientMessages.request("7", method, params), -32602, "7");
            }
            for (String params : List.of("\"x\"", "5", "true", "null")) {
                conversation.expectError(ClientMessages.request("7", method, params), -32600, "7");
            }
        }
    }

    /** PC4. */
    @Test
    void ignoresUnknownMembers() throws Exception {
        String plain = conversation.request("7", "tools/list", "");
        for (String more :
                List.of(
                        "\"x\":1",
                        "\"__proto__\":{\"method\":\"y\"}",
                        "\"constructor\":null",
                        "\"_meta\":{}",
                        "\"Id\":8,\"METHOD\":\"ping\"",
                        "\"\":\"\"")) {
            conversation.expectResult("{" + more + "," + plain.substring(1), "7");
        }
    }

    /** PC5. */
    @Test
    void rejectsDuplicateNames() throws Exception {
        String start = "{\"jsonrpc\":\"2.0\",\"id\":7,";
        for (String line :
                List.of(
                        start + "\"method\":\"ping\",\"method\":\"ping\"}",
                        start + "\"method\":\"ping\",\"\\u006dethod\":\"tools/list\"}",
                        start + "\"method\":\"ping\",\"jsonrpc\":\"2.0\"}",
                        start + "\"method\":\"ping\",\"params\":{},\"params\":{}}",
                        start + "\"method\":\"ping\",\"params\":{\"a\":1,\"\\u0061\":1}}",
                        start + "\"method\":\"ping\",\"params\":{\"a\":[{\"b\":1,\"b\":1}]}}",
                        start + "\"method\":\"ping\",\"x\":1,\"x\":1}")) {
            conversation.expectError(line, -32600, "7");
        }
        conversation.expectError(start + "\"id\":7,\"method\":\"ping\"}", -32600, "null");
        conversation.expectError(start + "\"id\":8,\"method\":\"ping\"}", -32600, "null");
    }

    /** PC6. */
    @Test
    void answersRequestsAndNeverResponses() throws Exception {
        conversation.expectResult(
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"result\":{}}", "7");
        for (String stray :
                List.of(
                        "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":null}",
                        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":1}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{},\"error\":{}}",
                        "{\"jsonrpc\":\"1.0\",\"id\":7,\"result\":{}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":1e9999999999,\"result\":{}}",
                        "{\"id\":{},\"result\":{}}",
                        "{\"error\":5}")) {
            conversation.expectNoResponse(stray);
        }
    }

    /** PC7. */
    @Test
    void answersPingInTheLegacyEraOnly() throws Exception {
        JsonTree pong = onlyResponse(ClientMessages.request("7", "ping", "{}"));
        assertThat(pong.at("result")).isEqualTo(new JsonTree.Obj(List.of()));
        String modern = ClientMessages.request("8", "ping", ClientMessages.modernParams(""));
        conversation.expectError(modern, -32601, "8");
    }

    /** PC9. */
    @Test
    void rejectsIncompleteModernMeta() throws Exception {
        for (String version : List.of("2025-11-25", "2099-01-01", "", "2026-07-28 ")) {
            String claim = modernMeta(StrictJson.quote(version), "{}");
            JsonTree answer = onlyResponse(ClientMessages.request("7", "tools/list", claim));
            assertThat(answer.at("error", "code").asLong()).as(version).isEqualTo(-32022);
            assertThat(answer.at("error", "data", "requested").asText()).isEqualTo(version);
            assertThat(answer.at("error", "data", "supported").asList())
                    .contains(new JsonTree.Str(ClientMessages.MODERN));
        }
        for (String version : List.of("5", "null", "[]", "{}")) {
            conversation.expectError(
                    ClientMessages.request("7", "tools/list", modernMeta(version, "{}")),
                    -32602,
                    "7");
        }
        String right = StrictJson.quote(ClientMessages.MODERN);
        for (String capabilities : List.of("5", "null", "[]", "\"x\"")) {
            String params = modernMeta(right, capabilities);
            conversation.expectError(
                    ClientMessages.request("7", "server/discover", params), -32602, "7");
        }
        String bare =
                "{\"_meta\":{" + StrictJson.quote(ClientMessages.VERSION_KEY) + ":" + right + "}}";
        conversation.expectError(ClientMessages.request("7", "tools/list", bare), -32602, "7");
        conversation.expectResult(
                ClientMessages.request("7", "tools/list", modernMeta(right, "{}")), "7");
        for (String meta : List.of("5", "null", "[]", "\"x\"")) {
            String params = "{\"_meta\":" + meta + "}";
            int code = matrixCase.isModern() ? -32600 : -32602;
            conversation.expectError(ClientMessages.request("7", "tools/list", params), code, "7");
        }
    }

    /** PC9: a modern client may ask at any time, whatever else is said on the connection. */
    @Test
    void answersServerDiscoverForAModernClient() throws Exception {
        JsonTree answer =
                onlyResponse(
                        ClientMessages.request(
                                "7", "server/discover", ClientMessages.modernParams("")));
        assertThat(answer.at("result", "supportedVersions").asList())
                .contains(new JsonTree.Str(ClientMessages.MODERN));
        assertThat(answer.at("result", "resultType").asText()).isEqualTo("complete");
        assertThat(answer.at("result", "capabilities").has("tools")).isTrue();
    }

    /** PC10, as far as it needs no servers. */
    @Test
    void listsAreStableAndUnknownCursorsAreRejected() throws Exception {
        JsonTree first = onlyResponse(conversation.request("7", "tools/list", ""));
        assertThat(onlyResponse(conversation.request("7", "tools/list", ""))).isEqualTo(first);
        for (String cursor : List.of("5", "[]", "{}", "null", "true")) {
            String params = "{\"cursor\":" + cursor + "}";
            conversation.expectError(conversation.request("7", "tools/list", params), -32602, "7");
        }
        conversation.expectError(
                conversation.request("7", "tools/list", "{\"cursor\":\"never given\"}"),
                -32602,
                "7");
    }

    /** Batches are for one version; everywhere else they are one invalid request. */
    @Test
    void answersBatchesOnlyWhereTheVersionHasThem() throws Exception {
        String list = conversation.request("1", "tools/list", "");
        String note = ClientMessages.notification("notifications/x", "");
        conversation.expectError("[]", -32600, "null");
        if (matrixCase.allowsBatches()) {
            String ping = ClientMessages.request("\"p\"", "ping", "");
            JsonTree array = onlyResponse("[" + list + "," + note + ",5," + ping + "]");
            assertThat(array.asList()).hasSize(3);
            byte[] mixed = CheckedConversation.bytes("[" + list + "," + note + ",{},[]]");
            conversation.expect(mixed, conversation.oracle().expect(mixed));
            conversation.expectNoResponse("[" + note + "]");
            conversation.expectNoResponse(
                    "[" + note + ",{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}]");
            assertThat(onlyResponse("[1]").at(0, "error", "code").asLong()).isEqualTo(-32600);
        } else {
            for (String batch : List.of("[1]", "[" + list + "]", "[" + note + "]", "[[]]")) {
                conversation.expectError(batch, -32600, "null");
            }
        }
    }

    /** The request is answered as if it were alone, in the shape of its own era. */
    @Test
    void servesBothErasOnOneConnection() throws Exception {
        JsonTree modern =
                onlyResponse(
                        ClientMessages.request("7", "tools/list", ClientMessages.modernParams("")));
        assertThat(modern.at("result", "resultType").asText()).isEqualTo("complete");
        assertThat(modern.at("result").has("ttlMs")).isTrue();
        var legacy =
                new SingleResponse(
                        Set.of("8"),
                        matrixCase.isModern() ? Set.of(-32600) : Set.of(),
                        !matrixCase.isModern(),
                        false);
        conversation.expect(ClientMessages.request("8", "tools/list", ""), legacy);
        if (!matrixCase.isModern()) {
            JsonTree answer = onlyResponse(ClientMessages.request("9", "tools/list", "{}"));
            assertThat(answer.at("result").has("resultType")).isFalse();
        }
    }

    private static JsonTree onlyResponse(String line) throws InterruptedException {
        List<byte[]> answers = conversation.responsesTo(CheckedConversation.bytes(line), 1);
        assertThat(answers).as(line).hasSize(1);
        return StrictJson.parse(answers.getFirst());
    }

    private static String modernMeta(String version, String capabilities) {
        return "{\"_meta\":{"
                + StrictJson.quote(ClientMessages.VERSION_KEY)
                + ":"
                + version
                + ","
                + StrictJson.quote(ClientMessages.CAPABILITIES_KEY)
                + ":"
                + capabilities
                + "}}";
    }
}
