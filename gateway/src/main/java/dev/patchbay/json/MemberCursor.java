package dev.patchbay.json;

import org.jspecify.annotations.Nullable;

/** Iterates over the members of an object. */
public final class MemberCursor {
    private final byte[] bytes;
    private final int to;
    private final @Nullable LargeValueIndex largeValues;
    private int position;
    private int nameFrom;
    private int nameTo;
    private int valueFrom;

    MemberCursor(Json object) {
        bytes = object.bytes;
        to = object.to;
        largeValues = object.largeValues;
        position = object.from + 1;
    }

    /** Moves to the next member; returns false after the last one. */
    public boolean next() {
        position = ByteScanner.skipSpace(bytes, position, to);
        if (bytes[position] == ',') {
            position = ByteScanner.skipSpace(bytes, position + 1, to);
        }
        if (bytes[position] == '}') {
            return false;
        }
        nameFrom = position + 1;
        int afterName = ByteScanner.stringEnd(bytes, position, to);
        nameTo = afterName - 1;
        int colon = ByteScanner.skipSpace(bytes, afterName, to);
        valueFrom = ByteScanner.skipSpace(bytes, colon + 1, to);
        position = ByteScanner.valueEnd(bytes, valueFrom, to, largeValues);
        return true;
    }

    public boolean nameIs(String name) {
        return JsonStrings.equal(bytes, nameFrom, nameTo, name);
    }

    public String name() {
        return JsonStrings.decode(bytes, nameFrom, nameTo);
    }

    /** Writes the start and end of the name and of the value to an array. */
    void writePositions(int[] target, int at) {
        target[at] = nameFrom;
        target[at + 1] = nameTo;
        target[at + 2] = valueFrom;
        target[at + 3] = position;
    }

    public Json value() {
        return new Json(bytes, valueFrom, position, largeValues);
    }
}
