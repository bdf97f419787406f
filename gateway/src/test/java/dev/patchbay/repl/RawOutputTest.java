package dev.patchbay.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.repl.Printed.Target;
import dev.patchbay.repl.kernel.Wire;

import org.junit.jupiter.api.Test;

import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Marks in a raw descriptor, and the text around them. */
class RawOutputTest {
    private static final String SECRET = "5ec7e7";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Transcript printed = new Transcript(1_000);
    private final PipedOutputStream pipe = new PipedOutputStream();

    private RawOutput started() throws Exception {
        var raw = new RawOutput(new PipedInputStream(pipe), Target.OUT, printed, SECRET);
        raw.start();
        return raw;
    }

    private void write(byte[] bytes) throws Exception {
        pipe.write(bytes);
        pipe.flush();
    }

    private void write(String text) throws Exception {
        write(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void takesMarksOutWhereverTheyAreSplit() throws Exception {
        var raw = started();
        byte[] mark = Wire.markOf(SECRET, 1);
        write("before");
        for (byte b : mark) {
            write(new byte[] {b});
        }
        write("after");
        write(Wire.markOf(SECRET, 2));
        assertThat(raw.awaitMark(2, PATIENCE)).isTrue();
        assertThat(printed.text(Target.OUT)).isEqualTo("beforeafter");
    }

    @Test
    void passesOnWhatOnlyLooksLikeAMark() throws Exception {
        var raw = started();
        write("a\0b\0" + SECRET.substring(0, 3) + "\0c");
        write(Wire.markOf(SECRET, 1));
        assertThat(raw.awaitMark(1, PATIENCE)).isTrue();
        assertThat(printed.text(Target.OUT)).isEqualTo("a\0b\0" + SECRET.substring(0, 3) + "\0c");
    }

    @Test
    void joinsCharactersThatComeInPieces() throws Exception {
        var raw = started();
        for (byte b : "é😀".getBytes(StandardCharsets.UTF_8)) {
            write(new byte[] {b});
        }
        write(Wire.markOf(SECRET, 1));
        assertThat(raw.awaitMark(1, PATIENCE)).isTrue();
        assertThat(printed.text(Target.OUT)).isEqualTo("é😀");
    }

    @Test
    void doesNotWaitForAMarkThatNeverComes() throws Exception {
        var raw = started();
        write("text");
        assertThat(raw.awaitMark(1, Duration.ofMillis(20))).isFalse();
        pipe.close();
        assertThat(raw.awaitMark(1, PATIENCE)).isTrue();
        assertThat(printed.text(Target.OUT)).isEqualTo("text");
    }
}
