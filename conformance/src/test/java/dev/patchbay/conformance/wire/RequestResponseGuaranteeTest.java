package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.ExpectedResponse;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.MessageGenerator;
import dev.patchbay.testkit.SampleLine;
import dev.patchbay.testkit.SampleLines;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Every well-formed request gets exactly one response with its own id, and that has a result or an
 * error. What ends the conversation is in {@link EndOfConversationTest}.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.patchbay.conformance.wire.WireMatrixCase#all")
class RequestResponseGuaranteeTest {
    private static final int RANDOM_REQUESTS = 1_000;
    private static final int UNREAD_REQUESTS = 3_000;

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

    /** RR1. */
    @Test
    void answersAThousandRandomRequestsOnceEach() throws Exception {
        var random = MessageGenerator.seeded();
        var samples = new ArrayList<SampleLine>();
        for (int i = 0; i < RANDOM_REQUESTS; i++) {
            samples.add(matrixCase.isModern() ? random.modernRequest() : random.request());
        }
        var answers = conversation.sendPipelined(samples);
        for (SampleLine sample : samples) {
            JsonTree id = StrictJson.parse(sample.line()).at("id");
            ExpectedResponse expected = conversation.oracle().expect(sample.line());
            assertThat(expected.mismatch(answers.getOrDefault(id, List.of())))
                    .as("%s, %s", sample, random.seedNote())
                    .isEmpty();
        }
        assertThat(answers).as(random.seedNote()).hasSize(RANDOM_REQUESTS);
    }

    /** RR2, RR3 and RR5: type, value and spelling of an id stay as they are. */
    @Test
    void echoesEveryLegalIdAsWritten() throws Exception {
        var ids =
                List.of(
                        "0",
                        "-1",
                        "\"\"",
                        "7",
                        "\"7\"",
                        "9007199254740993",
                        "9223372036854775808",
                        "18446744073709551617",
                        "9".repeat(400),
                        "\"é\\u2028\\\"\\\\\\n😀\"",
                        "\"\u2028\u0085\ufeff\"",
                        "\"" + "i".repeat(10_000) + "\"",
                        "1.0",
                        "1e2",
                        "-0",
                        "\"\\ud800\"",
                        "\"\\u0037\"");
        for (String id : ids) {
            byte[] line = CheckedConversation.bytes(conversation.request(id, "tools/list", ""));
            List<byte[]> answers = conversation.responsesTo(line, 1);
            assertThat(answers).as(id).hasSize(1);
            assertThat(StrictJson.rawValue(answers.getFirst(), "id")).as(id).hasValue(id);
            assertThat(StrictJson.rawValue(answers.getFirst(), "result")).as(id).isPresent();
        }
    }

    /** RR4. */
    @Test
    void rejectsIllegalIdsWithOneError() throws Exception {
        for (String id :
                List.of(
                        "1.5",
                        "1e400",
                        "1e9999999999",
                        "-1e-9999999999",
                        "true",
                        "false",
                        "null",
                        "[]",
                        "{}",
                        "[7]",
                        "{\"id\":7}")) {
            conversation.expectError(conversation.request(id, "tools/list", ""), -32600, "null");
        }
    }

    /** RR7: ids may be used again once they were answered. */
    @Test
    void answersAReusedId() throws Exception {
        for (int i = 0; i < 10; i++) {
            conversation.expectResult(
                    conversation.request("\"again\"", "tools/list", ""), "\"again\"");
        }
    }

    /** RR9. */
    @Test
    void neverAnswersANotification() throws Exception {
        for (SampleLine silent : SampleLines.unanswered()) {
            conversation.expect(silent.line(), new ExpectedResponse.NoResponse());
        }
        for (String method : List.of("tools/call", "initialize", "notifications/initialized")) {
            conversation.expectNoResponse(ClientMessages.notification(method, "{\"x\":[1]}"));
            conversation.expectNoResponse(ClientMessages.notification(method, "\"x\""));
        }
    }

    /** RR10, as far as nothing is in flight. */
    @Test
    void ignoresCancellationsOfUnknownRequests() throws Exception {
        conversation.expectResult(conversation.request("\"c\"", "tools/list", ""), "\"c\"");
        for (String params :
                List.of(
                        "{\"requestId\":\"c\"}",
                        "{\"requestId\":12345}",
                        "{\"requestId\":null}",
                        "{\"requestId\":{}}",
                        "{\"requestId\":1e9999999999}",
                        "{\"requestId\":1,\"reason\":5}",
                        "{}",
                        "[]",
                        "5",
                        "")) {
            conversation.expectNoResponse(
                    ClientMessages.notification("notifications/cancelled", params));
        }
        conversation.expectResult(conversation.request("\"c\"", "tools/list", ""), "\"c\"");
    }

    /** RR12. */
    @Test
    void losesNothingWhileTheClientDoesNotRead() throws Exception {
        conversation.client().pauseReading();
        // Long answers that nobody takes make the program stop reading, and so this client write.
        Thread sender = Thread.ofPlatform().start(this::sendUnread);
        sender.join(Duration.ofSeconds(2));
        conversation.client().resumeReading();
        var answered = new HashSet<JsonTree>();
        for (int i = 0; i < UNREAD_REQUESTS; i++) {
            JsonTree answer =
                    StrictJson.parse(conversation.client().nextLine(CheckedConversation.TIMEOUT));
            assertThat(answer.has("result")).as("%s", answer).isTrue();
            answered.add(answer.at("id"));
        }
        assertThat(answered).hasSize(UNREAD_REQUESTS);
        assertThat(sender.join(CheckedConversation.TIMEOUT)).isTrue();
    }

    private void sendUnread() {
        for (int i = 0; i < UNREAD_REQUESTS; i++) {
            conversation
                    .client()
                    .sendLine(conversation.request("\"unread " + i + "\"", "tools/list", ""));
        }
    }

    /** RR15. */
    @Test
    void errorForTooDeepOrTooLongRequestHasItsId() throws Exception {
        String deep = "[".repeat(501) + "]".repeat(501);
        for (String id : List.of("7", "\"x\"", "18446744073709551617", "\"\\u0061\\n\"")) {
            conversation.expectError(
                    ClientMessages.request(id, "tools/list", "{\"x\":" + deep + "}"), -32600, id);
            conversation.expectError(
                    "{\"params\":"
                            + deep
                            + ",\"method\":\"m\",\"jsonrpc\":\"2.0\",\"id\":"
                            + id
                            + "}",
                    -32600,
                    id);
        }
        int tooMany = 10 * 1024 * 1024 + 1;
        conversation.expectError(SampleLines.requestOfLength("77", tooMany), -32600, "77");
        byte[] longest = SampleLines.requestOfLength("78", tooMany - 1);
        var ping = new ExpectedResponse.SingleResponse(Set.of("78"), Set.of(), true, false);
        conversation.expect(longest, ping);
    }
}
