package dev.patchbay.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** The body of an answer, up to the end that its head says how to find. */
final class AnswerBody extends InputStream {
    private static final int CHUNK_LINE_BYTES_MAX = 4 * 1024;
    private static final int TRAILER_BYTES_MAX = 16 * 1024;
    private static final int CHUNK_DIGITS_MAX = 15;

    private final WireSocket socket;
    private final AnswerHead.Framing framing;

    /** What is left of the body, or of the chunk. */
    private long left;

    private boolean isInChunk;
    private boolean isWhole;

    AnswerBody(WireSocket socket, AnswerHead head) {
        this.socket = socket;
        this.framing = head.framing();
        this.left = framing == AnswerHead.Framing.LENGTH ? head.length() : 0;
        this.isWhole = framing == AnswerHead.Framing.LENGTH && left == 0;
    }

    /** Whether it was read to its end. */
    boolean isWhole() {
        return isWhole;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!isWhole && framing == AnswerHead.Framing.CHUNKS && left == 0) {
            nextChunk();
        }
        if (isWhole) {
            return -1;
        }
        boolean bounded = framing != AnswerHead.Framing.CLOSE;
        int wanted = bounded ? (int) Math.min(length, left) : length;
        int count = socket.read(target, offset, wanted);
        if (count < 0) {
            return ended(bounded);
        }
        if (bounded) {
            left -= count;
            isWhole = framing == AnswerHead.Framing.LENGTH && left == 0;
        }
        return count;
    }

    private int ended(boolean bounded) throws EOFException {
        if (bounded) {
            throw new EOFException("It closed the connection within its answer");
        }
        isWhole = true;
        return -1;
    }

    private void nextChunk() throws IOException {
        if (isInChunk && !socket.line(2).isEmpty()) {
            throw broken();
        }
        isInChunk = true;
        left = size(socket.line(CHUNK_LINE_BYTES_MAX));
        if (left == 0) {
            skipTrailer();
            isWhole = true;
        }
    }

    private static long size(String line) throws IOException {
        int end = line.indexOf(';');
        String digits = (end < 0 ? line : line.substring(0, end)).strip();
        boolean right =
                !digits.isEmpty()
                        && digits.length() <= CHUNK_DIGITS_MAX
                        && digits.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128);
        if (!right) {
            throw broken();
        }
        return Long.parseLong(digits, 16);
    }

    private void skipTrailer() throws IOException {
        int room = TRAILER_BYTES_MAX;
        for (String line = socket.line(room); !line.isEmpty(); line = socket.line(room)) {
            room -= line.length() + 2;
            if (room < 0) {
                throw broken();
            }
        }
    }

    private static IOException broken() {
        return new IOException("A chunk of its answer is broken");
    }
}
