package dev.patchbay.schema;

import dev.patchbay.json.Json.Kind;

import java.util.ArrayList;
import java.util.List;

/** The rule {@code type}: a set of the seven types, one bit each. */
record TypeRule(int mask) implements SchemaRule {
    private static final List<String> NAMES =
            List.of("null", "boolean", "object", "array", "number", "string", "integer");
    private static final List<String> NAMES_WITH_ARTICLE =
            List.of(
                    "null",
                    "a boolean",
                    "an object",
                    "an array",
                    "a number",
                    "a string",
                    "an integer");

    static final int NULL = 1;
    static final int BOOLEAN = 1 << 1;
    static final int OBJECT = 1 << 2;
    static final int ARRAY = 1 << 3;
    static final int NUMBER = 1 << 4;
    static final int STRING = 1 << 5;
    static final int INTEGER = 1 << 6;

    /** The bit of a type; 0 if it is unknown. */
    static int bit(String name) {
        int at = NAMES.indexOf(name);
        return at < 0 ? 0 : 1 << at;
    }

    /** The bit of a kind of value; an integer has that of a number. */
    static int bit(Kind kind) {
        return switch (kind) {
            case NULL -> NULL;
            case BOOLEAN -> BOOLEAN;
            case OBJECT -> OBJECT;
            case ARRAY -> ARRAY;
            case STRING -> STRING;
            case NUMBER -> NUMBER;
        };
    }

    @Override
    public boolean holds(ValueNode value, ValidationContext evaluation) {
        int bit = bit(value.kind);
        if ((mask & bit) != 0 || ((mask & INTEGER) != 0 && value.isInteger())) {
            return true;
        }
        if (evaluation.shouldReportViolation()) {
            evaluation.reportViolation(
                    value,
                    "type",
                    "must be " + expectedTypes() + ", got " + actualType(value, bit));
        }
        return false;
    }

    private String expectedTypes() {
        var names = new ArrayList<String>();
        for (int i = 0; i < NAMES_WITH_ARTICLE.size(); i++) {
            if ((mask & 1 << i) != 0) {
                names.add(NAMES_WITH_ARTICLE.get(i));
            }
        }
        return String.join(" or ", names);
    }

    private String actualType(ValueNode value, int bit) {
        return (mask & INTEGER) != 0 && bit == NUMBER
                ? ValidationText.quote(value)
                : NAMES.get(Integer.numberOfTrailingZeros(bit));
    }
}
