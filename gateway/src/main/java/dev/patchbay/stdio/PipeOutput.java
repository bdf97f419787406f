package dev.patchbay.stdio;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/**
 * The standard input of a child, which knows for how long the child has not read. A write to a full
 * pipe cannot be interrupted, and closing the pipe waits for the write: only the end of the child
 * frees the writer.
 */
final class PipeOutput extends OutputStream {
    /** What a pipe takes at once, so that each piece that is read counts as progress. */
    private static final int PIECE_BYTES = 64 * 1024;

    /** A write to the pipe, or the last part of one. */
    private interface Step {
        void run() throws IOException;
    }

    private final OutputStream pipe;
    private final Runnable broken;
    private volatile long sinceNanos;
    private volatile boolean writing;

    PipeOutput(OutputStream pipe, Runnable broken) {
        this.pipe = pipe;
        this.broken = broken;
    }

    @Override
    public void write(int b) throws IOException {
        step(() -> pipe.write(b));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        for (int done = 0; done < length; done += PIECE_BYTES) {
            int from = offset + done;
            int count = Math.min(PIECE_BYTES, length - done);
            step(() -> pipe.write(bytes, from, count));
        }
    }

    @Override
    public void flush() throws IOException {
        step(pipe::flush);
    }

    @Override
    public void close() throws IOException {
        pipe.close();
    }

    /** For how long what is being written now has not been taken. */
    Duration stalled() {
        return writing ? Duration.ofNanos(System.nanoTime() - sinceNanos) : Duration.ZERO;
    }

    private void step(Step step) throws IOException {
        sinceNanos = System.nanoTime();
        writing = true;
        try {
            step.run();
        } catch (IOException e) {
            broken.run();
            throw e;
        } finally {
            writing = false;
        }
    }
}
