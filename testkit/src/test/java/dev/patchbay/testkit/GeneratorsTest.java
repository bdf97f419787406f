package dev.patchbay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Expectation.Answer;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

class GeneratorsTest {
    private static final LineOracle ORACLE = LineOracle.legacy("2025-11-25");

    @Test
    void repeatsARunFromItsSeed() {
        assertThat(lines(Generators.of(42))).isEqualTo(lines(Generators.of(42)));
        assertThat(lines(Generators.of(42))).isNotEqualTo(lines(Generators.of(43)));
        assertThat(Generators.of(42).note()).contains("-Dpatchbay.seed=42");
    }

    @Test
    void makesRequestsThatEachHaveAnIdOfTheirOwn() {
        var random = Generators.seeded();
        var ids = new HashSet<JsonTree>();
        for (int i = 0; i < 2_000; i++) {
            byte[] line = random.request().line();
            JsonTree message = StrictJson.parse(line);
            assertThat(ids.add(message.at("id"))).as(random.note()).isTrue();
            var answer = (Answer) ORACLE.expect(line);
            assertThat(answer.ids()).as(random.note()).contains(message.at("id").write());
        }
    }

    @Test
    void makesLinesOfEveryKind() {
        var random = Generators.of(7);
        var kinds = new HashSet<String>();
        var codes = new HashSet<Integer>();
        for (int i = 0; i < 5_000; i++) {
            Sample sample = random.line();
            kinds.add(sample.label());
            assertThat(sample.line()).as(sample.toString()).doesNotContain('\n');
            if (ORACLE.expect(sample.line()) instanceof Answer answer) {
                codes.addAll(answer.codes());
            }
        }
        assertThat(codes).contains(-32700, -32600, -32601, -32602);
        assertThat(kinds)
                .contains("request", "modern request", "illegal id", "mutation", "batch", "blank");
    }

    @Test
    void spellsAStringInManyWays() {
        var random = Generators.of(1);
        for (int i = 0; i < 500; i++) {
            String value = random.nastyString();
            assertThat(StrictJson.parse(random.literal(value)).text()).isEqualTo(value);
        }
    }

    @Test
    void writesEveryValueItMakes() {
        var random = Generators.of(2);
        for (int i = 0; i < 500; i++) {
            JsonTree value = random.value(5);
            assertThat(StrictJson.parse(value.write())).isEqualTo(value);
        }
    }

    @Test
    void shrinksToWhatMatters() {
        byte[] failing = Text.bytes("x".repeat(500) + "\"\\ud800\"" + "y".repeat(500));
        byte[] small =
                Shrinker.shrink(
                        failing,
                        line -> new String(line, StandardCharsets.UTF_8).contains("ud800"));
        assertThat(new String(small, StandardCharsets.UTF_8)).isEqualTo("ud800");
    }

    private static List<String> lines(Generators random) {
        var lines = new ArrayList<String>();
        for (int i = 0; i < 100; i++) {
            lines.add(random.line().toString());
        }
        return lines;
    }
}
