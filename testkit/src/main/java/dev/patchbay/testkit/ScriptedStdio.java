package dev.patchbay.testkit;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** The standard streams of a {@link ScriptedServer}, with the noise its script wants on them. */
final class ScriptedStdio {
    private static final int READ_BYTES = 64 * 1024;
    private static final int CHUNK_BYTES = 64 * 1024;

    private final FileInputStream in = new FileInputStream(FileDescriptor.in);
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    private final ServerRecordingWriter traffic;
    private final String strayBeforeFirst;
    private final String strayBeforeEach;
    private final String lineEnd;
    private boolean hasWritten;
    private volatile boolean readingStopped;

    ScriptedStdio(ScriptedServerOptions options, ServerRecordingWriter traffic) {
        this.traffic = traffic;
        this.strayBeforeFirst = options.text("before", "");
        this.strayBeforeEach = options.text("among", "");
        this.lineEnd = options.text("line-end", "lf").equals("crlf") ? "\r\n" : "\n";
    }

    /** Hands each line over until the input ends or nobody shall read it any more. */
    void readLines(Consumer<byte[]> lines) throws IOException {
        var splitter =
                new LineSplitter(
                        line -> {
                            traffic.received(line);
                            lines.accept(line);
                        });
        byte[] buffer = new byte[READ_BYTES];
        int n = in.read(buffer);
        while (n >= 0 && !readingStopped) {
            splitter.accept(buffer, n);
            n = readingStopped ? -1 : in.read(buffer);
        }
    }

    /** Stops reading for good. */
    void stopReading() {
        readingStopped = true;
    }

    boolean hasStoppedReading() {
        return readingStopped;
    }

    /** Writes a message as one line, after the noise the script wants. */
    synchronized void writeLine(String json) {
        if (!hasWritten) {
            hasWritten = true;
            writeBytes(StrayOutputSamples.bytesOf(strayBeforeFirst));
        }
        writeBytes(StrayOutputSamples.bytesOf(strayBeforeEach));
        traffic.sent(Utf8Text.encode(json));
        writeBytes(Utf8Text.encode(json + lineEnd));
    }

    /** Writes bytes as they are; they count as no message. */
    synchronized void writeBytes(byte[] bytes) {
        try {
            out.write(bytes);
        } catch (IOException e) {
            ProcessFaults.exit(1); // nobody reads: what other servers do, too
        }
    }

    /** Writes a head, a filling of so many letters, and a tail, without building the whole. */
    synchronized void writeFilled(String head, long letters, String tail) {
        writeBytes(Utf8Text.encode(head));
        byte[] chunk = new byte[CHUNK_BYTES];
        Arrays.fill(chunk, (byte) 'x');
        for (long left = letters; left > 0; left -= chunk.length) {
            writeBytes(left < chunk.length ? Arrays.copyOf(chunk, (int) left) : chunk);
        }
        writeBytes(Utf8Text.encode(tail));
    }

    /** Writes one byte, waits, writes the next; nothing else can be written meanwhile. */
    synchronized void writeSlowly(byte[] bytes, long pauseMillis) {
        for (byte b : bytes) {
            writeBytes(new byte[] {b});
            sleep(pauseMillis);
        }
    }

    void writeStderr(byte[] bytes) {
        try {
            err.write(bytes);
        } catch (IOException e) {
            // nobody listens, which is the listener's affair
        }
    }

    void closeInput() {
        readingStopped = true;
        close(in);
    }

    void closeOutput() {
        close(out);
    }

    static void sleep(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static void close(AutoCloseable stream) {
        try {
            stream.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
