package dev.patchbay.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.Json;
import dev.patchbay.json.MemberFinder;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

class WriteBatchTest {
    private final CountingOutputStream out = new CountingOutputStream();
    private final LineWriter writer = LineWriter.withSenderWrites(out, 1 << 20);

    @Test
    void writesOncePerRead() throws IOException {
        echo(new ByteArrayInputStream("1\n2\n3\n4\n".getBytes(StandardCharsets.US_ASCII)));
        assertThat(out.toString(StandardCharsets.US_ASCII)).isEqualTo("1\n2\n3\n4\n");
        assertThat(out.writes).isOne();
    }

    @Test
    void writesASingleLineImmediately() throws IOException {
        writer.send(EncodedJson.of(Json.of("1")));
        assertThat(out.writes).isOne();
    }

    @Test
    void keepsTheOrderOfLongAndShortLines() throws IOException {
        String large = "\"" + "x".repeat(100_000) + "\"";
        String lines = "1\n" + large + "\n2\n3\n" + large + "\n4\n";
        echo(new ByteArrayInputStream(lines.getBytes(StandardCharsets.US_ASCII)));
        assertThat(out.toString(StandardCharsets.US_ASCII)).isEqualTo(lines);
    }

    @Test
    void continuesAfterALineThatFillsTheQueue() throws IOException {
        String large = "\"" + "x".repeat((1 << 20) - 10) + "\"";
        String lines = "1\n" + large + "\n2\n";
        echo(new ByteArrayInputStream(lines.getBytes(StandardCharsets.US_ASCII)));
        assertThat(out.toString(StandardCharsets.US_ASCII)).isEqualTo(lines);
    }

    private void echo(InputStream in) throws IOException {
        new LineReader(in, 2 << 20)
                .run(
                        new LineReader.LineSink() {
                            @Override
                            public void onLine(byte[] line, int length) {
                                try {
                                    writer.send(
                                            EncodedJson.of(
                                                    Json.of(
                                                            new String(
                                                                    line,
                                                                    0,
                                                                    length,
                                                                    StandardCharsets.US_ASCII))));
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            }

                            @Override
                            public void onSkippedLine(MemberFinder finder, String why) {
                                throw new AssertionError(why);
                            }
                        });
    }

    /** Counts how often it is written to. */
    private static final class CountingOutputStream extends ByteArrayOutputStream {
        private int writes;

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            writes++;
            super.write(bytes, from, length);
        }
    }
}
