package dev.patchbay.schema;

import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Rules that combine schemas. */
final class CombiningRules {
    /** The maximum number of alternatives whose violations are collected. */
    private static final int EXPLAINED_ALTERNATIVES_MAX = 16;

    private static final int VIOLATION_CHARS_MAX = 120;

    /** Keywords that show that a value was not meant for an alternative. */
    private static final Set<String> TYPE_KEYWORDS = Set.of("type", "const", "enum");

    private CombiningRules() {}

    /** The schema {@code false}. */
    record RejectAll() implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (evaluation.shouldReportViolation()) {
                evaluation.reportViolation(value, "false", "is not allowed");
            }
            return false;
        }
    }

    /** The rule {@code allOf}. */
    record AllOf(List<CompiledSchema> inPlaceSchemas) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            boolean held = true;
            for (CompiledSchema schema : inPlaceSchemas) {
                if (!evaluation.apply(schema, value)) {
                    held = false;
                    if (!evaluation.isReporting()) {
                        break;
                    }
                }
            }
            return held;
        }
    }

    /** The rule {@code anyOf}. */
    record AnyOf(List<CompiledSchema> inPlaceSchemas) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            boolean held = false;
            for (CompiledSchema schema : inPlaceSchemas) {
                if (evaluation.applySilently(schema, value)) {
                    held = true;
                    // All matching alternatives count as evaluated.
                    if (!evaluation.tracksEvaluated()) {
                        break;
                    }
                }
            }
            if (!held && evaluation.shouldReportViolation()) {
                reportNoMatch(value, "anyOf", inPlaceSchemas, evaluation);
            }
            return held;
        }
    }

    /** The rule {@code oneOf}. */
    record OneOf(List<CompiledSchema> inPlaceSchemas) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            int fitting = 0;
            for (CompiledSchema schema : inPlaceSchemas) {
                if (evaluation.applySilently(schema, value)) {
                    fitting++;
                    if (fitting == 2 && !evaluation.isReporting()) {
                        break;
                    }
                }
            }
            if (fitting != 1 && evaluation.shouldReportViolation()) {
                if (fitting == 0) {
                    reportNoMatch(value, "oneOf", inPlaceSchemas, evaluation);
                } else {
                    String message = "must fit exactly one of the alternatives, fits ";
                    evaluation.reportViolation(value, "oneOf", message + fitting);
                }
            }
            return fitting == 1;
        }
    }

    /**
     * Reports why no alternative matches. If all but one are for another type of value, the
     * violations of that one are reported.
     */
    private static void reportNoMatch(
            ValueNode value,
            String keyword,
            List<CompiledSchema> alternatives,
            ValidationContext evaluation) {
        var message = new StringBuilder("fits none of ");
        message.append(
                ValidationText.countText(alternatives.size(), "alternative", "alternatives"));
        if (alternatives.size() > EXPLAINED_ALTERNATIVES_MAX) {
            evaluation.reportViolation(value, keyword, message.toString());
            return;
        }
        List<Violation> meant = List.of();
        int candidates = 0;
        for (int i = 0; i < alternatives.size(); i++) {
            List<Violation> objections = evaluation.collectViolations(alternatives.get(i), value);
            if (!isTypeMismatch(objections, value)) {
                meant = objections;
                candidates++;
            }
            String first = objections.isEmpty() ? "?" : objections.getFirst().text();
            message.append(i == 0 ? ": " : "; ")
                    .append(DisplayText.truncate(first, VIOLATION_CHARS_MAX));
        }
        if (candidates == 1 && !meant.isEmpty()) {
            meant.forEach(evaluation::reportViolation);
        } else {
            evaluation.reportViolation(value, keyword, message.toString());
        }
    }

    private static boolean isTypeMismatch(List<Violation> objections, ValueNode value) {
        String here = value.pointer();
        for (Violation objection : objections) {
            if (objection.pointer().equals(here) && TYPE_KEYWORDS.contains(objection.keyword())) {
                return true;
            }
        }
        return false;
    }

    /** The rule {@code not}. */
    record Not(CompiledSchema schema, String displayText) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (!evaluation.descendSilently(schema, value)) {
                return true;
            }
            if (evaluation.shouldReportViolation()) {
                evaluation.reportViolation(value, "not", "must not fit " + displayText);
            }
            return false;
        }

        @Override
        public List<CompiledSchema> inPlaceSchemas() {
            return List.of(schema);
        }
    }

    /** The rules {@code if}, {@code then} and {@code else}. */
    record Conditional(
            CompiledSchema condition,
            @Nullable CompiledSchema then,
            @Nullable CompiledSchema otherwise)
            implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            CompiledSchema branch = evaluation.applySilently(condition, value) ? then : otherwise;
            return branch == null || evaluation.apply(branch, value);
        }

        @Override
        public List<CompiledSchema> inPlaceSchemas() {
            var schemas = new ArrayList<CompiledSchema>();
            schemas.add(condition);
            if (then != null) {
                schemas.add(then);
            }
            if (otherwise != null) {
                schemas.add(otherwise);
            }
            return schemas;
        }
    }
}
