package dev.patchbay.repl.kernel;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Array;

/**
 * The string form of values, as a reader of Java expects it, and never longer than asked for. Long
 * collections, maps and records have a line for each element.
 */
final class ValueFormatter {
    private static final int DEPTH_MAX = 8;
    private static final int NOTE_CHARS_MAX = 50;

    private ValueFormatter() {}

    /** A string in quotes, an array with its elements, anything else as it describes itself. */
    static String format(@Nullable Object value, int charsMax) {
        var target = new StringBuilder();
        // Room for what says that something was left out.
        append(value, target, charsMax - NOTE_CHARS_MAX, 0);
        String line = truncate(target, charsMax);
        String lines =
                value == null
                        ? null
                        : new StructuredValueFormatter(it -> element(it, charsMax))
                                .format(value, line);
        return lines == null ? line : truncate(lines, charsMax);
    }

    private static String element(@Nullable Object value, int charsMax) {
        var target = new StringBuilder();
        append(value, target, charsMax - NOTE_CHARS_MAX, 1);
        return truncate(target, charsMax);
    }

    /** The text, or its beginning and how much is missing. */
    static String truncate(CharSequence text, int charsMax) {
        if (text.length() <= charsMax) {
            return text.toString();
        }
        int end = Character.isHighSurrogate(text.charAt(charsMax - 1)) ? charsMax - 1 : charsMax;
        return text.subSequence(0, end) + "… (" + (text.length() - end) + " more characters)";
    }

    private static void append(
            @Nullable Object value, StringBuilder target, int charsMax, int depth) {
        switch (value) {
            case null -> target.append("null");
            case String text -> appendQuoted(text, '"', target, charsMax);
            case Character character -> appendQuoted(character.toString(), '\'', target, charsMax);
            default -> {
                if (value.getClass().isArray() && depth < DEPTH_MAX) {
                    appendArray(value, target, charsMax, depth);
                } else {
                    target.append(value);
                }
            }
        }
    }

    private static void appendArray(Object array, StringBuilder target, int charsMax, int depth) {
        int length = Array.getLength(array);
        String type = array.getClass().getComponentType().getSimpleName();
        target.append(type).append('[').append(length).append("] {");
        for (int i = 0; i < length && target.length() <= charsMax; i++) {
            target.append(i == 0 ? " " : ", ");
            append(Array.get(array, i), target, charsMax, depth + 1);
        }
        target.append(" }");
    }

    private static void appendQuoted(String text, char quote, StringBuilder target, int charsMax) {
        target.append(quote);
        int room = Math.max(0, charsMax - target.length());
        int end = Math.min(text.length(), room);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> target.append("\\n");
                case '\r' -> target.append("\\r");
                case '\t' -> target.append("\\t");
                case '\\' -> target.append("\\\\");
                default -> {
                    if (c == quote) {
                        target.append('\\').append(c);
                    } else if (Character.isISOControl(c)) {
                        target.append("\\u%04x".formatted((int) c));
                    } else {
                        target.append(c);
                    }
                }
            }
        }
        if (end < text.length()) {
            target.append("… (").append(text.length() - end).append(" more characters)");
        }
        target.append(quote);
    }
}
