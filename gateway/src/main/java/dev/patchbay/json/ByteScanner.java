package dev.patchbay.json;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Scans the bytes of JSON text, eight at a time where possible. */
final class ByteScanner {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int STRIDE = 4 * Long.BYTES;
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long QUOTES = ONES * '"';
    private static final long BACKSLASHES = ONES * '\\';
    private static final long SPACES = ONES * 0x20;

    private ByteScanner() {}

    /** The first position from {@code p} on that is not a plain ASCII character of a string. */
    static int plainEnd(byte[] b, int p, int end) {
        int near = Math.min(end, p + STRIDE);
        int at = plainWords(b, p, near);
        if (at + Long.BYTES <= near) {
            return at; // most strings are short
        }
        while (at + STRIDE <= end && isPlainStride(b, at)) {
            at += STRIDE;
        }
        at = plainWords(b, at, end);
        while (at < end && b[at] >= 0x20 && b[at] != '"' && b[at] != '\\') {
            at++;
        }
        return at;
    }

    /** The first position that is not plain, or one with less than a word after it. */
    private static int plainWords(byte[] b, int p, int end) {
        int at = p;
        while (at + Long.BYTES <= end) {
            long special = specialBytes((long) LONG.get(b, at));
            if (special != 0) {
                return at + (Long.numberOfTrailingZeros(special) >>> 3);
            }
            at += Long.BYTES;
        }
        return at;
    }

    /** Whether a stride is plain: one branch for many bytes, as in most long texts. */
    private static boolean isPlainStride(byte[] b, int at) {
        return (specialBytes((long) LONG.get(b, at))
                        | specialBytes((long) LONG.get(b, at + Long.BYTES))
                        | specialBytes((long) LONG.get(b, at + 2 * Long.BYTES))
                        | specialBytes((long) LONG.get(b, at + 3 * Long.BYTES)))
                == 0;
    }

    /** The high bit of each byte that is a quote, a backslash, a control character or not ASCII. */
    private static long specialBytes(long word) {
        long quote = word ^ QUOTES;
        long backslash = word ^ BACKSLASHES;
        // A borrow can mark a byte above a hit by mistake, never below it, so the lowest mark is
        // right.
        return (((quote - ONES) & ~quote)
                        | ((backslash - ONES) & ~backslash)
                        | ((word - SPACES) & ~word)
                        | word)
                & HIGHS;
    }

    /** The position after a string whose opening quote is at {@code p}, in validated bytes. */
    static int stringEnd(byte[] b, int p, int end) {
        int at = p + 1;
        while (true) {
            at = plainEnd(b, at, end);
            if (b[at] == '"') {
                return at + 1;
            }
            at += b[at] == '\\' ? 2 : 1;
        }
    }

    /** The position after the value that begins at {@code p}, in validated bytes. */
    static int valueEnd(byte[] b, int p, int end, @Nullable LargeValueIndex spans) {
        int known = spans == null ? -1 : spans.endOf(p);
        return known >= 0 ? known : valueEnd(b, p, end);
    }

    private static int valueEnd(byte[] b, int p, int end) {
        return switch (b[p]) {
            case '"' -> stringEnd(b, p, end);
            case '{', '[' -> containerEnd(b, p, end);
            default -> scalarEnd(b, p, end);
        };
    }

    private static int scalarEnd(byte[] b, int p, int end) {
        int at = p + 1;
        while (at < end && !endsScalar(b[at])) {
            at++;
        }
        return at;
    }

    private static int containerEnd(byte[] b, int p, int end) {
        int depth = 0;
        int at = p;
        while (true) {
            switch (b[at]) {
                case '"' -> at = stringEnd(b, at, end) - 1;
                case '{', '[' -> depth++;
                case '}', ']' -> depth--;
                default -> {}
            }
            at++;
            if (depth == 0) {
                return at;
            }
        }
    }

    private static boolean endsScalar(byte c) {
        return c == ',' || c == '}' || c == ']' || isSpace(c);
    }

    static int skipSpace(byte[] b, int p, int end) {
        int at = p;
        while (at < end && isSpace(b[at])) {
            at++;
        }
        return at;
    }

    static boolean isSpace(byte c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }

    /** The position after a multi-byte UTF-8 character, or -1 if there is none at {@code p}. */
    static int characterEnd(byte[] b, int p, int end) {
        int lead = b[p] & 0xFF;
        int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (lead < 0xC2 || lead > 0xF4 || end - p < length) {
            return -1;
        }
        int second = b[p + 1] & 0xFF;
        int lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < lowest || second > highest) {
            return -1;
        }
        for (int i = 2; i < length; i++) {
            if ((b[p + i] & 0xC0) != 0x80) {
                return -1;
            }
        }
        return p + length;
    }

    /** The value of a hexadecimal digit, or -1. */
    static int hexDigit(byte c) {
        return Character.digit((char) (c & 0xFF), 16);
    }
}
