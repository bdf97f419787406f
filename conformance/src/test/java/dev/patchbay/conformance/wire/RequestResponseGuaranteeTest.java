package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Expectation;
import dev.patchbay.testkit.Generators;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.Sample;
import dev.patchbay.testkit.Samples;
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
@MethodSource("dev.patchbay.conformance.wire.Cell#all")
class RequestResponseGuaranteeTest {
    private static final int RANDOM_REQUESTS = 1_000;
    private static final int UNREAD_REQUESTS = 3_000;

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

    /** RR1. */
    @Test
    void answersAThousandRandomRequestsOnceEach() throws Exception {
        var random = Generators.seeded();
        var samples = new ArrayList<Sample>();
        for (int i = 0; i < RANDOM_REQUESTS; i++) {
            samples.add(cell.modern() ? random.modernRequest() : random.request());
        }
        var answers = talk.pipelined(samples);
        for (Sample sample : samples) {
            JsonTree id = StrictJson.parse(sample.line()).at("id");
            Expectation expected = talk.oracle().expect(sample.line());
            assertThat(expected.complaint(answers.getOrDefault(id, List.of())))
                    .as("%s, %s", sample, random.note())
                    .isEmpty();
        }
        assertThat(answers).as(random.note()).hasSize(RANDOM_REQUESTS);
    }

    /** RR2, RR3 and RR5: type, value and spelling of an id stay as they are. */
    @Test
    void echoesEveryLegalIdAsItWasWritten() throws Exception {
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
            byte[] line = Talk.bytes(talk.request(id, "tools/list", ""));
            List<byte[]> answers = talk.answersTo(line, 1);
            assertThat(answers).as(id).hasSize(1);
            assertThat(StrictJson.raw(answers.getFirst(), "id")).as(id).hasValue(id);
            assertThat(StrictJson.raw(answers.getFirst(), "result")).as(id).isPresent();
        }
    }

    /** RR4. */
    @Test
    void refusesWhatIsNoIdOnceAndAloud() throws Exception {
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
            talk.expectError(talk.request(id, "tools/list", ""), -32600, "null");
        }
    }

    /** RR7: ids may be used again once they were answered. */
    @Test
    void answersAnIdThatIsUsedAgain() throws Exception {
        for (int i = 0; i < 10; i++) {
            talk.expectResult(talk.request("\"again\"", "tools/list", ""), "\"again\"");
        }
    }

    /** RR9. */
    @Test
    void neverAnswersANotification() throws Exception {
        for (Sample silent : Samples.silent()) {
            talk.expect(silent.line(), new Expectation.Silence());
        }
        for (String method : List.of("tools/call", "initialize", "notifications/initialized")) {
            talk.expectSilence(Messages.notification(method, "{\"x\":[1]}"));
            talk.expectSilence(Messages.notification(method, "\"x\""));
        }
    }

    /** RR10, as far as nothing is in flight. */
    @Test
    void ignoresCancellationsOfNothing() throws Exception {
        talk.expectResult(talk.request("\"c\"", "tools/list", ""), "\"c\"");
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
            talk.expectSilence(Messages.notification("notifications/cancelled", params));
        }
        talk.expectResult(talk.request("\"c\"", "tools/list", ""), "\"c\"");
    }

    /** RR12. */
    @Test
    void losesNothingWhileTheClientDoesNotRead() throws Exception {
        talk.client().pauseReading();
        // Long answers that nobody takes make the program stop reading, and so this client write.
        Thread sender = Thread.ofPlatform().start(this::sendUnread);
        sender.join(Duration.ofSeconds(2));
        talk.client().resumeReading();
        var answered = new HashSet<JsonTree>();
        for (int i = 0; i < UNREAD_REQUESTS; i++) {
            JsonTree answer = StrictJson.parse(talk.client().next(Talk.PATIENCE));
            assertThat(answer.has("result")).as("%s", answer).isTrue();
            answered.add(answer.at("id"));
        }
        assertThat(answered).hasSize(UNREAD_REQUESTS);
        assertThat(sender.join(Talk.PATIENCE)).isTrue();
    }

    private void sendUnread() {
        for (int i = 0; i < UNREAD_REQUESTS; i++) {
            talk.client().sendLine(talk.request("\"unread " + i + "\"", "tools/list", ""));
        }
    }

    /** RR15. */
    @Test
    void namesTheRequestThatIsTooDeepOrTooLong() throws Exception {
        String deep = "[".repeat(501) + "]".repeat(501);
        for (String id : List.of("7", "\"x\"", "18446744073709551617", "\"\\u0061\\n\"")) {
            talk.expectError(
                    Messages.request(id, "tools/list", "{\"x\":" + deep + "}"), -32600, id);
            talk.expectError(
                    "{\"params\":"
                            + deep
                            + ",\"method\":\"m\",\"jsonrpc\":\"2.0\",\"id\":"
                            + id
                            + "}",
                    -32600,
                    id);
        }
        int tooMany = 10 * 1024 * 1024 + 1;
        talk.expectError(Samples.requestOfLength("77", tooMany), -32600, "77");
        byte[] longest = Samples.requestOfLength("78", tooMany - 1);
        var ping = new Expectation.Answer(Set.of("78"), Set.of(), true, false);
        talk.expect(longest, ping);
    }
}
