package dev.patchbay.schema;

import dev.patchbay.json.Json.Kind;

/** The rules about strings. */
final class StringRules {
    private static final int CHARS_PER_STEP = 16;

    private StringRules() {}

    private static int length(Value string, Evaluation evaluation) {
        evaluation.spend(string.json.length() / CHARS_PER_STEP + 1);
        String text = string.text();
        return text.codePointCount(0, text.length());
    }

    /** The rule {@code maxLength}, in characters. */
    record MaxLength(long max) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            // A text never has more characters than its JSON has bytes.
            if (value.kind != Kind.STRING || value.json.length() - 2 <= max) {
                return true;
            }
            int length = length(value, evaluation);
            if (length > max && evaluation.wantsViolation()) {
                String limit = Text.count(max, "character", "characters");
                evaluation.violated(
                        value, "maxLength", "must have at most " + limit + ", has " + length);
            }
            return length <= max;
        }
    }

    /** The rule {@code minLength}, in characters. */
    record MinLength(long min) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.STRING || (min <= 1 && value.json.length() - 2 >= min)) {
                return true;
            }
            int length = length(value, evaluation);
            if (length < min && evaluation.wantsViolation()) {
                String limit = Text.count(min, "character", "characters");
                evaluation.violated(
                        value, "minLength", "must have at least " + limit + ", has " + length);
            }
            return length >= min;
        }
    }

    /** The rule {@code pattern}. */
    record Matches(Regex pattern) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.STRING || pattern.isFoundIn(value.text(), evaluation)) {
                return true;
            }
            if (evaluation.wantsViolation()) {
                String message = "must match the pattern " + pattern + ", got " + Text.quote(value);
                evaluation.violated(value, "pattern", message);
            }
            return false;
        }
    }
}
