package dev.patchbay.json;

import org.jspecify.annotations.Nullable;

/** A walk over the elements of an array, one {@link #next} after the other. */
public final class Elements {
    private final byte[] bytes;
    private final int to;
    private final @Nullable Spans spans;
    private int at;
    private int valueFrom;

    Elements(Json array) {
        bytes = array.bytes;
        to = array.to;
        spans = array.spans;
        at = array.from + 1;
    }

    /** Goes to the next element; false behind the last one. */
    public boolean next() {
        at = Bytes.skipSpace(bytes, at, to);
        if (bytes[at] == ',') {
            at = Bytes.skipSpace(bytes, at + 1, to);
        }
        if (bytes[at] == ']') {
            return false;
        }
        valueFrom = at;
        at = Bytes.valueEnd(bytes, at, to, spans);
        return true;
    }

    public Json value() {
        return new Json(bytes, valueFrom, at, spans);
    }
}
