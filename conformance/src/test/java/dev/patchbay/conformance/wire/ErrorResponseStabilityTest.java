package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Expectation;
import dev.patchbay.testkit.Expectation.Answer;
import dev.patchbay.testkit.Generators;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawClient;
import dev.patchbay.testkit.Sample;
import dev.patchbay.testkit.Samples;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Whatever is wrong with a request, it gets the right error and the program lives on: each case is
 * followed by a request that must be answered. What is large is in {@link HostileInputTest}.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.patchbay.conformance.wire.Cell#all")
class ErrorResponseStabilityTest {
    private static final int INVALID_REQUESTS = 10_000;
    private static final int INVALID_REQUESTS_ELSEWHERE = 1_000;

    private static Talk talk;

    @Parameter private Cell cell;

    @BeforeParameterizedClassInvocation
    static void open(Cell cell) throws InterruptedException {
        talk = Talk.open(cell);
    }

    @AfterParameterizedClassInvocation
    static void finish() throws InterruptedException {
        // Bad input is the client's affair: ten thousand faults are no flood of log lines.
        RawClient client = talk.client();
        assertThat(client.stderrBytes()).as(client.stderr()).isLessThan(2_000);
        talk.finish();
    }

    @Test
    void saysWhatIsNotJson() throws Exception {
        String ping = Messages.request("7", "ping", "");
        var broken =
                new ArrayList<>(
                        List.of(
                                ping.substring(0, ping.length() - 1),
                                ping.substring(0, 20),
                                ping + ping,
                                ping + " x",
                                ping + ",",
                                "x" + ping,
                                "/**/" + ping,
                                ping + "//"));
        broken.addAll(
                List.of("{not json}", "[1,]", "{\"a\":1,}", "{'a':1}", "{a:1}", "NaN", "[NaN]"));
        broken.addAll(List.of("[Infinity]", "[-Infinity]", "[01]", "[-01]", "[+1]", "[0x1]"));
        broken.addAll(List.of("[.5]", "[1.]", "[1e]", "[1e+]", "[--1]", "[-]", "]", "}", "[1}"));
        broken.addAll(List.of("\"open", "\"\\", "\"\\u00g0\"", "\"\\x\"", "\"a\u0000b\""));
        broken.addAll(List.of("\"\t\"", "\"\u001f\"", "{\"a\"}", "{\"a\":}", "{\"a\" 1}", "{,}"));
        broken.addAll(List.of("nul", "True", "tru", "nulll", "\u0000", "\u001b[0m", "hello", "-"));
        broken.addAll(List.of("\u00a0" + ping, "\u2060" + ping, "\u000b" + ping, "\f" + ping));
        for (String line : broken) {
            talk.expectError(line, -32700, "null");
        }
    }

    @Test
    void saysWhatIsNotUtf8() throws Exception {
        byte[] ping = Talk.bytes(Messages.request("7", "ping", ""));
        for (byte[] line :
                List.of(
                        latin("ÿþ"),
                        latin("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"À¯\"}"),
                        latin("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"í\u00a0\u0080\"}"),
                        latin("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}â\u0082"),
                        latin("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"pi\u0080ng\"}"),
                        latin("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ô\u0090\u0080\u0080\"}"),
                        latin("{\"jsonrpc\":\"2.0\",\"id\":\"é\",\"method\":\"ping\"}"),
                        latin("\"â\u0082"),
                        latin("\u0080"))) {
            talk.expectError(line, -32700, "null");
        }
        String text = new String(ping, StandardCharsets.UTF_8);
        talk.expectError(text.getBytes(StandardCharsets.UTF_16LE), -32700, "null");
        talk.expectError(text.getBytes(StandardCharsets.UTF_16), -32700, "null");
        talk.expectError(text.getBytes(StandardCharsets.UTF_32), -32700, "null");
    }

    /** A byte order mark is not at the start of the stream here; there it is ignored. */
    @Test
    void refusesAByteOrderMarkInTheMiddle() throws Exception {
        talk.expectError("\ufeff" + Messages.request("7", "ping", ""), -32700, "null");
        talk.expectError("\ufeff", -32700, "null");
    }

    @Test
    void toleratesBlanksAndCarriageReturns() throws Exception {
        String list = talk.request("7", "tools/list", "");
        for (String line :
                List.of(
                        list + "\r",
                        " \t" + list + " \t\r",
                        list.replaceFirst(",", "\r,\r"),
                        list.replaceFirst("\\{", "{ \t\r"),
                        list.replaceFirst(":", "\r:\t"))) {
            talk.expectResult(line, "7");
        }
        for (String blank : List.of("", " ", "\t", "\r", " \r \t ", "\r\r\r", "\n\n", "\r\n\r\n")) {
            talk.expectSilence(blank);
        }
    }

    @Test
    void refusesJsonThatIsNoMessage() throws Exception {
        for (String line :
                List.of("null", "42", "\"x\"", "true", "false", "-0", "1e5", "\"\"", "{}", "[]")) {
            talk.expectError(line, -32600, "null");
        }
        for (Sample sample : Samples.envelopes()) {
            talk.expect(sample.line(), talk.oracle().expect(sample.line()));
        }
    }

    @Test
    void refusesCallsThatAreNone() throws Exception {
        talk.expectError(talk.request("7", "no/such", "{}"), -32601, "7");
        for (String params :
                List.of(
                        "",
                        "{}",
                        "{\"name\":5}",
                        "{\"name\":null}",
                        "{\"name\":[]}",
                        "{\"Name\":\"x\"}",
                        "{\"name\":\"\"}",
                        "{\"name\":\"no-such-tool\"}",
                        "{\"name\":\"no.such-tool\",\"arguments\":{}}",
                        "{\"name\":\"\\u0000\\ud800\",\"arguments\":{}}",
                        "{\"name\":\"no-such-tool\",\"arguments\":\"x\"}",
                        "{\"name\":\"no-such-tool\",\"arguments\":null}",
                        "{\"name\":\"no-such-tool\",\"arguments\":[]}")) {
            talk.expectError(talk.request("7", "tools/call", params), -32602, "7");
        }
    }

    @Test
    void namesAnUnknownToolInItsError() throws Exception {
        String params = "{\"name\":\"no-such-tool \\u0000\\n\\\"\"}";
        List<byte[]> answers =
                talk.answersTo(Talk.bytes(talk.request("7", "tools/call", params)), 1);
        JsonTree error = StrictJson.parse(answers.getFirst()).at("error");
        assertThat(error.at("message").text()).contains("no-such-tool");
    }

    @Test
    void standsAnyDepth() throws Exception {
        for (int depth : List.of(100, 498)) {
            String params = "{\"x\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
            talk.expectResult(Messages.request("7", "ping", params), "7");
        }
        for (int depth : List.of(499, 1_000, 10_000, 200_000)) {
            String params = "{\"x\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
            talk.expectError(Messages.request("7", "ping", params), -32600, "7");
            talk.expectError("[".repeat(depth), -32700, "null");
            talk.expectError("{\"a\":".repeat(depth), -32700, "null");
        }
    }

    /** What has no measure, in a size that a test of every cell has time for. */
    @Test
    void standsAnySize() throws Exception {
        String digits = "9".repeat(1_000_000);
        talk.expectError(Messages.request("7", "ping", "{\"n\":" + digits + "}"), -32600, "7");
        talk.expectError(Messages.request("7", "ping", "{\"n\":1e" + digits + "}"), -32600, "7");
        talk.expectResult(Messages.request("7", "ping", "{\"n\":1e999999999}"), "7");
        talk.expectResult(Messages.request("7", "ping", "{\"" + digits + "\":1}"), "7");
        var names = new StringBuilder("{");
        for (int i = 0; i < 1 << 12; i++) {
            names.append(i == 0 ? "\"" : ",\"");
            for (int bit = 0; bit < 12; bit++) {
                names.append((i >> bit & 1) == 0 ? "Aa" : "BB"); // their hash codes are equal
            }
            names.append("\":1");
        }
        for (int i = 0; i < 50_000; i++) {
            names.append(",\"").append(i).append("\":1");
        }
        talk.expectResult(Messages.request("7", "ping", names + "}"), "7");
        talk.expectError(Messages.request("7", "ping", names + ",\"0\":1}"), -32600, "7");
    }

    @Test
    void saysNothingToNotificationsThatAreWrong() throws Exception {
        for (Sample silent : Samples.silent()) {
            talk.expect(silent.line(), new Expectation.Silence());
        }
    }

    /** The seed's own run: each is answered with its code and id, then a valid one. */
    @Test
    void answersTenThousandInvalidRequestsInSequence() throws Exception {
        var random = Generators.seeded();
        var window = new Window(talk);
        boolean whole = cell.surroundings() == Cell.Surroundings.UTF_8;
        int count = whole ? INVALID_REQUESTS : INVALID_REQUESTS_ELSEWHERE;
        for (int i = 0; i < count; i++) {
            window.add(invalid(random, i), random.note());
        }
        window.send(random.note());
        assertThat(window.answered()).as(random.note()).isEqualTo(count);
        talk.expectResult(talk.request("\"valid\"", "tools/list", ""), "\"valid\"");
    }

    /** A request that is wrong in one way, and what it must be told. */
    private Window.Case invalid(Generators random, int i) {
        String id = random.chance(50) ? Integer.toString(i) : "\"i" + i + "\"";
        String list = talk.request(id, "tools/list", "");
        return switch (random.below(10)) {
            case 0 -> expected("{not json " + i, -32700, "null");
            case 1 ->
                    expected(
                            list.substring(0, random.below(list.length() - 1) + 1), -32700, "null");
            case 2 -> expected(list.replace("\"2.0\"", "\"1.0\""), -32600, id);
            case 3 -> expected("{\"id\":" + id + "}", -32600, id);
            case 4 -> expected(talk.request(id, "no/such" + i, "{}"), -32601, id);
            case 5 -> expected(talk.request(id, "tools/call", "{\"name\":" + i + "}"), -32602, id);
            case 6 -> expected(Messages.request(id, "tools/list", "[" + i + "]"), -32602, id);
            case 7 -> expected(Messages.request(id, "tools/list", "\"" + i + "\""), -32600, id);
            case 8 -> expected(Messages.request(random.illegalId(), "ping", ""), -32600, "null");
            default ->
                    expected(
                            talk.request(id, "tools/call", "{\"name\":\"x" + i + "\"}"),
                            -32602,
                            id);
        };
    }

    private static Window.Case expected(String line, int code, String id) {
        var answer = new Answer(Set.of(id), Set.of(code), false, false);
        return new Window.Case(Talk.bytes(line), answer);
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
