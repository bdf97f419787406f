package dev.patchbay.json;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;

/** A text to send, in pieces: newly written parts, and large values that are not copied. */
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

    /** A text that is one validated value. */
    public static EncodedJson of(Json value) {
        return new EncodedJson(List.of(value));
    }

    /** A text that another process has validated; it is passed on as it is. */
    public static EncodedJson ofValidated(byte[] bytes, int length) {
        return new EncodedJson(List.of(new Json(bytes, 0, length)));
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

    /** Copies the text into an array. */
    public void copyTo(byte[] target, int offset) {
        int at = offset;
        for (Json piece : pieces) {
            System.arraycopy(piece.bytes, piece.from, target, at, piece.length());
            at += piece.length();
        }
    }

    /** The pieces in order, not copied. */
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
