package dev.patchbay.json;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A validated JSON value, represented by its bytes. It is a view on the text that it came from.
 * Access finds positions and copies nothing, so numbers, the order of members and unknown members
 * are forwarded unchanged. Two values are equal if their texts are equal.
 */
public final class Json {
    public static final Json NULL = ofTrustedAscii("null");
    public static final Json TRUE = ofTrustedAscii("true");
    public static final Json FALSE = ofTrustedAscii("false");
    public static final Json EMPTY_OBJECT = ofTrustedAscii("{}");
    public static final Json EMPTY_ARRAY = ofTrustedAscii("[]");

    /** The six kinds of JSON value. */
    public enum Kind {
        OBJECT,
        ARRAY,
        STRING,
        NUMBER,
        BOOLEAN,
        NULL
    }

    /** A member of an object with its decoded name. */
    public record Member(String name, Json value) {}

    final byte[] bytes;
    final int from;
    final int to;
    final @Nullable LargeValueIndex largeValues;

    /** Null before the first lookup of a member. Any thread may set it: all compute the same. */
    private @Nullable MemberIndex memberIndex;

    Json(byte[] bytes, int from, int to) {
        this(bytes, from, to, null);
    }

    Json(byte[] bytes, int from, int to, @Nullable LargeValueIndex spans) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        this.largeValues = spans;
    }

    /** Validates a whole text with the default limits. For text that may be large or hostile. */
    public static Json parse(byte[] text) throws JsonException {
        return new JsonReader(JsonLimits.DEFAULTS).read(text, 0, text.length);
    }

    /** Parses a constant of the program; an error in it is a bug. */
    public static Json of(String text) {
        try {
            return parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    public static Json string(String value) {
        return new JsonWriter().string(value).toJson();
    }

    public static Json number(long value) {
        return ofTrustedAscii(Long.toString(value));
    }

    public static Json bool(boolean value) {
        return value ? TRUE : FALSE;
    }

    private static Json ofTrustedAscii(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return new Json(bytes, 0, bytes.length);
    }

    public Kind kind() {
        return switch (bytes[from]) {
            case '{' -> Kind.OBJECT;
            case '[' -> Kind.ARRAY;
            case '"' -> Kind.STRING;
            case 't', 'f' -> Kind.BOOLEAN;
            case 'n' -> Kind.NULL;
            default -> Kind.NUMBER;
        };
    }

    public boolean isObject() {
        return bytes[from] == '{';
    }

    public boolean isArray() {
        return bytes[from] == '[';
    }

    public boolean isString() {
        return bytes[from] == '"';
    }

    public boolean isNumber() {
        return kind() == Kind.NUMBER;
    }

    public boolean isNull() {
        return bytes[from] == 'n';
    }

    public boolean isTrue() {
        return bytes[from] == 't';
    }

    /** The length of the text in bytes. */
    public int length() {
        return to - from;
    }

    /** Whether arrays and objects are nested deeper than this. Does not recurse. */
    public boolean isDeeperThan(int max) {
        int depth = 0;
        int at = length() / 2 > max ? from : to; // each level has two brackets
        while (at < to) {
            switch (bytes[at]) {
                case '"' -> at = ByteScanner.stringEnd(bytes, at, to) - 1;
                case '{', '[' -> depth++;
                case '}', ']' -> depth--;
                default -> {}
            }
            if (depth > max) {
                return true;
            }
            at++;
        }
        return false;
    }

    /** The byte at an index of the text. */
    public byte byteAt(int index) {
        return bytes[from + index];
    }

    /** The decoded value of a string. */
    public String text() {
        require(Kind.STRING);
        return JsonStrings.decode(bytes, from + 1, to - 1);
    }

    /** Whether this is the string {@code ascii}, with or without escapes. */
    public boolean isText(String ascii) {
        if (!isString()) {
            return false;
        }
        return JsonStrings.equal(bytes, from + 1, to - 1, ascii);
    }

    /** The members of an object in order. */
    public List<Member> members() {
        require(Kind.OBJECT);
        var members = new ArrayList<Member>();
        var cursor = new MemberCursor(this);
        while (cursor.next()) {
            members.add(new Member(cursor.name(), cursor.value()));
        }
        return members;
    }

    /** Iterates over the members of an object without creating objects for skipped ones. */
    public MemberCursor memberCursor() {
        require(Kind.OBJECT);
        return new MemberCursor(this);
    }

    /** The member with this name; null if there is none or this is not an object. */
    @SuppressWarnings("ReferenceEquality") // An index is compared with the markers for none.
    public @Nullable Json member(String name) {
        if (!isObject()) {
            return null;
        }
        MemberIndex index = memberIndex;
        if (index == null) {
            memberIndex = MemberIndex.NOT_YET_BUILT;
            return scanForMember(name);
        }
        if (index == MemberIndex.NOT_YET_BUILT) {
            index = MemberIndex.of(this);
            memberIndex = index;
        }
        return index == MemberIndex.TOO_LARGE ? scanForMember(name) : index.find(this, name);
    }

    private @Nullable Json scanForMember(String name) {
        var cursor = new MemberCursor(this);
        while (cursor.next()) {
            if (cursor.nameIs(name)) {
                return cursor.value();
            }
        }
        return null;
    }

    /** The text of a string member; null if there is none or it is not a string. */
    public @Nullable String memberText(String name) {
        Json member = member(name);
        return member == null || !member.isString() ? null : member.text();
    }

    /** The elements of an array in order. */
    public List<Json> elements() {
        var elements = new ArrayList<Json>();
        ElementCursor cursor = elementCursor();
        while (cursor.next()) {
            elements.add(cursor.value());
        }
        return elements;
    }

    /** Iterates over the elements of an array without creating objects for skipped ones. */
    public ElementCursor elementCursor() {
        require(Kind.ARRAY);
        return new ElementCursor(this);
    }

    /** The number as a long, if it is written as an integer and fits; else {@code other}. */
    public long asLong(long other) {
        if (!isNumber() || length() > 19) {
            return other;
        }
        long value = 0;
        int at = bytes[from] == '-' ? from + 1 : from;
        for (int i = at; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return other;
            }
            value = value * 10 + digit;
        }
        // Nineteen digits beyond the largest long overflow to a negative number.
        return value < 0 ? other : at == from ? value : -value;
    }

    /** A copy with its own bytes, so that a small part does not keep a large text in memory. */
    public Json detached() {
        if (from == 0 && to == bytes.length) {
            return this;
        }
        return new Json(Arrays.copyOfRange(bytes, from, to), 0, to - from);
    }

    /** The first bytes of the text, up to the limit. */
    public byte[] head(int bytesMax) {
        return Arrays.copyOfRange(bytes, from, Math.min(to, from + bytesMax));
    }

    public byte[] toBytes() {
        return Arrays.copyOfRange(bytes, from, to);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Json json
                && Arrays.equals(bytes, from, to, json.bytes, json.from, json.to);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash;
    }

    /** The original text. */
    @Override
    public String toString() {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private void require(Kind kind) {
        if (kind() != kind) {
            throw new IllegalStateException(kind + " wanted, but this is a " + kind());
        }
    }
}
