package dev.patchbay.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void wrapsAtSpaces() {
        assertThat(TextTable.wrap("command not found: uvxx", 11, 5))
                .containsExactly("command not", "found: uvxx");
    }

    @Test
    void splitsWordsThatAreLongerThanTheLine() {
        assertThat(TextTable.wrap("abcdefgh ij", 5, 5)).containsExactly("abcde", "fgh", "ij");
    }

    @Test
    void cutsWhatDoesNotFit() {
        assertThat(TextTable.wrap("one two three four", 8, 2))
                .containsExactly("one two", "three f…");
        assertThat(TextTable.wrap("one two", 5, 1)).containsExactly("one …");
    }
}
