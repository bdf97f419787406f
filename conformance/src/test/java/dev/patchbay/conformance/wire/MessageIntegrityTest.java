package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.MessageGenerator;
import dev.patchbay.testkit.SampleLine;
import dev.patchbay.testkit.StrictJson;
import dev.patchbay.testkit.TrafficLine;
import dev.patchbay.testkit.TrafficLine.Direction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/**
 * Every message that leaves is one complete JSON object on one line that ends in a line feed. The
 * text in it is the client's own, which comes back in ids and in errors.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.patchbay.conformance.wire.WireMatrixCase#all")
class MessageIntegrityTest {
    private static final int RANDOM_RESPONSES = 1_000;

    /** What has broken programs before: line ends of other worlds, controls, half characters. */
    private static final List<String> DIFFICULT_TEXTS =
            List.of(
                    "\n",
                    "\r",
                    "\r\n",
                    "\u2028\u2029\u0085",
                    "\u0000",
                    "\u001b[31m",
                    "\u007f\u0080\u009f",
                    "\"\\/",
                    "\\u000a",
                    "😀🏳️‍🌈",
                    "\ud800",
                    "\udc00x",
                    "\ud800\ud800\udc00",
                    "</script>",
                    "\ufeffa\ufeff",
                    "\ufffe\uffff",
                    "İıſß",
                    "%s%n{0}",
                    "é".repeat(100_000));

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

    /** MI1, MI8: ids and errors that quote the client give its text back as it was. */
    @Test
    void keepsEveryCharacterOnOneLine() throws Exception {
        var texts = new ArrayList<>(DIFFICULT_TEXTS);
        for (char c = 0; c < 0x20; c++) {
            texts.add("a" + c + "b");
        }
        for (char c = 0x7f; c < 0xa0; c++) {
            texts.add("a" + c + "b");
        }
        for (String text : texts) {
            String id = StrictJson.quote(text);
            byte[] line =
                    CheckedConversation.bytes(conversation.request(id, "no/such " + text, ""));
            List<byte[]> answers = conversation.responsesTo(line, 1);
            assertThat(answers).as("%s, %s", id, matrixCase).hasSize(1);
            JsonTree answer = StrictJson.parse(answers.getFirst());
            assertThat(answer.at("id").asText()).isEqualTo(text);
            assertThat(answer.at("error", "message").asText()).contains(shortened(text));
        }
    }

    /** MI1, MI2: a thousand random responses, one after the other, split cleanly. */
    @Test
    void splitsAThousandRandomResponsesCleanly() throws Exception {
        var random = MessageGenerator.seeded();
        var samples = new ArrayList<SampleLine>();
        var texts = new HashMap<JsonTree, String>();
        for (int i = 0; i < RANDOM_RESPONSES; i++) {
            String text = random.trickyString() + i;
            String id = random.stringLiteral(text);
            texts.put(new JsonTree.Str(text), text);
            String line = conversation.request(id, "no/such/" + random.trickyString(), "");
            samples.add(new SampleLine("nasty", CheckedConversation.bytes(line)));
        }
        int before = conversation.client().history().size();
        var answers = conversation.sendPipelined(samples);
        assertThat(answers.keySet()).as(random.seedNote()).isEqualTo(texts.keySet());
        assertThat(answers.values())
                .as(random.seedNote())
                .allSatisfy(a -> assertThat(a).hasSize(1));
        List<TrafficLine> since = conversation.client().history();
        long lines =
                since.subList(before, since.size()).stream()
                        .filter(traffic -> traffic.direction() == Direction.RECEIVED)
                        .count();
        assertThat(lines).as(random.seedNote()).isEqualTo(RANDOM_RESPONSES);
    }

    /** An answer may quote its cause in part, but not so that half a character is left. */
    private static String shortened(String text) {
        return text.length() > 20 ? text.substring(0, 20) : text;
    }
}
