package dev.patchbay.conformance.wire;

import static dev.patchbay.testkit.Traffic.received;
import static dev.patchbay.testkit.Traffic.sent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.patchbay.testkit.Expectation.Answer;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.StrictJson;
import dev.patchbay.testkit.TestData;
import dev.patchbay.testkit.Traffic;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Set;

/**
 * Every message in and out is valid JSON-RPC 2.0 and fits the official schema of its version;
 * invalid ones get an error. Versions are negotiated in {@link InitializationStateMachineTest}.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.patchbay.conformance.wire.Cell#all")
class ProtocolConformanceTest {
    private static Talk talk;

    @Parameter private Cell cell;

    @BeforeParameterizedClassInvocation
    static void open(Cell cell) throws InterruptedException {
        talk = Talk.open(cell);
    }

    @AfterParameterizedClassInvocation
    static void finish() throws InterruptedException {
        talk.finish();
    }

    /** PC1: this is checked of every line of every test; here, that the check can fail. */
    @Test
    void wouldNoticeALineThatDoesNotFitTheSchema() {
        assumeThat(TestData.find("mcp-schema")).as(TestData.MISSING).isPresent();
        String list = talk.request("5", "tools/list", "");
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
            var history = List.of(Traffic.sent(list), Traffic.received(wrong));
            assertThat(SchemaCheck.faults(history, cell.version())).as(wrong).isNotEmpty();
        }
    }

    /**
     * PC1: ids are used again, also while they are in use; tasks are in the schema of one version.
     */
    @Test
    void wouldNoticeTheAnswerToAnotherRequest() throws Exception {
        assumeThat(TestData.find("mcp-schema")).as(TestData.MISSING).isPresent();
        if (cell.endpoint() == Cell.Endpoint.REPL) {
            return; // it has no prompts
        }
        String tools = talk.request("5", "tools/list", "");
        String prompts = talk.request("5", "prompts/list", "");
        String listed = new String(talk.answersTo(Talk.bytes(tools), 1).getFirst(), UTF_8);
        String prompted = new String(talk.answersTo(Talk.bytes(prompts), 1).getFirst(), UTF_8);
        assertThat(faults(sent(tools), sent(prompts), received(prompted), received(listed)))
                .isEmpty();
        assertThat(faults(sent(tools), received(prompted))).isNotEmpty();
        assertThat(faults(sent(tools), received(listed), sent(prompts), received(listed)))
                .isNotEmpty();
        if (cell.version().equals(Cell.NEWEST_LEGACY)) {
            String call = talk.request("5", "tools/call", "{\"name\":\"x\",\"task\":{}}");
            String begun = "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"task\":{}}}";
            assertThat(faults(sent(call), received(begun))).isNotEmpty();
            String told = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tasks/status\"}";
            assertThat(faults(received(told))).isNotEmpty();
        }
    }

    private List<String> faults(Traffic... history) {
        return SchemaCheck.faults(List.of(history), cell.version());
    }

    /** PC2. */
    @Test
    void refusesAnEnvelopeThatIsWrongUnderItsId() throws Exception {
        for (String version : List.of("\"1.0\"", "2.0", "\"2.00\"", "null", "\"\"", "[]", "2")) {
            String line = "{\"jsonrpc\":" + version + ",\"id\":7,\"method\":\"tools/list\"}";
            talk.expectError(line, -32600, "7");
        }
        talk.expectError("{\"id\":\"a\",\"method\":\"tools/list\"}", -32600, "\"a\"");
        talk.expectError("{\"id\":7}", -32600, "7");
        talk.expectError("{\"jsonrpc\":\"2.0\",\"id\":7}", -32600, "7");
        talk.expectError("{\"jsonrpc\":\"2.0\",\"ID\":7,\"Method\":\"ping\"}", -32600, "null");
        for (String method : List.of("5", "null", "[]", "{}", "true")) {
            talk.expectError(
                    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":" + method + "}", -32600, "7");
        }
    }

    /** PC2. */
    @Test
    void knowsMethodsByTheirExactNames() throws Exception {
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
            talk.expectError(talk.request("7", method, ""), -32601, "7");
        }
        String escaped = talk.request("7", "@", "").replace("\"@\"", "\"tools\\u002f\\u006cist\"");
        talk.expectResult(escaped, "7");
        String named = talk.request("7", "tools/list", "").replace("\"id\"", "\"\\u0069d\"");
        talk.expectResult(named, "7");
    }

    /** PC3. */
    @Test
    void takesParamsByNameOnly() throws Exception {
        talk.expectResult(talk.request("7", "tools/list", ""), "7");
        talk.expectResult(talk.request("7", "tools/list", "{}"), "7");
        for (String method : List.of("tools/list", "tools/call")) {
            for (String params : List.of("[]", "[1]", "[{}]")) {
                talk.expectError(Messages.request("7", method, params), -32602, "7");
            }
            for (String params : List.of("\"x\"", "5", "true", "null")) {
                talk.expectError(Messages.request("7", method, params), -32600, "7");
            }
        }
    }

    /** PC4. */
    @Test
    void ignoresMembersItDoesNotKnow() throws Exception {
        String plain = talk.request("7", "tools/list", "");
        for (String more :
                List.of(
                        "\"x\":1",
                        "\"__proto__\":{\"method\":\"y\"}",
                        "\"constructor\":null",
                        "\"_meta\":{}",
                        "\"Id\":8,\"METHOD\":\"ping\"",
                        "\"\":\"\"")) {
            talk.expectResult("{" + more + "," + plain.substring(1), "7");
        }
    }

    /** PC5. */
    @Test
    void refusesNamesThatStandTwice() throws Exception {
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
            talk.expectError(line, -32600, "7");
        }
        talk.expectError(start + "\"id\":7,\"method\":\"ping\"}", -32600, "null");
        talk.expectError(start + "\"id\":8,\"method\":\"ping\"}", -32600, "null");
    }

    /** PC6. */
    @Test
    void answersRequestsAndNeverResponses() throws Exception {
        talk.expectResult("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"result\":{}}", "7");
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
            talk.expectSilence(stray);
        }
    }

    /** PC7. */
    @Test
    void pingsInTheLegacyEraOnly() throws Exception {
        JsonTree pong = only(Messages.request("7", "ping", "{}"));
        assertThat(pong.at("result")).isEqualTo(new JsonTree.Obj(List.of()));
        String modern = Messages.request("8", "ping", Messages.modernParams(""));
        talk.expectError(modern, -32601, "8");
    }

    /** PC9. */
    @Test
    void refusesAClaimThatIsNotWhole() throws Exception {
        for (String version : List.of("2025-11-25", "2099-01-01", "", "2026-07-28 ")) {
            String claim = claim(StrictJson.quote(version), "{}");
            JsonTree answer = only(Messages.request("7", "tools/list", claim));
            assertThat(answer.at("error", "code").integer()).as(version).isEqualTo(-32022);
            assertThat(answer.at("error", "data", "requested").text()).isEqualTo(version);
            assertThat(answer.at("error", "data", "supported").list())
                    .contains(new JsonTree.Str(Messages.MODERN));
        }
        for (String version : List.of("5", "null", "[]", "{}")) {
            talk.expectError(
                    Messages.request("7", "tools/list", claim(version, "{}")), -32602, "7");
        }
        String right = StrictJson.quote(Messages.MODERN);
        for (String capabilities : List.of("5", "null", "[]", "\"x\"")) {
            String params = claim(right, capabilities);
            talk.expectError(Messages.request("7", "server/discover", params), -32602, "7");
        }
        String bare = "{\"_meta\":{" + StrictJson.quote(Messages.VERSION_KEY) + ":" + right + "}}";
        talk.expectError(Messages.request("7", "tools/list", bare), -32602, "7");
        talk.expectResult(Messages.request("7", "tools/list", claim(right, "{}")), "7");
        for (String meta : List.of("5", "null", "[]", "\"x\"")) {
            String params = "{\"_meta\":" + meta + "}";
            int code = cell.modern() ? -32600 : -32602;
            talk.expectError(Messages.request("7", "tools/list", params), code, "7");
        }
    }

    /** PC9: a modern client may ask at any time, whatever else is said on the connection. */
    @Test
    void discoversForAModernClient() throws Exception {
        JsonTree answer = only(Messages.request("7", "server/discover", Messages.modernParams("")));
        assertThat(answer.at("result", "supportedVersions").list())
                .contains(new JsonTree.Str(Messages.MODERN));
        assertThat(answer.at("result", "resultType").text()).isEqualTo("complete");
        assertThat(answer.at("result", "capabilities").has("tools")).isTrue();
    }

    /** PC10, as far as it needs no servers. */
    @Test
    void listsTheSameEachTimeAndRefusesACursorThatIsNone() throws Exception {
        JsonTree first = only(talk.request("7", "tools/list", ""));
        assertThat(only(talk.request("7", "tools/list", ""))).isEqualTo(first);
        for (String cursor : List.of("5", "[]", "{}", "null", "true")) {
            String params = "{\"cursor\":" + cursor + "}";
            talk.expectError(talk.request("7", "tools/list", params), -32602, "7");
        }
        talk.expectError(
                talk.request("7", "tools/list", "{\"cursor\":\"never given\"}"), -32602, "7");
    }

    /** Batches are for one version; everywhere else they are one invalid request. */
    @Test
    void answersBatchesWhereTheVersionHasThem() throws Exception {
        String list = talk.request("1", "tools/list", "");
        String note = Messages.notification("notifications/x", "");
        talk.expectError("[]", -32600, "null");
        if (cell.batches()) {
            String ping = Messages.request("\"p\"", "ping", "");
            JsonTree array = only("[" + list + "," + note + ",5," + ping + "]");
            assertThat(array.list()).hasSize(3);
            byte[] mixed = Talk.bytes("[" + list + "," + note + ",{},[]]");
            talk.expect(mixed, talk.oracle().expect(mixed));
            talk.expectSilence("[" + note + "]");
            talk.expectSilence("[" + note + ",{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}]");
            assertThat(only("[1]").at(0, "error", "code").integer()).isEqualTo(-32600);
        } else {
            for (String batch : List.of("[1]", "[" + list + "]", "[" + note + "]", "[[]]")) {
                talk.expectError(batch, -32600, "null");
            }
        }
    }

    /** The request is answered as if it were alone, in the shape of its own era. */
    @Test
    void servesBothErasOnOneConnection() throws Exception {
        JsonTree modern = only(Messages.request("7", "tools/list", Messages.modernParams("")));
        assertThat(modern.at("result", "resultType").text()).isEqualTo("complete");
        assertThat(modern.at("result").has("ttlMs")).isTrue();
        var legacy =
                new Answer(
                        Set.of("8"),
                        cell.modern() ? Set.of(-32600) : Set.of(),
                        !cell.modern(),
                        false);
        talk.expect(Messages.request("8", "tools/list", ""), legacy);
        if (!cell.modern()) {
            JsonTree answer = only(Messages.request("9", "tools/list", "{}"));
            assertThat(answer.at("result").has("resultType")).isFalse();
        }
    }

    private static JsonTree only(String line) throws InterruptedException {
        List<byte[]> answers = talk.answersTo(Talk.bytes(line), 1);
        assertThat(answers).as(line).hasSize(1);
        return StrictJson.parse(answers.getFirst());
    }

    private static String claim(String version, String capabilities) {
        return "{\"_meta\":{"
                + StrictJson.quote(Messages.VERSION_KEY)
                + ":"
                + version
                + ","
                + StrictJson.quote(Messages.CAPABILITIES_KEY)
                + ":"
                + capabilities
                + "}}";
    }
}
