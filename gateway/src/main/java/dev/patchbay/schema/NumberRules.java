package dev.patchbay.schema;

import dev.patchbay.json.Json.Kind;

/** Rules for numbers. */
final class NumberRules {
    private NumberRules() {}

    /** One of the four bounds. */
    record Bound(String keyword, Decimal limit, String displayText) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.NUMBER) {
                return true;
            }
            evaluation.spend(1);
            int order = value.number().compareTo(limit);
            boolean held =
                    switch (keyword) {
                        case "minimum" -> order >= 0;
                        case "maximum" -> order <= 0;
                        case "exclusiveMinimum" -> order > 0;
                        default -> order < 0;
                    };
            if (!held && evaluation.shouldReportViolation()) {
                String got = ", got " + ValidationText.quote(value);
                evaluation.reportViolation(
                        value, keyword, "must be " + boundText() + displayText + got);
            }
            return held;
        }

        private String boundText() {
            return switch (keyword) {
                case "minimum" -> "at least ";
                case "maximum" -> "at most ";
                case "exclusiveMinimum" -> "more than ";
                default -> "less than ";
            };
        }
    }

    /** The rule {@code multipleOf}. */
    record MultipleOf(Decimal divisor, String displayText) implements SchemaRule {
        private static final int STEPS = 200;
        private static final int DIGITS_PER_STEP = 8;

        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.NUMBER) {
                return true;
            }
            // A division costs the product of the digits.
            int product = value.number().digits() * divisor.digits();
            evaluation.spend(STEPS + product / DIGITS_PER_STEP);
            if (value.number().isMultipleOf(divisor)) {
                return true;
            }
            if (evaluation.shouldReportViolation()) {
                String message =
                        "must be a multiple of "
                                + displayText
                                + ", got "
                                + ValidationText.quote(value);
                evaluation.reportViolation(value, "multipleOf", message);
            }
            return false;
        }
    }
}
