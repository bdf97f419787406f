package dev.patchbay.text;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Makes text of other programs safe to show on a terminal, in a log or in a message. Characters
 * that could move the cursor, change the terminal, reorder or hide text, or start a new line are
 * replaced by visible escapes, written as in JSON: a line feed becomes a backslash and an n, other
 * characters become a backslash, a u and four hexadecimal digits. A JSON text therefore keeps its
 * meaning.
 */
public final class DisplayText {
    private static final int QUOTE_CHARS_MAX = 60;
    private static final int NAME_CHARS_MAX = 200;
    private static final int MESSAGE_CHARS_MAX = 300;
    private static final int EXCERPT_BYTES_MAX = 200;
    private static final int ZERO_WIDTH_NON_JOINER = 0x200C;
    private static final int ZERO_WIDTH_JOINER = 0x200D;

    private DisplayText() {}

    /** The text on one line, with every unsafe character escaped. */
    public static String escape(String text) {
        if (isSafe(text)) {
            return text;
        }
        var safe = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> append(c, safe));
        return safe.toString();
    }

    /** The start of the text on one line, with every unsafe character escaped. */
    public static String escape(String text, int charsMax) {
        return escape(truncate(text, charsMax));
    }

    /**
     * A sentence or description on one line: line breaks and tabs become spaces, every other unsafe
     * character is escaped.
     */
    public static String oneLine(String text) {
        if (isSafe(text)) {
            return text.strip();
        }
        var safe = new StringBuilder(text.length() + 16);
        text.codePoints()
                .forEach(
                        c -> {
                            if (isSpacing(c)) {
                                safe.append(' ');
                            } else {
                                append(c, safe);
                            }
                        });
        return safe.toString().strip();
    }

    /** The start of a message of another program, as {@link #oneLine(String)}. */
    public static String message(String text) {
        return oneLine(truncate(text, MESSAGE_CHARS_MAX));
    }

    /**
     * A text of several lines: line breaks, tabs and the joiners that scripts and emoji need stay,
     * every other unsafe character is escaped.
     */
    public static String multiLine(String text) {
        if (isSafe(text)) {
            return text;
        }
        var safe = new StringBuilder(text.length() + 16);
        text.replace("\r\n", "\n")
                .codePoints()
                .forEach(
                        c -> {
                            if (isLayout(c)) {
                                safe.appendCodePoint(c);
                            } else {
                                append(c, safe);
                            }
                        });
        return safe.toString();
    }

    /** The start of the text in double quotes, with every unsafe character escaped. */
    public static String quote(String text) {
        return '"' + escape(text, QUOTE_CHARS_MAX) + '"';
    }

    /** The start of a name in single quotes, with every unsafe character escaped. */
    public static String quoteName(String name) {
        return "'" + escape(name, NAME_CHARS_MAX) + "'";
    }

    /** The start of bytes that should be text, on one line. */
    public static String excerpt(byte[] bytes) {
        int length = Math.min(bytes.length, EXCERPT_BYTES_MAX);
        String start = new String(bytes, 0, length, StandardCharsets.UTF_8);
        return oneLine(start).replaceAll(" {2,}", " ");
    }

    /** The text, or its start and an ellipsis. Does not split a surrogate pair. */
    public static String truncate(String text, int charsMax) {
        if (text.length() <= charsMax) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(charsMax - 1)) ? charsMax - 1 : charsMax;
        return text.substring(0, end) + "…";
    }

    /** Whether every character is printable ASCII or Latin, as nearly all texts are. */
    private static boolean isSafe(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean safe = (c >= ' ' && c < 0x7F) || (c > 0xA0 && c < 0x250 && c != 0xAD);
            if (!safe && c != '…') {
                return false;
            }
        }
        return true;
    }

    private static void append(int c, StringBuilder target) {
        switch (c) {
            case '\n' -> target.append("\\n");
            case '\r' -> target.append("\\r");
            case '\t' -> target.append("\\t");
            default -> {
                if (isPrintable(c)) {
                    target.appendCodePoint(c);
                } else {
                    for (char unit : Character.toChars(c)) {
                        target.append("\\u").append(HexFormat.of().toHexDigits(unit));
                    }
                }
            }
        }
    }

    private static boolean isSpacing(int c) {
        return (c >= '\t' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029;
    }

    private static boolean isLayout(int c) {
        return c == '\n' || c == '\t' || c == ZERO_WIDTH_NON_JOINER || c == ZERO_WIDTH_JOINER;
    }

    private static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED ->
                    false;
            default -> true;
        };
    }
}
