package dev.patchbay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ExpectedResponse.SingleResponse;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

class MessageGeneratorTest {
    private static final LineOracle ORACLE = LineOracle.legacy("2025-11-25");

    @Test
    void sameSeedRepeatsTheRun() {
        assertThat(lines(MessageGenerator.of(42))).isEqualTo(lines(MessageGenerator.of(42)));
        assertThat(lines(MessageGenerator.of(42))).isNotEqualTo(lines(MessageGenerator.of(43)));
        assertThat(MessageGenerator.of(42).seedNote()).contains("-Dpatchbay.seed=42");
    }

    @Test
    void requestsHaveUniqueIds() {
        var random = MessageGenerator.seeded();
        var ids = new HashSet<JsonTree>();
        for (int i = 0; i < 2_000; i++) {
            byte[] line = random.request().line();
            JsonTree message = StrictJson.parse(line);
            assertThat(ids.add(message.at("id"))).as(random.seedNote()).isTrue();
            var answer = (SingleResponse) ORACLE.expect(line);
            assertThat(answer.ids()).as(random.seedNote()).contains(message.at("id").write());
        }
    }

    @Test
    void generatesEveryKindOfLine() {
        var random = MessageGenerator.of(7);
        var kinds = new HashSet<String>();
        var codes = new HashSet<Integer>();
        for (int i = 0; i < 5_000; i++) {
            SampleLine sample = random.anyLine();
            kinds.add(sample.label());
            assertThat(sample.line()).as(sample.toString()).doesNotContain('\n');
            if (ORACLE.expect(sample.line()) instanceof SingleResponse answer) {
                codes.addAll(answer.codes());
            }
        }
        assertThat(codes).contains(-32700, -32600, -32601, -32602);
        assertThat(kinds)
                .contains("request", "modern request", "illegal id", "mutation", "batch", "blank");
    }

    @Test
    void spellsOneStringInManyWays() {
        var random = MessageGenerator.of(1);
        for (int i = 0; i < 500; i++) {
            String value = random.trickyString();
            assertThat(StrictJson.parse(random.stringLiteral(value)).asText()).isEqualTo(value);
        }
    }

    @Test
    void everyGeneratedValueCanBeWritten() {
        var random = MessageGenerator.of(2);
        for (int i = 0; i < 500; i++) {
            JsonTree value = random.value(5);
            assertThat(StrictJson.parse(value.write())).isEqualTo(value);
        }
    }

    @Test
    void shrinksToTheFailingPart() {
        byte[] failing = Utf8Text.encode("x".repeat(500) + "\"\\ud800\"" + "y".repeat(500));
        byte[] small =
                LineShrinker.shrink(
                        failing,
                        line -> new String(line, StandardCharsets.UTF_8).contains("ud800"));
        assertThat(new String(small, StandardCharsets.UTF_8)).isEqualTo("ud800");
    }

    private static List<String> lines(MessageGenerator random) {
        var lines = new ArrayList<String>();
        for (int i = 0; i < 100; i++) {
            lines.add(random.anyLine().toString());
        }
        return lines;
    }
}
