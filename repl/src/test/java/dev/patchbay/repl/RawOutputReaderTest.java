package dev.patchbay.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.repl.OutputListener.StandardStream;
import dev.patchbay.repl.kernel.KernelChannel;

import org.junit.jupiter.api.Test;

import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Marks in a raw descriptor, and the text around them. */
class RawOutputReaderTest {
    private static final String SECRET = "5ec7e7";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final CapturedOutput printed = new CapturedOutput(1_000);
    private final PipedOutputStream pipe = new PipedOutputStream();

    private RawOutputReader startReader() throws Exception {
        var raw =
                new RawOutputReader(
                        new PipedInputStream(pipe), StandardStream.OUT, printed, SECRET);
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
    void removesMarksHoweverTheyAreSplit() throws Exception {
        var raw = startReader();
        byte[] mark = KernelChannel.markOf(SECRET, 1);
        write("before");
        for (byte b : mark) {
            write(new byte[] {b});
        }
        write("after");
        write(KernelChannel.markOf(SECRET, 2));
        assertThat(raw.awaitMark(2, TIMEOUT)).isTrue();
        assertThat(printed.text(StandardStream.OUT)).isEqualTo("beforeafter");
    }

    @Test
    void passesOnTextThatResemblesMark() throws Exception {
        var raw = startReader();
        write("a\0b\0" + SECRET.substring(0, 3) + "\0c");
        write(KernelChannel.markOf(SECRET, 1));
        assertThat(raw.awaitMark(1, TIMEOUT)).isTrue();
        assertThat(printed.text(StandardStream.OUT))
                .isEqualTo("a\0b\0" + SECRET.substring(0, 3) + "\0c");
    }

    @Test
    void joinsSplitCharacters() throws Exception {
        var raw = startReader();
        for (byte b : "é😀".getBytes(StandardCharsets.UTF_8)) {
            write(new byte[] {b});
        }
        write(KernelChannel.markOf(SECRET, 1));
        assertThat(raw.awaitMark(1, TIMEOUT)).isTrue();
        assertThat(printed.text(StandardStream.OUT)).isEqualTo("é😀");
    }

    @Test
    void awaitMarkTimesOut() throws Exception {
        var raw = startReader();
        write("text");
        assertThat(raw.awaitMark(1, Duration.ofMillis(20))).isFalse();
        pipe.close();
        assertThat(raw.awaitMark(1, TIMEOUT)).isTrue();
        assertThat(printed.text(StandardStream.OUT)).isEqualTo("text");
    }
}
