package dev.patchbay.schema;

import java.nio.charset.StandardCharsets;
import java.util.Collection;

/** Words for messages, each of a bounded length whatever it is made of. */
final class Text {
    private static final int QUOTE_CHARS_MAX = 60;
    private static final int LISTED_MAX = 20;

    private Text() {}

    /** A place in a schema, where the empty pointer would say nothing. */
    static String place(String pointer) {
        return pointer.isEmpty() ? "the schema" : pointer;
    }

    /** A JSON value as it was written, or its beginning. */
    static String quote(Value value) {
        int length = value.json.length();
        var bytes = new byte[Math.min(length, QUOTE_CHARS_MAX * 4)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = value.json.byteAt(i);
        }
        return cut(new String(bytes, StandardCharsets.UTF_8), QUOTE_CHARS_MAX);
    }

    static String quote(String text) {
        return '"' + cut(text, QUOTE_CHARS_MAX) + '"';
    }

    static String list(Collection<String> words) {
        var list = new StringBuilder();
        int listed = 0;
        for (String word : words) {
            if (listed == LISTED_MAX) {
                return list.append(" and ")
                        .append(words.size() - listed)
                        .append(" more")
                        .toString();
            }
            list.append(listed++ == 0 ? "" : ", ").append(cut(word, QUOTE_CHARS_MAX));
        }
        return list.toString();
    }

    static String count(long number, String thing, String things) {
        return number + " " + (number == 1 ? thing : things);
    }

    static String cut(String text, int charsMax) {
        if (text.length() <= charsMax) {
            return text;
        }
        // Half of a surrogate pair is no text.
        int end = Character.isHighSurrogate(text.charAt(charsMax - 1)) ? charsMax - 1 : charsMax;
        return text.substring(0, end) + "…";
    }
}
