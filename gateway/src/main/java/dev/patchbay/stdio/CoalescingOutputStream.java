package dev.patchbay.stdio;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Combines small pieces into writes of the size that a pipe takes at once. Larger data is not
 * copied, except at its ends, so that a single bracket does not cause a write. Not thread-safe.
 */
final class CoalescingOutputStream extends OutputStream {
    static final int WRITE_BYTES = 64 * 1024;

    /** Most writers only see short lines. */
    private static final int INITIAL_BYTES = 2 * 1024;

    private final OutputStream out;
    private byte[] buffer = {};
    private int filled;

    CoalescingOutputStream(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
        if (filled == WRITE_BYTES) {
            writeBuffer();
        }
        reserve(1);
        buffer[filled++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int at = offset;
        int left = length;
        if (filled > 0 && left > WRITE_BYTES - filled) {
            int part = WRITE_BYTES - filled;
            append(bytes, at, part);
            writeBuffer();
            at += part;
            left -= part;
        }
        if (filled == 0) {
            int whole = left - left % WRITE_BYTES;
            if (whole > 0) {
                out.write(bytes, at, whole);
            }
            at += whole;
            left -= whole;
        }
        append(bytes, at, left);
    }

    /** Writes the rest. */
    @Override
    public void flush() throws IOException {
        if (filled > 0) {
            writeBuffer();
        }
        out.flush();
    }

    private void append(byte[] bytes, int offset, int length) {
        reserve(length);
        System.arraycopy(bytes, offset, buffer, filled, length);
        filled += length;
    }

    private void reserve(int more) {
        int wanted = filled + more;
        if (wanted > buffer.length) {
            int doubled = Math.max(buffer.length * 2, INITIAL_BYTES);
            buffer = Arrays.copyOf(buffer, Math.min(WRITE_BYTES, Math.max(wanted, doubled)));
        }
    }

    private void writeBuffer() throws IOException {
        int length = filled;
        filled = 0;
        out.write(buffer, 0, length);
    }
}
