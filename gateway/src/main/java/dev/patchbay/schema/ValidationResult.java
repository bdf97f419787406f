package dev.patchbay.schema;

import java.util.List;

/** What a check of arguments came to. Only {@link Valid} arguments may be sent. */
public sealed interface ValidationResult {
    /** The arguments are as the schema wants them. */
    record Valid() implements ValidationResult {
        static final Valid VALID = new Valid();
    }

    /**
     * The arguments break the schema.
     *
     * @param violations what is wrong, in the order of the words of the schema; never empty
     * @param omitted how many more violations there are
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

    /** The check cost more than a call may spend, so nobody knows. */
    record Undecided(String reason) implements ValidationResult {}
}
