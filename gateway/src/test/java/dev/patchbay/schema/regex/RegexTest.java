package dev.patchbay.schema.regex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;
import java.util.regex.Pattern;

/** Patterns mean what ECMA-262 says. */
class RegexTest {
    private static final long SEED = 20_261_115;

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '`',
            value = {
                "a+ xaay true",
                "^a$ a true",
                "^a$ `a\n` false",
                "^.$ `\r` false",
                "^.$ \u0085 true",
                "^.$ 😀 true",
                "^\\p{Letter}+$ πß true",
                "^\\p{Lu}\\P{Lu}$ Ab true",
                "^\\p{Script=Greek}$ π true",
                "^\\d$ ٣ false",
                "^\\w$ é false",
                "^\\s$ \u00a0 true",
                "^\\S$ \ufeff false",
                "^\\u{1F600}$ 😀 true",
                "^\\ud83d\\ude00$ 😀 true",
                "^[^\\x41-Z]$ B false",
                "^[\\w-.]+$ a-b. true",
                "^[a-]+$ a- true",
                "^[[]]$ []] false",
                "^[a&&b]$ & true",
                "^[]$ x false",
                "^[^]$ x true",
                "^[\\b]$ `\u0008` true",
                "^\\cA$ `\u0001` true",
                "^\\/\\-\\_$ /-_ true",
            })
    void matchesCharactersAsEcmaSpecifies(String pattern, String text, boolean found) {
        assertThat(isFound(pattern, text)).isEqualTo(found);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '`',
            value = {
                "^a{2,3}$ aaaa false",
                "^a{2,}$ aaaa true",
                "^a{,3}$ a{,3} true",
                "^{x}$ {x} true",
                "^(?=.*[A-Z])(?=.*\\d).{3,}$ a1B true",
                "^(?!foo)\\w+$ foobar false",
                "(?<=\\$)\\d+ cost$42 true",
                "(?<!\\$)\\b\\d+ cost$42 false",
                "(?<=ab+)c xabbbc true",
                "\\bfoo\\b `a foo b` true",
                "\\Bfoo foo false",
                "^(?<year>\\d{4})-(?:\\d\\d)$ 2026-11 true",
                "^(?P<year>\\d{4})$ 2026 true",
                "\\Aab\\Z ab true",
                "^(a|b|)+$ abba true",
                "^(a*)*$ aaab false",
                "^(|a)+$ aa true",
            })
    void combinesPatternsAsEcmaSpecifies(String pattern, String text, boolean found) {
        assertThat(isFound(pattern, text)).isEqualTo(found);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(",
                ")",
                "[",
                "[b-a]",
                "a{2,1}",
                "*",
                "a**",
                "(?",
                "(?x)",
                "(?<n",
                "\\",
                "[\\",
                "\\a",
                "\\p",
                "\\p{Nope}",
                "\\p{Script=Nope}",
                "\\x4",
                "\\u12",
                "\\u{}",
                "\\u{110000}",
                "\\c1",
                "\\1",
                "\\01",
                "\\k<n>",
                "a{100001}"
            })
    void rejectsInvalidPatterns(String pattern) {
        assertThatThrownBy(() -> Regex.of(pattern, 10_000))
                .isInstanceOf(RegexSyntaxException.class);
    }

    @Test
    void agreesWithJavaUtilRegex() {
        var random = new Random(SEED);
        for (int i = 0; i < 20_000; i++) {
            String pattern = pattern(random, 3);
            String text = text(random);
            if (isFound(pattern, text) != Pattern.compile(pattern).matcher(text).find()) {
                fail("%s in %s, seed %d, case %d", pattern, text, SEED, i);
            }
        }
    }

    private static String pattern(Random random, int depth) {
        if (depth == 0) {
            String[] atoms = {"a", "b", ".", "[ab]", "[^a]", "\\w", "^", "\\z", "\\b", ""};
            return atoms[random.nextInt(atoms.length)];
        }
        String one = pattern(random, depth - 1);
        String other = pattern(random, depth - 1);
        return switch (random.nextInt(8)) {
            case 0 -> one + "|" + other;
            case 1 -> "(" + one + ")*" + other;
            case 2 -> "(?:" + one + ")+?" + other;
            case 3 -> "(" + one + ")?" + other;
            case 4 -> "(?:" + one + "){1,2}" + other;
            case 5 -> "(?=" + one + ")" + other;
            case 6 -> "(?!" + one + ")" + other;
            default -> one + other;
        };
    }

    private static String text(Random random) {
        var text = new StringBuilder();
        for (int length = random.nextInt(7); length > 0; length--) {
            text.append("ab -".charAt(random.nextInt(4)));
        }
        return text.toString();
    }

    private static boolean isFound(String pattern, String text) {
        return Regex.of(pattern, 10_000).isFoundIn(text, _ -> {});
    }
}
