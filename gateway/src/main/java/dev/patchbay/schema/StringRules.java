package dev.patchbay.schema;

import dev.patchbay.json.Json.Kind;
import dev.patchbay.schema.regex.Regex;

/** Rules for strings. */
final class StringRules {
    private static final int CHARS_PER_STEP = 16;

    private StringRules() {}

    private static int length(ValueNode string, ValidationContext evaluation) {
        evaluation.spend(string.json.length() / CHARS_PER_STEP + 1);
        String text = string.text();
        return text.codePointCount(0, text.length());
    }

    /** The rule {@code maxLength}, in characters. */
    record MaxLength(long max) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            // A text has at most as many characters as its JSON has bytes.
            if (value.kind != Kind.STRING || value.json.length() - 2 <= max) {
                return true;
            }
            int length = length(value, evaluation);
            if (length > max && evaluation.shouldReportViolation()) {
                String limit = ValidationText.countText(max, "character", "characters");
                evaluation.reportViolation(
                        value, "maxLength", "must have at most " + limit + ", has " + length);
            }
            return length <= max;
        }
    }

    /** The rule {@code minLength}, in characters. */
    record MinLength(long min) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.STRING || (min <= 1 && value.json.length() - 2 >= min)) {
                return true;
            }
            int length = length(value, evaluation);
            if (length < min && evaluation.shouldReportViolation()) {
                String limit = ValidationText.countText(min, "character", "characters");
                evaluation.reportViolation(
                        value, "minLength", "must have at least " + limit + ", has " + length);
            }
            return length >= min;
        }
    }

    /** The rule {@code pattern}. */
    record MatchesPattern(Regex pattern) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.STRING || pattern.isFoundIn(value.text(), evaluation)) {
                return true;
            }
            if (evaluation.shouldReportViolation()) {
                String message =
                        "must match the pattern "
                                + pattern
                                + ", got "
                                + ValidationText.quote(value);
                evaluation.reportViolation(value, "pattern", message);
            }
            return false;
        }
    }
}
