package dev.patchbay.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class CoalescingOutputStreamTest {
    private static final int WRITE_BYTES = CoalescingOutputStream.WRITE_BYTES;

    private final List<byte[]> sources = new ArrayList<>();
    private final List<Integer> writes = new ArrayList<>();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final CoalescingOutputStream out =
            new CoalescingOutputStream(new RecordingOutputStream());

    @RepeatedTest(200)
    void writesTheSameBytesForAnyChunking(RepetitionInfo run) throws IOException {
        var random = new Random(run.getCurrentRepetition());
        var given = new ByteArrayOutputStream();
        for (int i = random.nextInt(20); i >= 0; i--) {
            byte[] piece = new byte[length(random)];
            random.nextBytes(piece);
            out.write(piece, 0, piece.length);
            given.write(piece, 0, piece.length);
            if (random.nextInt(3) == 0) {
                out.write('\n');
                given.write('\n');
            }
            if (random.nextInt(8) == 0) {
                out.flush();
            }
        }
        out.flush();
        assertThat(written.toByteArray()).isEqualTo(given.toByteArray());
    }

    @Test
    void longLineIsWrittenInFullChunksWithItsEnds() throws IOException {
        byte[] body = new byte[3 * WRITE_BYTES];
        out.write(new byte[40], 0, 40);
        out.write(body, 0, body.length);
        out.write('}');
        out.write('\n');
        out.flush();
        assertThat(writes).containsExactly(WRITE_BYTES, 2 * WRITE_BYTES, 42);
        assertThat(sources.get(1)).as("its middle is not copied").isSameAs(body);
    }

    private static int length(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(4);
            case 1 -> random.nextInt(5_000);
            case 2 -> WRITE_BYTES - 2 + random.nextInt(4);
            default -> random.nextInt(4 * WRITE_BYTES);
        };
    }

    /** Notes each write and the array it came from. */
    private final class RecordingOutputStream extends OutputStream {
        @Override
        public void write(int b) {
            throw new AssertionError("a write of one byte");
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            assertThat(length).isPositive();
            sources.add(bytes);
            writes.add(length);
            written.write(bytes, from, length);
        }
    }
}
