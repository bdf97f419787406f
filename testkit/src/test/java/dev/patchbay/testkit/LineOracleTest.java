package dev.patchbay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.patchbay.testkit.Expectation.Answer;
import dev.patchbay.testkit.Expectation.Batch;
import dev.patchbay.testkit.Expectation.Silence;
import dev.patchbay.testkit.TestData.JsonCase;

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
    void namesTheErrorAndTheId(String line, String id, int code) {
        assertThat(expect(LEGACY, line))
                .isEqualTo(new Answer(Set.of(id), Set.of(code), false, false));
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
    void knowsWhatIsNeverAnswered(String line) {
        assertThat(expect(LEGACY, line)).isEqualTo(new Silence());
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
        var answer = (Answer) expect(LEGACY, Messages.request(number, "ping", ""));
        assertThat(answer.ids()).containsExactly(legal ? number : "null");
        assertThat(answer.result()).isEqualTo(legal);
    }

    @Test
    void countsDepthFromOne() {
        assertThat(result(deep(LineOracle.DEPTH_MAX))).isTrue();
        assertThat(result(deep(LineOracle.DEPTH_MAX + 1))).isFalse();
        assertThat(((Answer) expect(LEGACY, deep(LineOracle.DEPTH_MAX + 1))).ids())
                .containsExactly("7");
    }

    @Test
    void countsBytesUpToTheLimit() {
        byte[] longest = Samples.requestOfLength("7", LineOracle.LINE_BYTES_MAX);
        byte[] longer = Samples.requestOfLength("7", LineOracle.LINE_BYTES_MAX + 1);
        assertThat(((Answer) LEGACY.expect(longest)).result()).isTrue();
        assertThat(LEGACY.expect(longer))
                .isEqualTo(new Answer(Set.of("7"), Set.of(-32600), false, false));
    }

    @Test
    void dependsOnTheSession() {
        String list = Messages.request("1", "tools/list", "");
        String initialize =
                Messages.request("1", "initialize", Messages.initializeParams("2025-11-25"));
        assertThat(result(LineOracle.uninitialized(), list)).isFalse();
        assertThat(result(LineOracle.uninitialized(), initialize)).isTrue();
        assertThat(result(LEGACY, list)).isTrue();
        assertThat(result(LEGACY, initialize)).isFalse();
        String modern = Messages.request("1", "tools/list", Messages.modernParams(""));
        for (var oracle : List.of(LEGACY, LineOracle.modern(), LineOracle.uninitialized())) {
            assertThat(result(oracle, modern)).isTrue();
        }
        String modernPing = Messages.request("1", "ping", Messages.modernParams(""));
        assertThat(((Answer) expect(LEGACY, modernPing)).codes()).containsExactly(-32601);
    }

    @Test
    void knowsTheToolsOfTheEndpoint() {
        String known = Messages.request("1", "tools/call", Messages.callParams("echo", "{}"));
        String unknown = Messages.request("1", "tools/call", Messages.callParams("nope", "{}"));
        assertThat(result(LEGACY, known)).isTrue();
        assertThat(result(LEGACY, unknown)).isFalse();
    }

    @Test
    void allowsBatchesInOneVersionOnly() {
        String batch = "[" + Messages.request("1", "ping", "") + ",5]";
        assertThat(expect(LEGACY, batch))
                .isEqualTo(new Answer(Set.of("null"), Set.of(-32600), false, false));
        var old = LineOracle.legacy("2025-03-26");
        var expected = expect(old, batch);
        assertThat(expected).isInstanceOf(Batch.class);
        String right =
                "[{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"m\"}},"
                        + "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]";
        assertThat(expected.complaint(List.of(StrictJson.parse(right)))).isEmpty();
        assertThat(expected.complaint(List.of(StrictJson.parse("[]")))).isPresent();
        assertThat(expect(old, "[" + Messages.notification("x", "") + "]"))
                .isEqualTo(new Silence());
    }

    @Test
    void complainsAboutEveryWrongAnswer() {
        var expected = expect(LEGACY, Messages.request("7", "ping", ""));
        assertThat(complaint(expected, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}")).isFalse();
        for (String wrong :
                List.of(
                        "{\"jsonrpc\":\"2.0\",\"id\":\"7\",\"result\":{}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":7.0,\"result\":{}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":null}",
                        "{\"jsonrpc\":\"2.0\",\"id\":7}",
                        "{\"id\":7,\"result\":{}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-1,\"message\":\"m\"}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{},\"error\":{}}")) {
            assertThat(complaint(expected, wrong)).as(wrong).isTrue();
        }
        assertThat(expected.complaint(List.of())).isPresent();
    }

    @Test
    void agreesWithTheTableForJsonTestSuite() {
        List<JsonCase> cases = TestData.jsonCases();
        assumeTrue(!cases.isEmpty(), TestData.MISSING);
        for (JsonCase one : cases) {
            if (one.severalLines()) {
                continue;
            }
            Expectation expected = LEGACY.expect(one.line());
            if (one.blank()) {
                assertThat(expected).as(one.name()).isEqualTo(new Silence());
            } else {
                var answer = (Answer) expected;
                assertThat(one.codes()).as(one.name()).containsAll(answer.codes());
                assertThat(answer.result()).as(one.name()).isFalse();
            }
        }
    }

    private static Expectation expect(LineOracle oracle, String line) {
        return oracle.expect(Text.bytes(line));
    }

    private static boolean result(String line) {
        return result(LEGACY, line);
    }

    private static boolean result(LineOracle oracle, String line) {
        return ((Answer) expect(oracle, line)).result();
    }

    private static boolean complaint(Expectation expected, String answer) {
        return expected.complaint(List.of(StrictJson.parse(answer))).isPresent();
    }

    /** A request of exactly this depth. */
    private static String deep(int depth) {
        String nested = "[".repeat(depth - 2) + "]".repeat(depth - 2);
        return Messages.request("7", "ping", "{\"x\":" + nested + "}");
    }
}
