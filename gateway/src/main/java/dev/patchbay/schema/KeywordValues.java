package dev.patchbay.schema;

import dev.patchbay.json.Json.Kind;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/** Reads and checks the values of keywords. */
final class KeywordValues {
    private KeywordValues() {}

    static void requireKind(ValueNode word, Kind kind) {
        if (word.kind != kind) {
            String article = kind == Kind.OBJECT || kind == Kind.ARRAY ? "an " : "a ";
            throw new UnusableSchemaException(
                    word, "must be " + article + kind.name().toLowerCase(Locale.ROOT));
        }
    }

    static String string(ValueNode word) {
        requireKind(word, Kind.STRING);
        return word.text();
    }

    static boolean bool(ValueNode word) {
        requireKind(word, Kind.BOOLEAN);
        return word.json.isTrue();
    }

    static Decimal number(ValueNode word) {
        requireKind(word, Kind.NUMBER);
        return word.number();
    }

    /** A non-negative integer. */
    static long nonNegativeInteger(ValueNode word) {
        Decimal number = number(word);
        if (number.sign() < 0 || !number.isInteger()) {
            throw new UnusableSchemaException(word, "must be a non-negative integer");
        }
        return number.toSaturatedLong();
    }

    /** An array of strings without duplicates. */
    static List<String> uniqueStrings(ValueNode word) {
        requireKind(word, Kind.ARRAY);
        var names = new ArrayList<String>();
        var seen = new HashSet<String>();
        for (ValueNode element : word.children()) {
            if (!seen.add(string(element))) {
                throw new UnusableSchemaException(element, "must not occur twice");
            }
            names.add(element.text());
        }
        return names;
    }

    static boolean isAnchorName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
            boolean other = (c >= '0' && c <= '9') || c == '-' || c == '.';
            if (!letter && (i == 0 || !other)) {
                return false;
            }
        }
        return !name.isEmpty();
    }
}
