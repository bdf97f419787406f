package dev.patchbay.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.repl.Printed.Target;

import org.junit.jupiter.api.Test;

/** What is kept of what is printed. */
class TranscriptTest {
    @Test
    void keepsTheBeginningAndCountsTheRest() {
        var transcript = new Transcript(5);
        transcript.printed(Target.OUT, "abc");
        transcript.printed(Target.ERR, "def");
        transcript.printed(Target.OUT, "g");
        assertThat(transcript.text(Target.OUT)).isEqualTo("abc");
        assertThat(transcript.text(Target.ERR)).isEqualTo("de");
        assertThat(transcript.droppedChars()).isEqualTo(2);
        assertThat(transcript.length()).isEqualTo(5);
    }

    @Test
    void doesNotCutACharacterInTwo() {
        var transcript = new Transcript(2);
        transcript.printed(Target.OUT, "a😀");
        assertThat(transcript.text(Target.OUT)).isEqualTo("a");
        assertThat(transcript.droppedChars()).isEqualTo(2);
    }

    @Test
    void keepsManySmallPrintsInOrder() {
        var transcript = new Transcript(100_000);
        var expected = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            transcript.printed(Target.OUT, i + " ");
            expected.append(i).append(' ');
        }
        assertThat(transcript.text(Target.OUT)).isEqualTo(expected.toString());
        assertThat(transcript.pieces()).hasSizeLessThan(20);
    }
}
