package dev.patchbay.stdio;

import dev.patchbay.time.Ticker;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/**
 * The standard input of a child, with the time for which the child has not read. A write to a full
 * pipe cannot be interrupted, and closing the pipe waits for the write: only the end of the child
 * unblocks the writer.
 */
final class StallTrackingOutputStream extends OutputStream {
    /** What a pipe takes at once, so that every read counts as progress. */
    private static final int CHUNK_BYTES = 64 * 1024;

    /** A write to the pipe, or the last part of one. */
    private interface WriteStep {
        void run() throws IOException;
    }

    private final OutputStream pipe;
    private final Ticker ticker;
    private final Runnable onBroken;
    private volatile long writeStartedNanos;
    private volatile boolean writing;

    StallTrackingOutputStream(OutputStream pipe, Runnable broken, Ticker ticker) {
        this.ticker = ticker;
        this.pipe = pipe;
        this.onBroken = broken;
    }

    @Override
    public void write(int b) throws IOException {
        runTracked(() -> pipe.write(b));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        for (int done = 0; done < length; done += CHUNK_BYTES) {
            int from = offset + done;
            int count = Math.min(CHUNK_BYTES, length - done);
            runTracked(() -> pipe.write(bytes, from, count));
        }
    }

    @Override
    public void flush() throws IOException {
        runTracked(pipe::flush);
    }

    @Override
    public void close() throws IOException {
        pipe.close();
    }

    /** How long the current write has made no progress. */
    Duration stalledFor() {
        return writing ? Duration.ofNanos(ticker.nanoTime() - writeStartedNanos) : Duration.ZERO;
    }

    private void runTracked(WriteStep step) throws IOException {
        writeStartedNanos = ticker.nanoTime();
        writing = true;
        try {
            step.run();
        } catch (IOException e) {
            onBroken.run();
            throw e;
        } finally {
            writing = false;
        }
    }
}
