package dev.patchbay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

class ToolFilterTest {
    @ParameterizedTest
    @CsvSource({
        "read, read, true",
        "read, Read, false",
        "read, reads, false",
        "read*, read, true",
        "read*, read_file, true",
        "*file, read_file, true",
        "*file, read_files, false",
        "*, '', true",
        "*, anything, true",
        "**, anything, true",
        "a*b*c, abc, true",
        "a*b*c, aXbYbZc, true",
        "a*b*c, aXbYbZ, false",
        "r?ad, read, false",
        "r.ad, read, false",
        "files.*, files.read, true",
    })
    void starMatchesAnyCharactersAndNothingElseIsSpecial(
            String pattern, String tool, boolean fits) {
        assertThat(ToolFilter.matches(pattern, tool)).isEqualTo(fits);
    }

    /** Against the same pattern as a regular expression. */
    @Test
    void agreesWithRegularExpressions() {
        long seed = System.nanoTime();
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 20_000; i++) {
            String pattern = word(random, "ab*");
            String tool = word(random, "ab");
            boolean fits = Pattern.matches(pattern.replace("*", ".*"), tool);
            assertThat(ToolFilter.matches(pattern, tool))
                    .as("%s, %s, seed %d", pattern, tool, seed)
                    .isEqualTo(fits);
        }
    }

    private static String word(SplittableRandom random, String letters) {
        var word = new StringBuilder();
        for (int left = random.nextInt(9); left > 0; left--) {
            word.append(letters.charAt(random.nextInt(letters.length())));
        }
        return word.toString();
    }

    @Test
    void hostilePatternIsCheap() {
        String pattern = "*a".repeat(ToolFilter.PATTERN_CHARS_MAX / 2 - 1) + "b";
        String tool = "a".repeat(10_000);
        var watch = Stopwatch.start();
        assertThat(ToolFilter.matches(pattern, tool)).isFalse();
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void excludeOverridesInclude() {
        var filter = new ToolFilter(List.of("read_*", "write_note"), List.of("*_secret"));
        assertThat(filter.allows("read_file")).isTrue();
        assertThat(filter.allows("write_note")).isTrue();
        assertThat(filter.allows("write_file")).isFalse();
        assertThat(filter.allows("read_secret")).isFalse();
        assertThat(filter.exclusionReason("read_secret")).contains("exclude", "\"*_secret\"");
        assertThat(filter.exclusionReason("write_file")).contains("include");
    }

    @Test
    void defaultAllowsAllAndEmptyIncludeAllowsNothing() {
        assertThat(ToolFilter.ALLOW_ALL.allows("x")).isTrue();
        assertThat(ToolFilter.ALLOW_ALL.allowsAll()).isTrue();
        assertThat(ToolFilter.including().allows("x")).isFalse();
        assertThat(ToolFilter.excluding("y").allows("x")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, ToolFilter.PATTERN_CHARS_MAX + 1})
    void patternLengthIsBounded(int chars) {
        assertThatThrownBy(() -> ToolFilter.excluding("x".repeat(chars)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("exclude");
    }

    @Test
    void patternCountIsBounded() {
        List<String> many = Collections.nCopies(ToolFilter.PATTERNS_MAX + 1, "x");
        assertThatThrownBy(() -> new ToolFilter(many, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("include");
    }
}
