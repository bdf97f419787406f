package dev.patchbay.schema;

import dev.patchbay.text.DisplayText;

import java.nio.charset.StandardCharsets;
import java.util.Collection;

/** Parts of messages, each of bounded length. */
final class ValidationText {
    private static final int QUOTE_CHARS_MAX = 60;
    private static final int JOINED_MAX = 20;

    private ValidationText() {}

    /** A location in a schema; the root has a name. */
    static String locationText(String pointer) {
        return pointer.isEmpty() ? "the schema" : pointer;
    }

    /** A JSON value, shortened. */
    static String quote(ValueNode value) {
        int length = value.json.length();
        var bytes = new byte[Math.min(length, QUOTE_CHARS_MAX * 4)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = value.json.byteAt(i);
        }
        return DisplayText.truncate(new String(bytes, StandardCharsets.UTF_8), QUOTE_CHARS_MAX);
    }

    static String joinLimited(Collection<String> words) {
        var list = new StringBuilder();
        int listed = 0;
        for (String word : words) {
            if (listed == JOINED_MAX) {
                return list.append(" and ")
                        .append(words.size() - listed)
                        .append(" more")
                        .toString();
            }
            list.append(listed++ == 0 ? "" : ", ")
                    .append(DisplayText.truncate(word, QUOTE_CHARS_MAX));
        }
        return list.toString();
    }

    static String countText(long number, String thing, String things) {
        return number + " " + (number == 1 ? thing : things);
    }
}
