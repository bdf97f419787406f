package dev.patchbay.json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes one JSON text, compact and in ASCII but for what it passes on. Commas are its own affair:
 * the caller says what stands where.
 */
public final class JsonWriter {
    /** A value from this length on is passed on as it is rather than copied. */
    private static final int SPLICE_BYTES_MIN = 4 * 1024;

    private static final byte[] HEX = {
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
    };

    private byte[] buffer;
    private int length;
    private int pieceFrom;
    private List<Json> pieces = List.of();
    private int splicedBytes;

    /** Where the values that were passed on stand; null as long as there are none. */
    private @Nullable Spans spans;

    /** Whether the next value or name needs a comma before it. */
    private boolean comma;

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
        put(':');
        comma = false;
        return this;
    }

    public JsonWriter string(String value) {
        separate();
        put('"');
        int size = value.length();
        for (int i = 0; i < size; i++) {
            character(value.charAt(i));
        }
        put('"');
        comma = true;
        return this;
    }

    public JsonWriter number(long value) {
        separate();
        ascii(Long.toString(value));
        comma = true;
        return this;
    }

    public JsonWriter bool(boolean value) {
        return value(Json.bool(value));
    }

    /** Passes a value on as it was written. */
    public JsonWriter value(Json value) {
        separate();
        if (value.length() >= SPLICE_BYTES_MIN) {
            splice(value);
        } else {
            ensure(value.length());
            System.arraycopy(value.bytes, value.from, buffer, length, value.length());
            length += value.length();
        }
        comma = true;
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

    /** What was written, in one piece. */
    public Json toJson() {
        if (pieces.isEmpty()) {
            return new Json(buffer, 0, length);
        }
        byte[] bytes = toText().toBytes();
        return new Json(bytes, 0, bytes.length, spans);
    }

    /** What was written, ready to be sent. */
    public JsonText toText() {
        if (pieces.isEmpty()) {
            return new JsonText(List.of(new Json(buffer, 0, length)));
        }
        endPiece();
        return new JsonText(pieces);
    }

    private JsonWriter open(char bracket) {
        separate();
        put(bracket);
        comma = false;
        return this;
    }

    private JsonWriter close(char bracket) {
        put(bracket);
        comma = true;
        return this;
    }

    private void separate() {
        if (comma) {
            put(',');
        }
    }

    private void splice(Json value) {
        Spans noted = spans;
        if (noted == null) {
            noted = Spans.ofLarge(SPLICE_BYTES_MIN);
            spans = noted;
            pieces = new ArrayList<>();
        }
        endPiece();
        pieces.add(value);
        int start = length + splicedBytes;
        splicedBytes += value.length();
        noted.note(start, start + value.length());
    }

    private void endPiece() {
        if (length > pieceFrom) {
            pieces.add(
                    new Json(Arrays.copyOfRange(buffer, pieceFrom, length), 0, length - pieceFrom));
            pieceFrom = length;
        }
    }

    private void character(char c) {
        switch (c) {
            case '"', '\\' -> {
                put('\\');
                put(c);
            }
            case '\n' -> ascii("\\n");
            case '\r' -> ascii("\\r");
            case '\t' -> ascii("\\t");
            default -> {
                if (c >= 0x20 && c < 0x7F) {
                    put(c);
                } else {
                    escape(c);
                }
            }
        }
    }

    private void escape(char c) {
        ascii("\\u");
        ensure(4);
        for (int shift = 12; shift >= 0; shift -= 4) {
            buffer[length++] = HEX[c >> shift & 0xF];
        }
    }

    private void ascii(String text) {
        for (int i = 0; i < text.length(); i++) {
            put(text.charAt(i));
        }
    }

    private void put(char c) {
        ensure(1);
        buffer[length++] = (byte) c;
    }

    private void ensure(int room) {
        if (buffer.length - length < room) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + room));
        }
    }
}
