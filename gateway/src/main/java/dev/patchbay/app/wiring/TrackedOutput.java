package dev.patchbay.app.wiring;

import org.jspecify.annotations.Nullable;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** An output stream that remembers why it failed. */
final class TrackedOutput extends FilterOutputStream {
    private volatile @Nullable IOException failure;

    TrackedOutput(OutputStream out) {
        super(out);
    }

    /** Whether the reader has ended, as {@code head} does when it has read enough. */
    boolean isReaderGone() {
        IOException known = failure;
        return known != null && String.valueOf(known.getMessage()).contains("Broken pipe");
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            out.write(bytes, from, length);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }
}
