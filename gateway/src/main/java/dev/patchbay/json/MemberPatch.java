package dev.patchbay.json;

import java.util.Arrays;

/**
 * Changes one member of an object in its text and leaves every other byte unchanged: whitespace,
 * order, escapes and numbers.
 */
public final class MemberPatch {
    private MemberPatch() {}

    /** The object with the member replaced, or added as the last one. */
    public static Json with(Json object, String name, Json value) {
        MemberCursor members = object.memberCursor();
        int last = -1;
        while (members.next()) {
            Json old = members.value();
            if (members.nameIs(name)) {
                return join(object, old.from, value.toBytes(), old.to);
            }
            last = old.to;
        }
        String separator = last < 0 ? "" : ",";
        Json written = new JsonWriter().name(name).value(value).toJson();
        byte[] added = new byte[separator.length() + written.length()];
        Arrays.fill(added, (byte) ',');
        System.arraycopy(written.bytes, written.from, added, separator.length(), written.length());
        int at = last < 0 ? object.from + 1 : last;
        return join(object, at, added, at);
    }

    /** The object without the member. */
    public static Json without(Json object, String name) {
        MemberCursor members = object.memberCursor();
        int before = object.from + 1;
        boolean first = true;
        while (members.next()) {
            Json value = members.value();
            if (members.nameIs(name)) {
                int after = value.to;
                if (first) {
                    int comma = ByteScanner.skipSpace(object.bytes, after, object.to);
                    after = object.bytes[comma] == ',' ? comma + 1 : after;
                }
                return join(object, before, new byte[0], after);
            }
            before = value.to;
            first = false;
        }
        return object;
    }

    /** The object's text with a range replaced. */
    private static Json join(Json object, int from, byte[] middle, int to) {
        int head = from - object.from;
        int tail = object.to - to;
        byte[] joined = new byte[head + middle.length + tail];
        System.arraycopy(object.bytes, object.from, joined, 0, head);
        System.arraycopy(middle, 0, joined, head, middle.length);
        System.arraycopy(object.bytes, to, joined, head + middle.length, tail);
        LargeValueIndex spans = object.largeValues;
        return new Json(
                joined,
                0,
                joined.length,
                spans == null ? null : spans.shifted(object.from, from, to, middle.length));
    }
}
