package dev.patchbay.testkit;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** The two ways in which HTTP/1.1 says where a body ends, read strictly. */
final class HttpBodies {
    private HttpBodies() {}

    /** So many bytes. */
    static final class Exactly extends InputStream {
        private final InputStream in;
        private long left;

        Exactly(InputStream in, long length) {
            this.in = in;
            this.left = length;
        }

        @Override
        public int read() throws IOException {
            if (left == 0) {
                return -1;
            }
            int c = in.read();
            if (c < 0) {
                throw new EOFException(left + " bytes of the body are missing");
            }
            left--;
            return c;
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int count = in.read(target, from, (int) Math.min(length, left));
            if (count < 0) {
                throw new EOFException(left + " bytes of the body are missing");
            }
            left -= count;
            return count;
        }
    }

    /** Chunks, the last one empty. */
    static final class Chunked extends InputStream {
        private final InputStream in;
        private long left;
        private boolean begun;
        private boolean ended;

        Chunked(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            if (!ready()) {
                return -1;
            }
            int c = in.read();
            if (c < 0) {
                throw new EOFException("A chunk is cut");
            }
            left--;
            return c;
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            if (length == 0 || !ready()) {
                return length == 0 ? 0 : -1;
            }
            int count = in.read(target, from, (int) Math.min(length, left));
            if (count < 0) {
                throw new EOFException("A chunk is cut");
            }
            left -= count;
            return count;
        }

        /** Goes to a place with bytes of the body; false at its end. */
        private boolean ready() throws IOException {
            if (ended || left > 0) {
                return !ended;
            }
            if (begun) {
                line();
            }
            begun = true;
            left = Long.parseLong(line(), 16);
            if (left == 0) {
                line();
                ended = true;
            }
            return !ended;
        }

        private String line() throws IOException {
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
