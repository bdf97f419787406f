package dev.patchbay.json;

import org.jspecify.annotations.Nullable;

/** A walk over the members of an object, one {@link #next} after the other. */
public final class Members {
    private final byte[] bytes;
    private final int to;
    private final @Nullable Spans spans;
    private int at;
    private int nameFrom;
    private int nameTo;
    private int valueFrom;

    Members(Json object) {
        bytes = object.bytes;
        to = object.to;
        spans = object.spans;
        at = object.from + 1;
    }

    /** Goes to the next member; false behind the last one. */
    public boolean next() {
        at = Bytes.skipSpace(bytes, at, to);
        if (bytes[at] == ',') {
            at = Bytes.skipSpace(bytes, at + 1, to);
        }
        if (bytes[at] == '}') {
            return false;
        }
        nameFrom = at + 1;
        int afterName = Bytes.stringEnd(bytes, at, to);
        nameTo = afterName - 1;
        int colon = Bytes.skipSpace(bytes, afterName, to);
        valueFrom = Bytes.skipSpace(bytes, colon + 1, to);
        at = Bytes.valueEnd(bytes, valueFrom, to, spans);
        return true;
    }

    public boolean nameIs(String name) {
        return Strings.equal(bytes, nameFrom, nameTo, name);
    }

    public String name() {
        return Strings.decode(bytes, nameFrom, nameTo);
    }

    public Json value() {
        return new Json(bytes, valueFrom, at, spans);
    }
}
