package dev.patchbay.json;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Text ready to be sent, in pieces: what was written anew, and the large values it passes on, which
 * are not copied into it.
 */
public final class EncodedJson {
    private final List<Json> pieces;
    private final int length;

    EncodedJson(List<Json> pieces) {
        this.pieces = List.copyOf(pieces);
        int sum = 0;
        for (Json piece : pieces) {
            sum += piece.length();
        }
        length = sum;
    }

    /** A text that is one checked value. */
    public static EncodedJson of(Json value) {
        return new EncodedJson(List.of(value));
    }

    /** The length in bytes. */
    public int length() {
        return length;
    }

    public void writeTo(OutputStream target) throws IOException {
        for (Json piece : pieces) {
            target.write(piece.bytes, piece.from, piece.length());
        }
    }

    /** Copies the whole text into an array that has room for it. */
    public void copyTo(byte[] target, int offset) {
        int at = offset;
        for (Json piece : pieces) {
            System.arraycopy(piece.bytes, piece.from, target, at, piece.length());
            at += piece.length();
        }
    }

    /** The pieces in their order, not copied. */
    public List<ByteBuffer> toBuffers() {
        return pieces.stream()
                .map(piece -> ByteBuffer.wrap(piece.bytes, piece.from, piece.length()))
                .map(ByteBuffer::asReadOnlyBuffer)
                .toList();
    }

    public byte[] toBytes() {
        byte[] bytes = new byte[length];
        copyTo(bytes, 0);
        return bytes;
    }

    /** The text as one value. */
    public Json toJson() {
        return pieces.size() == 1 ? pieces.getFirst() : new Json(toBytes(), 0, length);
    }

    @Override
    public String toString() {
        return toJson().toString();
    }
}
