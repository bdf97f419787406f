package dev.patchbay.schema;

import dev.patchbay.json.Json.Kind;

/** The rules about numbers. */
final class NumberRules {
    private NumberRules() {}

    /** One of the four bounds. */
    record Bound(String keyword, Decimal limit, String shown) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
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
            if (!held && evaluation.wantsViolation()) {
                String got = ", got " + Text.quote(value);
                evaluation.violated(value, keyword, "must be " + wanted() + shown + got);
            }
            return held;
        }

        private String wanted() {
            return switch (keyword) {
                case "minimum" -> "at least ";
                case "maximum" -> "at most ";
                case "exclusiveMinimum" -> "more than ";
                default -> "less than ";
            };
        }
    }

    /** The rule {@code multipleOf}. */
    record MultipleOf(Decimal divisor, String shown) implements Rule {
        private static final int STEPS = 200;
        private static final int DIGITS_PER_STEP = 8;

        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.NUMBER) {
                return true;
            }
            // To divide costs the product of the digits.
            int product = value.number().digits() * divisor.digits();
            evaluation.spend(STEPS + product / DIGITS_PER_STEP);
            if (value.number().isMultipleOf(divisor)) {
                return true;
            }
            if (evaluation.wantsViolation()) {
                String message = "must be a multiple of " + shown + ", got " + Text.quote(value);
                evaluation.violated(value, "multipleOf", message);
            }
            return false;
        }
    }
}
