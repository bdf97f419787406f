package dev.patchbay.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

/** What becomes of variables in texts. */
class VariableExpanderTest {
    private final VariableExpander variables =
            new VariableExpander(Map.of("A", "one", "EMPTY", "", "D", "${A}"));

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "plain,plain",
                "$A $,$A $",
                "${A},one",
                "x${A}${A}y,xoneoney",
                "${A:-two},one",
                "${NO:-two},two",
                "${NO:-},``",
                "${EMPTY},``",
                "${EMPTY:-two},two",
                "${NO:-a:-b},a:-b",
                "${env:A},one",
                "${env:NO:-two},two",
                "$${A},${A}",
                "${D},${A}",
            })
    void expandsVariables(String text, String expanded) {
        assertThat(variables.expand(text).value().literalText()).isEqualTo(expanded);
        assertThat(variables.expand(text).isComplete()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"${}", "${1}", "${a b}", "${input:x}", "${A", "${:-x}", "${A-x}"})
    void reportsInvalidVariableSyntax(String text) {
        assertThat(variables.expand(text).illegal()).hasSize(1);
    }

    @Test
    void reportsMissingVariables() {
        assertThat(variables.expand("${X}${A}${Y}").missing()).containsExactly("X", "Y");
    }
}
