package dev.patchbay.json;

import org.jspecify.annotations.Nullable;

/** Iterates over the elements of an array. */
public final class ElementCursor {
    private final byte[] bytes;
    private final int to;
    private final @Nullable LargeValueIndex largeValues;
    private int position;
    private int valueFrom;

    ElementCursor(Json array) {
        bytes = array.bytes;
        to = array.to;
        largeValues = array.largeValues;
        position = array.from + 1;
    }

    /** Moves to the next element; returns false after the last one. */
    public boolean next() {
        position = ByteScanner.skipSpace(bytes, position, to);
        if (bytes[position] == ',') {
            position = ByteScanner.skipSpace(bytes, position + 1, to);
        }
        if (bytes[position] == ']') {
            return false;
        }
        valueFrom = position;
        position = ByteScanner.valueEnd(bytes, position, to, largeValues);
        return true;
    }

    public Json value() {
        return new Json(bytes, valueFrom, position, largeValues);
    }
}
