package dev.patchbay.http.client.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** The body of a response, delimited as its head says. */
final class ResponseBody extends InputStream {
    private static final int CHUNK_LINE_BYTES_MAX = 4 * 1024;
    private static final int TRAILER_BYTES_MAX = 16 * 1024;
    private static final int CHUNK_DIGITS_MAX = 15;

    private final HttpConnection connection;
    private final ResponseHead.Framing framing;

    /** The rest of the body or of the chunk. */
    private long remaining;

    private boolean isInChunk;
    private boolean isComplete;

    ResponseBody(HttpConnection socket, ResponseHead head) {
        this.connection = socket;
        this.framing = head.framing();
        this.remaining = framing == ResponseHead.Framing.LENGTH ? head.length() : 0;
        this.isComplete = framing == ResponseHead.Framing.LENGTH && remaining == 0;
    }

    /** Whether the body was read completely. */
    boolean isComplete() {
        return isComplete;
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
        if (!isComplete && framing == ResponseHead.Framing.CHUNKED && remaining == 0) {
            readChunkHeader();
        }
        if (isComplete) {
            return -1;
        }
        boolean bounded = framing != ResponseHead.Framing.UNTIL_CLOSE;
        int wanted = bounded ? (int) Math.min(length, remaining) : length;
        int count = connection.read(target, offset, wanted);
        if (count < 0) {
            return handleEndOfStream(bounded);
        }
        if (bounded) {
            remaining -= count;
            isComplete = framing == ResponseHead.Framing.LENGTH && remaining == 0;
        }
        return count;
    }

    private int handleEndOfStream(boolean bounded) throws EOFException {
        if (bounded) {
            throw new EOFException("the connection was closed in the middle of the response");
        }
        isComplete = true;
        return -1;
    }

    private void readChunkHeader() throws IOException {
        if (isInChunk && !connection.readLine(2).isEmpty()) {
            throw badChunk();
        }
        isInChunk = true;
        remaining = parseChunkSize(connection.readLine(CHUNK_LINE_BYTES_MAX));
        if (remaining == 0) {
            skipTrailer();
            isComplete = true;
        }
    }

    private static long parseChunkSize(String line) throws IOException {
        int end = line.indexOf(';');
        String digits = (end < 0 ? line : line.substring(0, end)).strip();
        boolean right =
                !digits.isEmpty()
                        && digits.length() <= CHUNK_DIGITS_MAX
                        && digits.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128);
        if (!right) {
            throw badChunk();
        }
        return Long.parseLong(digits, 16);
    }

    private void skipTrailer() throws IOException {
        int room = TRAILER_BYTES_MAX;
        for (String line = connection.readLine(room);
                !line.isEmpty();
                line = connection.readLine(room)) {
            room -= line.length() + 2;
            if (room < 0) {
                throw badChunk();
            }
        }
    }

    private static IOException badChunk() {
        return new IOException("a chunk of the response is malformed");
    }
}
