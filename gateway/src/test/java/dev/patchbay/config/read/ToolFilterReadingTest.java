package dev.patchbay.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which tools of a server clients get, as it is written in the file. */
class ToolFilterReadingTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'tools': {} | * |",
                "'tools': ['a', 'b*'] | a b* |",
                "'tools': {'include': []} | \"\" |",
                "'tools': {'exclude': ['w*', 'x']} | * | w* x",
            })
    void readsIncludeAndExcludePatterns(String member, String include, String exclude) {
        String text =
                ConfigSamples.fileWithServer(("'command': 'c', " + member).replace('\'', '"'));
        var filter =
                ConfigSamples.readValid(text)
                        .configuration()
                        .servers()
                        .getFirst()
                        .options()
                        .tools();
        assertThat(String.join(" ", filter.include())).isEqualTo(include);
        assertThat(String.join(" ", filter.exclude())).isEqualTo(exclude == null ? "" : exclude);
    }

    @Test
    void reportsErrorsInFilter() {
        String wrong =
                "\"command\": \"c\", \"tools\": {\"include\": [\"\"], \"exclude\": \"x\","
                        + " \"deny\": [], \"a\": 1}";
        assertThat(ConfigSamples.findingLines(ConfigSamples.fileWithServer(wrong)))
                .anyMatch(it -> it.contains("tools.include") && it.contains("A pattern is empty"))
                .anyMatch(it -> it.contains("tools.exclude") && it.contains("an array of strings"))
                .anyMatch(it -> it.contains("tools.deny") && it.contains("exclude"))
                .hasSize(4);
    }
}
