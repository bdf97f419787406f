package dev.patchbay.json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes one JSON text: compact, and in ASCII except for forwarded values. The writer adds commas.
 */
public final class JsonWriter {
    /** Values of at least this length are forwarded without being copied. */
    private static final int PIECE_BYTES_MIN = 4 * 1024;

    private static final byte[] HEX = {
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
    };

    private byte[] buffer;
    private int length;
    private int pieceFrom;
    private List<Json> pieces = List.of();
    private int pieceBytes;

    /** The positions of forwarded values; null if there are none. */
    private @Nullable LargeValueIndex largeValues;

    /** Whether the next value or name needs a comma before it. */
    private boolean needsComma;

    public JsonWriter() {
        this(256);
    }

    public JsonWriter(int bytesExpected) {
        buffer = new byte[bytesExpected];
    }

    public JsonWriter beginObject() {
        return open('{');
    }

    public JsonWriter endObject() {
        return close('}');
    }

    public JsonWriter beginArray() {
        return open('[');
    }

    public JsonWriter endArray() {
        return close(']');
    }

    public JsonWriter name(String name) {
        string(name);
        writeByte(':');
        needsComma = false;
        return this;
    }

    public JsonWriter string(String value) {
        writeSeparator();
        writeByte('"');
        int size = value.length();
        for (int i = 0; i < size; i++) {
            writeCharacter(value.charAt(i));
        }
        writeByte('"');
        needsComma = true;
        return this;
    }

    public JsonWriter number(long value) {
        writeSeparator();
        writeAscii(Long.toString(value));
        needsComma = true;
        return this;
    }

    public JsonWriter bool(boolean value) {
        return value(Json.bool(value));
    }

    /** Writes a value with its original text. */
    public JsonWriter value(Json value) {
        writeSeparator();
        if (value.length() >= PIECE_BYTES_MIN) {
            addPiece(value);
        } else {
            ensureCapacity(value.length());
            System.arraycopy(value.bytes, value.from, buffer, length, value.length());
            length += value.length();
        }
        needsComma = true;
        return this;
    }

    public JsonWriter member(String name, Json value) {
        return name(name).value(value);
    }

    public JsonWriter member(String name, String value) {
        return name(name).string(value);
    }

    public JsonWriter member(String name, long value) {
        return name(name).number(value);
    }

    public JsonWriter member(String name, boolean value) {
        return name(name).bool(value);
    }

    /** The text as one value. */
    public Json toJson() {
        if (pieces.isEmpty()) {
            return new Json(buffer, 0, length);
        }
        byte[] bytes = toEncodedJson().toBytes();
        return new Json(bytes, 0, bytes.length, largeValues);
    }

    /** The text ready to be sent. */
    public EncodedJson toEncodedJson() {
        if (pieces.isEmpty()) {
            return new EncodedJson(List.of(new Json(buffer, 0, length)));
        }
        endPiece();
        return new EncodedJson(pieces);
    }

    private JsonWriter open(char bracket) {
        writeSeparator();
        writeByte(bracket);
        needsComma = false;
        return this;
    }

    private JsonWriter close(char bracket) {
        writeByte(bracket);
        needsComma = true;
        return this;
    }

    private void writeSeparator() {
        if (needsComma) {
            writeByte(',');
        }
    }

    private void addPiece(Json value) {
        LargeValueIndex noted = largeValues;
        if (noted == null) {
            noted = LargeValueIndex.withMinimum(PIECE_BYTES_MIN);
            largeValues = noted;
            pieces = new ArrayList<>();
        }
        endPiece();
        pieces.add(value);
        int start = length + pieceBytes;
        pieceBytes += value.length();
        noted.add(start, start + value.length());
    }

    private void endPiece() {
        if (length > pieceFrom) {
            pieces.add(
                    new Json(Arrays.copyOfRange(buffer, pieceFrom, length), 0, length - pieceFrom));
            pieceFrom = length;
        }
    }

    private void writeCharacter(char c) {
        switch (c) {
            case '"', '\\' -> {
                writeByte('\\');
                writeByte(c);
            }
            case '\n' -> writeAscii("\\n");
            case '\r' -> writeAscii("\\r");
            case '\t' -> writeAscii("\\t");
            default -> {
                if (c >= 0x20 && c < 0x7F) {
                    writeByte(c);
                } else {
                    writeEscape(c);
                }
            }
        }
    }

    private void writeEscape(char c) {
        writeAscii("\\u");
        ensureCapacity(4);
        for (int shift = 12; shift >= 0; shift -= 4) {
            buffer[length++] = HEX[c >> shift & 0xF];
        }
    }

    private void writeAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            writeByte(text.charAt(i));
        }
    }

    private void writeByte(char c) {
        ensureCapacity(1);
        buffer[length++] = (byte) c;
    }

    private void ensureCapacity(int room) {
        if (buffer.length - length < room) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + room));
        }
    }
}
