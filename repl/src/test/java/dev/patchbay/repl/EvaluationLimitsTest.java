package dev.patchbay.repl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/** The bounds of limits. */
class EvaluationLimitsTest {
    @Test
    void defaultsAreAsDocumented() {
        assertThat(EvaluationLimits.DEFAULTS.timeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(EvaluationLimits.DEFAULTS.outputCharsMax()).isEqualTo(100_000);
    }

    @Test
    void rejectsZeroNegativeAndUnlimitedValues() {
        for (long millis : List.of(0L, -5L, 99L, 600_001L, Long.MAX_VALUE)) {
            assertThatThrownBy(() -> new EvaluationLimits(Duration.ofMillis(millis), 100_000))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("timeoutMs");
        }
        for (int chars : List.of(0, -1, 999, 500_001, Integer.MAX_VALUE)) {
            assertThatThrownBy(() -> new EvaluationLimits(Duration.ofSeconds(1), chars))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("outputChars");
        }
    }
}
