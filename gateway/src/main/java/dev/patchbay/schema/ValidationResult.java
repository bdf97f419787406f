package dev.patchbay.schema;

import java.util.List;

/** The result of validating arguments. Only {@link Valid} arguments may be sent. */
public sealed interface ValidationResult {
    /** The arguments are valid. */
    record Valid() implements ValidationResult {
        static final Valid VALID = new Valid();
    }

    /**
     * The arguments are invalid.
     *
     * @param violations in the order of the schema's keywords; never empty
     * @param omitted the number of further violations
     */
    record Invalid(List<Violation> violations, int omitted) implements ValidationResult {
        public Invalid {
            violations = List.copyOf(violations);
            if (violations.isEmpty()) {
                throw new IllegalArgumentException("Invalid without a reason");
            }
        }

        /** One line for each violation. */
        public String text() {
            var lines = new StringBuilder();
            for (Violation violation : violations) {
                lines.append(lines.isEmpty() ? "" : "\n").append(violation.text());
            }
            if (omitted > 0) {
                lines.append("\nand ").append(omitted).append(" more");
            }
            return lines.toString();
        }
    }

    /** The validation exceeded its budget, so the result is unknown. */
    record Undecided(String reason) implements ValidationResult {}
}
