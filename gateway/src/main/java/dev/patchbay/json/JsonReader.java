package dev.patchbay.json;

import dev.patchbay.json.JsonException.Fault;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Validates that bytes are exactly one JSON value: strict UTF-8, the grammar of RFC 8259, no
 * duplicate member names, and the limits. It reads the text once, builds nothing and does not
 * recurse: one level of depth costs one bit.
 *
 * <p>A text that is not JSON is always reported as such, even if it exceeds a limit first.
 */
public final class JsonReader {
    /** Large values that are nested deeper are not indexed. */
    private static final int TRACKED_DEPTH_MAX = 16;

    private static final int[] NONE = {};

    private final JsonLimits limits;

    public JsonReader(JsonLimits limits) {
        this.limits = limits;
    }

    /**
     * Reads a value. It keeps the array, which must not change afterwards. Line breaks between
     * tokens are removed, so that the value fits on one line.
     */
    public Json read(byte[] bytes, int from, int to) throws JsonException {
        var scan = new Scan(bytes, from, to, limits);
        Json value = scan.run();
        JsonException breach = scan.breach;
        if (breach != null && !scan.isOnlyTooDeep) {
            throw breach;
        }
        Json whole = scan.hasLineBreak ? compacted(value) : value;
        if (breach != null) {
            throw breach.withValue(whole);
        }
        return whole;
    }

    /** The value without whitespace between its tokens. */
    static Json compacted(Json value) {
        byte[] target = new byte[value.length()];
        int length = 0;
        int at = value.from;
        while (at < value.to) {
            byte c = value.bytes[at];
            if (c == '"') {
                int end = ByteScanner.stringEnd(value.bytes, at, value.to);
                System.arraycopy(value.bytes, at, target, length, end - at);
                length += end - at;
                at = end;
            } else {
                if (!ByteScanner.isSpace(c)) {
                    target[length++] = c;
                }
                at++;
            }
        }
        return new Json(Arrays.copyOf(target, length), 0, length);
    }

    /** One pass over a text. */
    private static final class Scan {
        private final byte[] b;
        private final int from;
        private final int end;
        private final JsonLimits limits;
        private final DuplicateNameDetector names;
        private int p;
        private int depth;

        /** For each open container, innermost last, whether it is an object. */
        private long[] objects = new long[8];

        private boolean hasLineBreak;
        private @Nullable JsonException breach;
        private boolean isOnlyTooDeep = true;

        /** The start of each of the outermost open containers. */
        private final int[] openedAt;

        private final @Nullable LargeValueIndex largeValues;

        Scan(byte[] bytes, int from, int to, JsonLimits limits) {
            this.b = bytes;
            this.from = from;
            this.end = to;
            this.limits = limits;
            this.names = new DuplicateNameDetector(bytes);
            this.p = from;
            boolean needless = LargeValueIndex.isUnnecessary(to - from);
            this.largeValues = needless ? null : LargeValueIndex.forText(to - from);
            this.openedAt = needless ? NONE : new int[TRACKED_DEPTH_MAX];
        }

        Json run() throws JsonException {
            skipSpace();
            int start = p;
            int stop = value();
            while (depth > 0) {
                stop = afterValue();
            }
            skipSpace();
            if (p < end) {
                throw notJson("Unexpected text after the value");
            }
            return new Json(b, start, stop, largeValues);
        }

        /**
         * Reads a scalar, an empty container, or the opening of a container up to its first value.
         */
        private int value() throws JsonException {
            while (true) {
                if (p >= end) {
                    throw notJson("The text ends where a value is expected");
                }
                switch (b[p]) {
                    case '{' -> {
                        push(true);
                        if (isClosedBy('}')) {
                            return pop();
                        }
                        name();
                    }
                    case '[' -> {
                        push(false);
                        if (isClosedBy(']')) {
                            return pop();
                        }
                    }
                    case '"' -> {
                        string();
                        return p;
                    }
                    case 't' -> {
                        return literal("true");
                    }
                    case 'f' -> {
                        return literal("false");
                    }
                    case 'n' -> {
                        return literal("null");
                    }
                    default -> {
                        return number();
                    }
                }
            }
        }

        /**
         * Continues after a value in a container; returns the end of the value that closed last.
         */
        private int afterValue() throws JsonException {
            skipSpace();
            if (p >= end) {
                throw notJson("The text ends inside " + (inObject() ? "an object" : "an array"));
            }
            byte c = b[p];
            if (c == ',') {
                p++;
                skipSpace();
                if (inObject()) {
                    name();
                }
                return value();
            }
            if (c == (inObject() ? '}' : ']')) {
                return pop();
            }
            throw notJson("Missing comma or closing bracket");
        }

        private boolean isClosedBy(char bracket) {
            skipSpace();
            return p < end && b[p] == bracket;
        }

        private void push(boolean object) {
            if (depth < openedAt.length) {
                openedAt[depth] = p;
            }
            p++;
            if (depth >> 6 == objects.length) {
                objects = Arrays.copyOf(objects, objects.length * 2);
            }
            long bit = 1L << depth;
            objects[depth >> 6] = object ? objects[depth >> 6] | bit : objects[depth >> 6] & ~bit;
            depth++;
            if (depth > limits.depthMax()) {
                breach(Fault.TOO_DEEP, "Nested deeper than " + limits.depthMax());
            } else if (object) {
                names.beginObject();
            }
        }

        private int pop() {
            if (depth <= limits.depthMax() && inObject()) {
                names.endObject();
            }
            depth--;
            p++;
            if (largeValues != null && depth < openedAt.length) {
                largeValues.add(openedAt[depth], p);
            }
            return p;
        }

        private boolean inObject() {
            int top = depth - 1;
            return (objects[top >> 6] >> top & 1) != 0;
        }

        /** Reads a member's name and colon, up to its value. */
        private void name() throws JsonException {
            if (p >= end || b[p] != '"') {
                throw notJson("Missing member name in quotes");
            }
            int start = p + 1;
            boolean escaped = string();
            if (depth <= limits.depthMax() && !names.add(start, p - 1, escaped)) {
                breach(Fault.DUPLICATE_NAME, "Duplicate member name");
            }
            skipSpace();
            if (p >= end || b[p] != ':') {
                throw notJson("Missing colon");
            }
            p++;
            skipSpace();
        }

        /** Reads a string with its quotes; returns whether it has escapes. */
        private boolean string() throws JsonException {
            boolean escaped = false;
            int start = p++;
            while (true) {
                p = ByteScanner.plainEnd(b, p, end);
                if (p >= end) {
                    throw notJson("Unterminated string");
                }
                byte c = b[p];
                if (c == '"') {
                    p++;
                    if (largeValues != null) {
                        largeValues.add(start, p);
                    }
                    return escaped;
                }
                if (c == '\\') {
                    escaped = true;
                    escape();
                } else if (c < 0) {
                    int next = ByteScanner.characterEnd(b, p, end);
                    if (next < 0) {
                        throw notJson("Invalid UTF-8");
                    }
                    p = next;
                } else {
                    throw notJson("Control character in a string");
                }
            }
        }

        private void escape() throws JsonException {
            byte c = p + 1 < end ? b[p + 1] : 0;
            switch (c) {
                case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> p += 2;
                case 'u' -> {
                    for (int i = p + 2; i < p + 6; i++) {
                        if (i >= end || ByteScanner.hexDigit(b[i]) < 0) {
                            throw notJson("Invalid escape sequence");
                        }
                    }
                    p += 6;
                }
                default -> throw notJson("Invalid escape sequence");
            }
        }

        private int literal(String word) throws JsonException {
            for (int i = 0; i < word.length(); i++) {
                if (p + i >= end || b[p + i] != word.charAt(i)) {
                    throw notJson("No JSON value");
                }
            }
            p += word.length();
            return p;
        }

        private int number() throws JsonException {
            int start = p;
            if (b[p] == '-') {
                p++;
            }
            if (p < end && b[p] == '0') {
                p++;
            } else {
                digits("No JSON value");
            }
            if (p < end && b[p] == '.') {
                p++;
                digits("Missing digit after the decimal point");
            }
            if (p < end && (b[p] == 'e' || b[p] == 'E')) {
                p++;
                if (p < end && (b[p] == '+' || b[p] == '-')) {
                    p++;
                }
                digits("Missing digit in the exponent");
            }
            if (p - start > limits.numberCharsMax()) {
                breach(Fault.NUMBER_TOO_LONG, "The number is too long");
            }
            return p;
        }

        private void digits(String otherwise) throws JsonException {
            int start = p;
            while (p < end && b[p] >= '0' && b[p] <= '9') {
                p++;
            }
            if (p == start) {
                throw notJson(otherwise);
            }
        }

        private void skipSpace() {
            while (p < end && ByteScanner.isSpace(b[p])) {
                hasLineBreak |= b[p] == '\n' || b[p] == '\r';
                p++;
            }
        }

        private void breach(Fault fault, String message) {
            isOnlyTooDeep &= fault == Fault.TOO_DEEP;
            if (breach == null) {
                breach = new JsonException(fault, message, p - from);
            }
        }

        private JsonException notJson(String message) {
            return new JsonException(Fault.NOT_JSON, message, p - from);
        }
    }
}
