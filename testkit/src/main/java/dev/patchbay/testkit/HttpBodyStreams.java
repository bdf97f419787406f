package dev.patchbay.testkit;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** The two ways in which HTTP/1.1 says where a body ends, read strictly. */
final class HttpBodyStreams {
    private HttpBodyStreams() {}

    /** So many bytes. */
    static final class FixedLength extends InputStream {
        private final InputStream in;
        private long remaining;

        FixedLength(InputStream in, long length) {
            this.in = in;
            this.remaining = length;
        }

        @Override
        public int read() throws IOException {
            if (remaining == 0) {
                return -1;
            }
            int c = in.read();
            if (c < 0) {
                throw new EOFException(remaining + " bytes of the body are missing");
            }
            remaining--;
            return c;
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            if (remaining == 0) {
                return -1;
            }
            int count = in.read(target, from, (int) Math.min(length, remaining));
            if (count < 0) {
                throw new EOFException(remaining + " bytes of the body are missing");
            }
            remaining -= count;
            return count;
        }
    }

    /** Chunks, the last one empty. */
    static final class Chunked extends InputStream {
        private final InputStream in;
        private long remaining;
        private boolean started;
        private boolean ended;

        Chunked(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            if (!advanceToData()) {
                return -1;
            }
            int c = in.read();
            if (c < 0) {
                throw new EOFException("A chunk is cut");
            }
            remaining--;
            return c;
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            if (length == 0 || !advanceToData()) {
                return length == 0 ? 0 : -1;
            }
            int count = in.read(target, from, (int) Math.min(length, remaining));
            if (count < 0) {
                throw new EOFException("A chunk is cut");
            }
            remaining -= count;
            return count;
        }

        /** Goes to a place with bytes of the body; false at its end. */
        private boolean advanceToData() throws IOException {
            if (ended || remaining > 0) {
                return !ended;
            }
            if (started) {
                readLine();
            }
            started = true;
            remaining = Long.parseLong(readLine(), 16);
            if (remaining == 0) {
                readLine();
                ended = true;
            }
            return !ended;
        }

        private String readLine() throws IOException {
            var line = new StringBuilder();
            while (true) {
                int c = in.read();
                if (c < 0) {
                    throw new EOFException("The chunks have no end");
                }
                if (c == '\n') {
                    return line.toString().strip();
                }
                line.append((char) c);
            }
        }
    }
}
