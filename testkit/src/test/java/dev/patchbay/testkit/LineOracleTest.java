package dev.patchbay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ExpectedResponse.BatchResponse;
import dev.patchbay.testkit.ExpectedResponse.NoResponse;
import dev.patchbay.testkit.ExpectedResponse.SingleResponse;
import dev.patchbay.testkit.TestData.JsonSuiteFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Set;

class LineOracleTest {
    private static final LineOracle LEGACY = LineOracle.legacy("2025-11-25", "echo");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{not json}                                                  | null | -32700",
                "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"x\"              | null | -32700",
                "42                                                          | null | -32600",
                "{}                                                          | null | -32600",
                "[]                                                          | null | -32600",
                "{\"id\":1,\"method\":\"ping\"}                              | 1    | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":1}                              | 1    | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}       | null | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}        | null | -32600",
                "{\"jsonrpc\":\"2.0\",\"method\":7}                          | null | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":\"7\",\"method\":\"no\"}        | \"7\" | -32601",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":[]} | 1 |"
                        + " -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":null}     | 1 |"
                        + " -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}    | 1    | -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}    | 1    | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":1,\"a\":1}} |"
                        + " 1 | -32600",
            })
    void predictsErrorCodeAndId(String line, String id, int code) {
        assertThat(expect(LEGACY, line))
                .isEqualTo(new SingleResponse(Set.of(id), Set.of(code), false, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " \t\r",
                "{\"jsonrpc\":\"2.0\",\"method\":\"tools/list\"}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"nope\",\"params\":5}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}",
                "{\"id\":null,\"error\":{},\"error\":{}}",
            })
    void predictsSilence(String line) {
        assertThat(expect(LEGACY, line)).isEqualTo(new NoResponse());
    }

    @ParameterizedTest
    @CsvSource({
        "0, true",
        "-0, true",
        "1.0, true",
        "1e2, true",
        "1E+2, true",
        "10e-1, true",
        "1e22, true",
        "0e999999999, true",
        "-0.0, true",
        "123456789012345678901234567890, true",
        "1.5, false",
        "1e23, false",
        "1e400, false",
        "1e-1, false",
        "1e999999999999, false",
    })
    void acceptsNumbersThatAreIntegers(String number, boolean legal) {
        var answer = (SingleResponse) expect(LEGACY, ClientMessages.request(number, "ping", ""));
        assertThat(answer.ids()).containsExactly(legal ? number : "null");
        assertThat(answer.mayBeResult()).isEqualTo(legal);
    }

    @Test
    void countsDepthFromOne() {
        assertThat(expectsResult(nestedRequest(LineOracle.DEPTH_MAX))).isTrue();
        assertThat(expectsResult(nestedRequest(LineOracle.DEPTH_MAX + 1))).isFalse();
        assertThat(((SingleResponse) expect(LEGACY, nestedRequest(LineOracle.DEPTH_MAX + 1))).ids())
                .containsExactly("7");
    }

    @Test
    void countsBytesUpToTheLimit() {
        byte[] longest = SampleLines.requestOfLength("7", LineOracle.LINE_BYTES_MAX);
        byte[] longer = SampleLines.requestOfLength("7", LineOracle.LINE_BYTES_MAX + 1);
        assertThat(((SingleResponse) LEGACY.expect(longest)).mayBeResult()).isTrue();
        assertThat(LEGACY.expect(longer))
                .isEqualTo(new SingleResponse(Set.of("7"), Set.of(-32600), false, false));
    }

    @Test
    void dependsOnTheSession() {
        String list = ClientMessages.request("1", "tools/list", "");
        String initialize =
                ClientMessages.request(
                        "1", "initialize", ClientMessages.initializeParams("2025-11-25"));
        assertThat(expectsResult(LineOracle.uninitialized(), list)).isFalse();
        assertThat(expectsResult(LineOracle.uninitialized(), initialize)).isTrue();
        assertThat(expectsResult(LEGACY, list)).isTrue();
        assertThat(expectsResult(LEGACY, initialize)).isFalse();
        String modern = ClientMessages.request("1", "tools/list", ClientMessages.modernParams(""));
        for (var oracle : List.of(LEGACY, LineOracle.modern(), LineOracle.uninitialized())) {
            assertThat(expectsResult(oracle, modern)).isTrue();
        }
        String modernPing = ClientMessages.request("1", "ping", ClientMessages.modernParams(""));
        assertThat(((SingleResponse) expect(LEGACY, modernPing)).codes()).containsExactly(-32601);
    }

    @Test
    void knowsTheToolsOfTheEndpoint() {
        String known =
                ClientMessages.request("1", "tools/call", ClientMessages.callParams("echo", "{}"));
        String unknown =
                ClientMessages.request("1", "tools/call", ClientMessages.callParams("nope", "{}"));
        assertThat(expectsResult(LEGACY, known)).isTrue();
        assertThat(expectsResult(LEGACY, unknown)).isFalse();
    }

    @Test
    void allowsBatchesInOneVersionOnly() {
        String batch = "[" + ClientMessages.request("1", "ping", "") + ",5]";
        assertThat(expect(LEGACY, batch))
                .isEqualTo(new SingleResponse(Set.of("null"), Set.of(-32600), false, false));
        var old = LineOracle.legacy("2025-03-26");
        var expected = expect(old, batch);
        assertThat(expected).isInstanceOf(BatchResponse.class);
        String right =
                "[{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"m\"}},"
                        + "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]";
        assertThat(expected.mismatch(List.of(StrictJson.parse(right)))).isEmpty();
        assertThat(expected.mismatch(List.of(StrictJson.parse("[]")))).isPresent();
        assertThat(expect(old, "[" + ClientMessages.notification("x", "") + "]"))
                .isEqualTo(new NoResponse());
    }

    @Test
    void reportsEveryWrongResponse() {
        var expected = expect(LEGACY, ClientMessages.request("7", "ping", ""));
        assertThat(hasMismatch(expected, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}")).isFalse();
        for (String wrong :
                List.of(
                        "{\"jsonrpc\":\"2.0\",\"id\":\"7\",\"result\":{}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":7.0,\"result\":{}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":null}",
                        "{\"jsonrpc\":\"2.0\",\"id\":7}",
                        "{\"id\":7,\"result\":{}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-1,\"message\":\"m\"}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{},\"error\":{}}")) {
            assertThat(hasMismatch(expected, wrong)).as(wrong).isTrue();
        }
        assertThat(expected.mismatch(List.of())).isPresent();
    }

    @Test
    void agreesWithTheJsonSamples() {
        List<JsonSuiteFile> cases = TestData.jsonSuiteFiles();
        for (JsonSuiteFile one : cases) {
            if (one.hasSeveralLines()) {
                continue;
            }
            ExpectedResponse expected = LEGACY.expect(one.line());
            if (one.isBlank()) {
                assertThat(expected).as(one.name()).isEqualTo(new NoResponse());
            } else {
                var answer = (SingleResponse) expected;
                assertThat(one.allowedCodes()).as(one.name()).containsAll(answer.codes());
                assertThat(answer.mayBeResult()).as(one.name()).isFalse();
            }
        }
    }

    private static ExpectedResponse expect(LineOracle oracle, String line) {
        return oracle.expect(Utf8Text.encode(line));
    }

    private static boolean expectsResult(String line) {
        return expectsResult(LEGACY, line);
    }

    private static boolean expectsResult(LineOracle oracle, String line) {
        return ((SingleResponse) expect(oracle, line)).mayBeResult();
    }

    private static boolean hasMismatch(ExpectedResponse expected, String answer) {
        return expected.mismatch(List.of(StrictJson.parse(answer))).isPresent();
    }

    /** A request of exactly this depth. */
    private static String nestedRequest(int depth) {
        String nested = "[".repeat(depth - 2) + "]".repeat(depth - 2);
        return ClientMessages.request("7", "ping", "{\"x\":" + nested + "}");
    }
}
