package dev.patchbay.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.MemberFinder;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class LineReaderTest {
    private static final int LINE_BYTES_MAX = 300_000;
    private static final String TOO_LONG = "too long";

    @RepeatedTest(200)
    void splitsAtLineFeedsForAnyChunking(RepetitionInfo run) throws IOException {
        var random = new Random(run.getCurrentRepetition());
        var lines = new ArrayList<String>();
        for (int i = random.nextInt(12); i >= 0; i--) {
            lines.add("x".repeat(length(random)));
        }
        boolean ended = random.nextBoolean();
        String text = String.join("\n", lines) + (ended ? "\n" : "");
        assertThat(read(new RandomChunkStream(text, random))).isEqualTo(expected(lines));
    }

    @Test
    void acceptsALineOfExactlyTheLimitAndNoLonger() throws IOException {
        String longest = "y".repeat(LINE_BYTES_MAX);
        for (var end : List.of("", "\n", "\nz\n")) {
            var in = new ByteArrayInputStream((longest + end).getBytes(StandardCharsets.UTF_8));
            assertThat(read(in)).startsWith(longest);
            in = new ByteArrayInputStream(("y" + longest + end).getBytes(StandardCharsets.UTF_8));
            assertThat(read(in)).startsWith(TOO_LONG);
        }
    }

    private static int length(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(20);
            case 1 -> random.nextInt(70_000);
            case 2 -> random.nextInt(2 * LINE_BYTES_MAX);
            default -> 65_530 + random.nextInt(12);
        };
    }

    private static List<String> expected(List<String> lines) {
        return lines.stream()
                .filter(line -> !line.isEmpty())
                .map(line -> line.length() > LINE_BYTES_MAX ? TOO_LONG : line)
                .toList();
    }

    private static List<String> read(InputStream in) throws IOException {
        var lines = new ArrayList<String>();
        new LineReader(in, LINE_BYTES_MAX)
                .run(
                        new LineReader.LineSink() {
                            @Override
                            public void onLine(byte[] bytes, int length) {
                                lines.add(new String(bytes, 0, length, StandardCharsets.UTF_8));
                            }

                            @Override
                            public void onSkippedLine(MemberFinder finder, String why) {
                                lines.add(TOO_LONG);
                            }
                        });
        return lines;
    }

    /** A stream that gives as little or as much at a time as it likes. */
    private static final class RandomChunkStream extends InputStream {
        private final byte[] bytes;
        private final Random random;
        private int at;

        RandomChunkStream(String text, Random random) {
            this.bytes = text.getBytes(StandardCharsets.UTF_8);
            this.random = random;
        }

        @Override
        public int read() {
            return at < bytes.length ? bytes[at++] & 0xFF : -1;
        }

        @Override
        public int read(byte[] target, int from, int wanted) {
            if (at == bytes.length) {
                return -1;
            }
            int most = random.nextInt(4) == 0 ? 10 : 65_536;
            int length = Math.min(Math.min(wanted, bytes.length - at), 1 + random.nextInt(most));
            System.arraycopy(bytes, at, target, from, length);
            at += length;
            return length;
        }
    }
}
