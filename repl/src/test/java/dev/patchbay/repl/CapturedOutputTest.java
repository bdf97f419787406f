package dev.patchbay.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.repl.OutputListener.StandardStream;

import org.junit.jupiter.api.Test;

/** What is kept of what is printed. */
class CapturedOutputTest {
    @Test
    void keepsBeginningAndCountsDroppedChars() {
        var transcript = new CapturedOutput(5);
        transcript.onOutput(StandardStream.OUT, "abc");
        transcript.onOutput(StandardStream.ERR, "def");
        transcript.onOutput(StandardStream.OUT, "g");
        assertThat(transcript.text(StandardStream.OUT)).isEqualTo("abc");
        assertThat(transcript.text(StandardStream.ERR)).isEqualTo("de");
        assertThat(transcript.droppedChars()).isEqualTo(2);
        assertThat(transcript.length()).isEqualTo(5);
    }

    @Test
    void doesNotSplitSurrogatePair() {
        var transcript = new CapturedOutput(2);
        transcript.onOutput(StandardStream.OUT, "a😀");
        assertThat(transcript.text(StandardStream.OUT)).isEqualTo("a");
        assertThat(transcript.droppedChars()).isEqualTo(2);
    }

    @Test
    void keepsManySmallOutputsInOrder() {
        var transcript = new CapturedOutput(100_000);
        var expected = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            transcript.onOutput(StandardStream.OUT, i + " ");
            expected.append(i).append(' ');
        }
        assertThat(transcript.text(StandardStream.OUT)).isEqualTo(expected.toString());
        assertThat(transcript.chunks()).hasSizeLessThan(20);
    }
}
