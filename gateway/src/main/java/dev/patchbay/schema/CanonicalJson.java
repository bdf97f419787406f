package dev.patchbay.schema;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A canonical text of JSON values: two values that JSON Schema considers equal have the same text,
 * whatever the order of their members, the spelling of numbers and the escapes in strings.
 * Comparing texts takes linear time.
 */
final class CanonicalJson {
    private static final int PLAIN_CHARS_MAX = 100;

    private CanonicalJson() {}

    static String canonicalText(ValueNode value) {
        return switch (value.kind) {
            case STRING -> "\"".concat(value.text());
            case NUMBER -> number(value);
            case BOOLEAN, NULL -> value.json.toString();
            case ARRAY, OBJECT -> {
                var text = new StringBuilder(value.json.length());
                append(value, text);
                yield text.toString();
            }
        };
    }

    private static String number(ValueNode value) {
        // Most integers are already in canonical form; minus zero and long ones are not.
        boolean usual =
                ValueNode.isPlainInteger(value.json) && value.json.length() <= PLAIN_CHARS_MAX;
        return usual && value.json.byteAt(0) != '-'
                ? value.json.toString()
                : value.number().toString();
    }

    private static void append(ValueNode value, StringBuilder text) {
        switch (value.kind) {
            case ARRAY -> {
                text.append('[');
                for (ValueNode element : value.children()) {
                    append(element, text);
                    text.append(',');
                }
                text.append(']');
            }
            case OBJECT -> appendMembers(value, text);
            case STRING -> appendString(value.text(), text);
            case NUMBER, BOOLEAN, NULL -> text.append(canonicalText(value));
        }
    }

    private static void appendMembers(ValueNode object, StringBuilder text) {
        List<ValueNode> members = new ArrayList<>(object.children());
        members.sort(Comparator.comparing((ValueNode member) -> member.name));
        text.append('{');
        for (ValueNode member : members) {
            appendString(member.name, text);
            append(member, text);
        }
        text.append('}');
    }

    /** The length before a string replaces an end marker and escapes. */
    private static void appendString(String string, StringBuilder text) {
        text.append(string.length()).append('"').append(string);
    }
}
