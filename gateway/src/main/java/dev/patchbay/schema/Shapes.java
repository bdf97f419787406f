package dev.patchbay.schema;

import dev.patchbay.json.Json.Kind;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/** What the values of the words in a schema must look like. */
final class Shapes {
    private Shapes() {}

    static void require(Value word, Kind kind) {
        if (word.kind != kind) {
            String article = kind == Kind.OBJECT || kind == Kind.ARRAY ? "an " : "a ";
            throw new UnusableException(
                    word, "must be " + article + kind.name().toLowerCase(Locale.ROOT));
        }
    }

    static String text(Value word) {
        require(word, Kind.STRING);
        return word.text();
    }

    static boolean isTrue(Value word) {
        require(word, Kind.BOOLEAN);
        return word.json.isTrue();
    }

    static Decimal number(Value word) {
        require(word, Kind.NUMBER);
        return word.number();
    }

    /** A whole number that is not negative. */
    static long count(Value word) {
        Decimal number = number(word);
        if (number.sign() < 0 || !number.isInteger()) {
            throw new UnusableException(word, "must be a whole number that is not negative");
        }
        return number.saturated();
    }

    /** A list of strings, none of them twice. */
    static List<String> names(Value word) {
        require(word, Kind.ARRAY);
        var names = new ArrayList<String>();
        var seen = new HashSet<String>();
        for (Value element : word.children()) {
            if (!seen.add(text(element))) {
                throw new UnusableException(element, "must not stand twice");
            }
            names.add(element.text());
        }
        return names;
    }

    static boolean isAnchor(String name) {
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
