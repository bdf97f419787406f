package dev.patchbay.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

class DisplayTextTest {
    private static final String SET_CLIPBOARD = "\u001b]52;c;cm0gLXJmIH4=\u0007";
    private static final String CLEAR_SCREEN = "\u001b[2J\u001b[H";
    private static final String RIGHT_TO_LEFT = "\u202e";

    @Test
    void escapesTerminalSequences() {
        assertThat(DisplayText.escape("a" + SET_CLIPBOARD))
                .isEqualTo("a\\u001b]52;c;cm0gLXJmIH4=\\u0007");
        assertThat(DisplayText.escape(CLEAR_SCREEN)).isEqualTo("\\u001b[2J\\u001b[H");
        assertThat(DisplayText.escape("\u009b2J\u009d52;c;x\u009c"))
                .isEqualTo("\\u009b2J\\u009d52;c;x\\u009c");
    }

    @Test
    void escapesLineBreaksAndBidiControls() {
        assertThat(DisplayText.escape("a\r\n\tb\u2028c\u0085d"))
                .isEqualTo("a\\r\\n\\tb\\u2028c\\u0085d");
        assertThat(DisplayText.escape("exe" + RIGHT_TO_LEFT + "gpj.\u2066x\u2069\u200f\u061c"))
                .isEqualTo("exe\\u202egpj.\\u2066x\\u2069\\u200f\\u061c");
    }

    @Test
    void escapesInvisibleAndUnpairedCharacters() {
        assertThat(DisplayText.escape("\u00ad\u200b\ufeff\ud800\udb40\udc41\ue000\0"))
                .isEqualTo("\\u00ad\\u200b\\ufeff\\ud800\\udb40\\udc41\\ue000\\u0000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain text", "é ünï ß", "日本語", "😀", "a … b", "a\u00a0b"})
    void keepsPrintableText(String text) {
        assertThat(DisplayText.escape(text)).isEqualTo(text);
        assertThat(DisplayText.multiLine(text)).isEqualTo(text);
        assertThat(DisplayText.oneLine(text)).isEqualTo(text);
    }

    @Test
    void oneLineHasSpacesForLineBreaks() {
        assertThat(DisplayText.oneLine(" first\r\nsecond\tthird\u2029" + CLEAR_SCREEN + " \n"))
                .isEqualTo("first  second third \\u001b[2J\\u001b[H");
    }

    @Test
    void multiLineKeepsLayoutOnly() {
        assertThat(DisplayText.multiLine("a\r\n\tb\rc\n" + SET_CLIPBOARD + RIGHT_TO_LEFT))
                .isEqualTo("a\n\tb\\rc\n\\u001b]52;c;cm0gLXJmIH4=\\u0007\\u202e");
        assertThat(DisplayText.multiLine("👩\u200d🚀 می\u200cخواهم"))
                .isEqualTo("👩\u200d🚀 می\u200cخواهم");
    }

    @Test
    void everyCharacterIsSafeInEveryForm() {
        var all = new StringBuilder();
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            all.appendCodePoint(c).append('x'); // so that no two surrogates make a pair
        }
        assertThat(DisplayText.escape(all.toString()))
                .doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");
        assertThat(DisplayText.oneLine(all.toString()))
                .doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");
        assertThat(DisplayText.multiLine(all.toString()))
                .doesNotContainPattern(
                        "[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}&&[^\n\t\u200c\u200d]]");
    }

    @ParameterizedTest
    @CsvSource({"abc, 3, abc", "abcd, 3, abc…", "a😀b, 2, a…", "a😀b, 3, a😀…"})
    void truncatesWithoutSplittingCharacters(String text, int charsMax, String expected) {
        assertThat(DisplayText.truncate(text, charsMax)).isEqualTo(expected);
        assertThat(DisplayText.escape(text, charsMax)).isEqualTo(expected);
    }

    @Test
    void boundsQuotesAndExcerpts() {
        assertThat(DisplayText.quote("a\nb")).isEqualTo("\"a\\nb\"");
        assertThat(DisplayText.quote("x".repeat(100_000))).hasSizeLessThan(100);
        assertThat(DisplayText.quoteName("a\u001bb")).isEqualTo("'a\\u001bb'");
        assertThat(DisplayText.quoteName("x".repeat(100_000))).hasSizeLessThan(300);
        assertThat(DisplayText.message("it\nfailed")).isEqualTo("it failed");
        assertThat(DisplayText.message("x".repeat(100_000))).hasSizeLessThan(400);
        byte[] page =
                ("<html>\r\n\r\n  <b>\u001b[31m" + "x".repeat(1_000))
                        .getBytes(StandardCharsets.UTF_8);
        assertThat(DisplayText.excerpt(page))
                .startsWith("<html> <b>\\u001b[31mxx")
                .hasSizeLessThan(250);
        assertThat(DisplayText.excerpt(new byte[] {(byte) 0xFF, 'a'})).isEqualTo("\uFFFDa");
    }
}
