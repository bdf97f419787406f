package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.ExpectedResponse;
import dev.patchbay.testkit.ExpectedResponse.SingleResponse;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.MessageGenerator;
import dev.patchbay.testkit.RawStdioClient;
import dev.patchbay.testkit.SampleLine;
import dev.patchbay.testkit.SampleLines;
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
@MethodSource("dev.patchbay.conformance.wire.WireMatrixCase#all")
class ErrorResponseStabilityTest {
    private static final int INVALID_REQUESTS = 10_000;
    private static final int INVALID_REQUESTS_OTHER_CASES = 1_000;

    private static CheckedConversation conversation;

    @Parameter private WireMatrixCase matrixCase;

    @BeforeParameterizedClassInvocation
    static void open(WireMatrixCase cell) throws InterruptedException {
        conversation = CheckedConversation.open(cell);
    }

    @AfterParameterizedClassInvocation
    static void finish() throws InterruptedException {
        // Bad input is the client's affair: ten thousand faults are no flood of log lines.
        RawStdioClient client = conversation.client();
        assertThat(client.stderrBytes()).as(client.stderr()).isLessThan(2_000);
        conversation.finishAndCheck();
    }

    @Test
    void reportsInvalidJson() throws Exception {
        String ping = ClientMessages.request("7", "ping", "");
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
            conversation.expectError(line, -32700, "null");
        }
    }

    @Test
    void reportsInvalidUtf8() throws Exception {
        byte[] ping = CheckedConversation.bytes(ClientMessages.request("7", "ping", ""));
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
            conversation.expectError(line, -32700, "null");
        }
        String text = new String(ping, StandardCharsets.UTF_8);
        conversation.expectError(text.getBytes(StandardCharsets.UTF_16LE), -32700, "null");
        conversation.expectError(text.getBytes(StandardCharsets.UTF_16), -32700, "null");
        conversation.expectError(text.getBytes(StandardCharsets.UTF_32), -32700, "null");
    }

    /** A byte order mark is not at the start of the stream here; there it is ignored. */
    @Test
    void rejectsAByteOrderMarkInTheMiddle() throws Exception {
        conversation.expectError(
                "\ufeff" + ClientMessages.request("7", "ping", ""), -32700, "null");
        conversation.expectError("\ufeff", -32700, "null");
    }

    @Test
    void toleratesBlanksAndCarriageReturns() throws Exception {
        String list = conversation.request("7", "tools/list", "");
        for (String line :
                List.of(
                        list + "\r",
                        " \t" + list + " \t\r",
                        list.replaceFirst(",", "\r,\r"),
                        list.replaceFirst("\\{", "{ \t\r"),
                        list.replaceFirst(":", "\r:\t"))) {
            conversation.expectResult(line, "7");
        }
        for (String blank : List.of("", " ", "\t", "\r", " \r \t ", "\r\r\r", "\n\n", "\r\n\r\n")) {
            conversation.expectNoResponse(blank);
        }
    }

    @Test
    void rejectsJsonThatIsNotAMessage() throws Exception {
        for (String line :
                List.of("null", "42", "\"x\"", "true", "false", "-0", "1e5", "\"\"", "{}", "[]")) {
            conversation.expectError(line, -32600, "null");
        }
        for (SampleLine sample : SampleLines.envelopes()) {
            conversation.expect(sample.line(), conversation.oracle().expect(sample.line()));
        }
    }

    @Test
    void rejectsInvalidToolCalls() throws Exception {
        conversation.expectError(conversation.request("7", "no/such", "{}"), -32601, "7");
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
            conversation.expectError(conversation.request("7", "tools/call", params), -32602, "7");
        }
    }

    @Test
    void namesAnUnknownToolInItsError() throws Exception {
        String params = "{\"name\":\"no-such-tool \\u0000\\n\\\"\"}";
        List<byte[]> answers =
                conversation.responsesTo(
                        CheckedConversation.bytes(conversation.request("7", "tools/call", params)),
                        1);
        JsonTree error = StrictJson.parse(answers.getFirst()).at("error");
        assertThat(error.at("message").asText()).contains("no-such-tool");
    }

    @Test
    void survivesAnyDepth() throws Exception {
        for (int depth : List.of(100, 498)) {
            String params = "{\"x\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
            conversation.expectResult(ClientMessages.request("7", "ping", params), "7");
        }
        for (int depth : List.of(499, 1_000, 10_000, 200_000)) {
            String params = "{\"x\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
            conversation.expectError(ClientMessages.request("7", "ping", params), -32600, "7");
            conversation.expectError("[".repeat(depth), -32700, "null");
            conversation.expectError("{\"a\":".repeat(depth), -32700, "null");
        }
    }

    /** What has no measure, in a size that a test of every cell has time for. */
    @Test
    void survivesAnySize() throws Exception {
        String digits = "9".repeat(1_000_000);
        conversation.expectError(
                ClientMessages.request("7", "ping", "{\"n\":" + digits + "}"), -32600, "7");
        conversation.expectError(
                ClientMessages.request("7", "ping", "{\"n\":1e" + digits + "}"), -32600, "7");
        conversation.expectResult(ClientMessages.request("7", "ping", "{\"n\":1e999999999}"), "7");
        conversation.expectResult(
                ClientMessages.request("7", "ping", "{\"" + digits + "\":1}"), "7");
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
        conversation.expectResult(ClientMessages.request("7", "ping", names + "}"), "7");
        conversation.expectError(
                ClientMessages.request("7", "ping", names + ",\"0\":1}"), -32600, "7");
    }

    @Test
    void doesNotAnswerInvalidNotifications() throws Exception {
        for (SampleLine silent : SampleLines.unanswered()) {
            conversation.expect(silent.line(), new ExpectedResponse.NoResponse());
        }
    }

    /** The seed's own run: each is answered with its code and id, then a valid one. */
    @Test
    void answersTenThousandInvalidRequestsInSequence() throws Exception {
        var random = MessageGenerator.seeded();
        var window = new RequestBurst(conversation);
        boolean whole = matrixCase.localeSetting() == WireMatrixCase.LocaleSetting.UTF_8;
        int count = whole ? INVALID_REQUESTS : INVALID_REQUESTS_OTHER_CASES;
        for (int i = 0; i < count; i++) {
            window.add(invalidRequest(random, i), random.seedNote());
        }
        window.send(random.seedNote());
        assertThat(window.answeredCount()).as(random.seedNote()).isEqualTo(count);
        conversation.expectResult(conversation.request("\"valid\"", "tools/list", ""), "\"valid\"");
    }

    /** A request that is wrong in one way, and what it must be told. */
    private RequestBurst.ExpectedLine invalidRequest(MessageGenerator random, int i) {
        String id = random.percentChance(50) ? Integer.toString(i) : "\"i" + i + "\"";
        String list = conversation.request(id, "tools/list", "");
        return switch (random.nextInt(10)) {
            case 0 -> expectedError("{not json " + i, -32700, "null");
            case 1 ->
                    expectedError(
                            list.substring(0, random.nextInt(list.length() - 1) + 1),
                            -32700,
                            "null");
            case 2 -> expectedError(list.replace("\"2.0\"", "\"1.0\""), -32600, id);
            case 3 -> expectedError("{\"id\":" + id + "}", -32600, id);
            case 4 -> expectedError(conversation.request(id, "no/such" + i, "{}"), -32601, id);
            case 5 ->
                    expectedError(
                            conversation.request(id, "tools/call", "{\"name\":" + i + "}"),
                            -32602,
                            id);
            case 6 ->
                    expectedError(
                            ClientMessages.request(id, "tools/list", "[" + i + "]"), -32602, id);
            case 7 ->
                    expectedError(
                            ClientMessages.request(id, "tools/list", "\"" + i + "\""), -32600, id);
            case 8 ->
                    expectedError(
                            ClientMessages.request(random.illegalId(), "ping", ""), -32600, "null");
            default ->
                    expectedError(
                            conversation.request(id, "tools/call", "{\"name\":\"x" + i + "\"}"),
                            -32602,
                            id);
        };
    }

    private static RequestBurst.ExpectedLine expectedError(String line, int code, String id) {
        var answer = new SingleResponse(Set.of(id), Set.of(code), false, false);
        return new RequestBurst.ExpectedLine(CheckedConversation.bytes(line), answer);
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
