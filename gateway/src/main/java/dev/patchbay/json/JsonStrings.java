package dev.patchbay.json;

import java.nio.charset.StandardCharsets;

/** Decodes and encodes the content of JSON strings. */
final class JsonStrings {
    private JsonStrings() {}

    /** Decodes the validated bytes between the quotes. A lone surrogate escape stays one char. */
    static String decode(byte[] b, int from, int to) {
        int plain = ByteScanner.plainEnd(b, from, to);
        if (plain == to) {
            return new String(b, from, to - from, StandardCharsets.ISO_8859_1);
        }
        int escape = from;
        while (escape < to && b[escape] != '\\') {
            escape++;
        }
        if (escape == to) {
            return new String(b, from, to - from, StandardCharsets.UTF_8);
        }
        var text = new StringBuilder(to - from);
        int at = from;
        while (at < to) {
            if (b[at] == '\\') {
                text.append(escaped(b, at));
                at += b[at + 1] == 'u' ? 6 : 2;
            } else {
                int start = at;
                while (at < to && b[at] != '\\') {
                    at++;
                }
                text.append(new String(b, start, at - start, StandardCharsets.UTF_8));
            }
        }
        return text.toString();
    }

    /** Whether the bytes between the quotes are this text, in any spelling. */
    static boolean equal(byte[] b, int from, int to, String text) {
        int length = text.length();
        if (to - from == length) {
            for (int i = 0; i < length; i++) {
                if (b[from + i] != text.charAt(i)) {
                    return false;
                }
            }
            return true;
        }
        // Plain ASCII of another length is another text; everything else must be decoded.
        return to - from > length
                && ByteScanner.plainEnd(b, from, to) < to
                && decode(b, from, to).equals(text);
    }

    /** Decodes into {@code target}, with lone surrogates as three bytes; returns the new end. */
    static int decodeTo(byte[] target, int offset, byte[] b, int from, int to) {
        int out = offset;
        int at = from;
        while (at < to) {
            if (b[at] != '\\') {
                target[out++] = b[at++];
                continue;
            }
            int c = escaped(b, at);
            at += b[at + 1] == 'u' ? 6 : 2;
            if (Character.isHighSurrogate((char) c) && lowSurrogateAt(b, at, to)) {
                c = Character.toCodePoint((char) c, escaped(b, at));
                at += 6;
            }
            out = encode(target, out, c);
        }
        return out;
    }

    private static boolean lowSurrogateAt(byte[] b, int at, int to) {
        return at + 6 <= to
                && b[at] == '\\'
                && b[at + 1] == 'u'
                && Character.isLowSurrogate(escaped(b, at));
    }

    private static int encode(byte[] target, int offset, int c) {
        int out = offset;
        if (c < 0x80) {
            target[out++] = (byte) c;
            return out;
        }
        if (c < 0x800) {
            target[out++] = (byte) (0xC0 | c >> 6);
        } else {
            if (c < 0x10000) {
                target[out++] = (byte) (0xE0 | c >> 12);
            } else {
                target[out++] = (byte) (0xF0 | c >> 18);
                target[out++] = (byte) (0x80 | (c >> 12 & 0x3F));
            }
            target[out++] = (byte) (0x80 | (c >> 6 & 0x3F));
        }
        target[out++] = (byte) (0x80 | (c & 0x3F));
        return out;
    }

    private static char escaped(byte[] b, int at) {
        return switch (b[at + 1]) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' ->
                    (char)
                            (ByteScanner.hexDigit(b[at + 2]) << 12
                                    | ByteScanner.hexDigit(b[at + 3]) << 8
                                    | ByteScanner.hexDigit(b[at + 4]) << 4
                                    | ByteScanner.hexDigit(b[at + 5]));
            default -> (char) b[at + 1];
        };
    }
}
