package dev.patchbay.schema;

import dev.patchbay.json.Json.Kind;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;

/** Rules for arrays. */
final class ArrayRules {
    private ArrayRules() {}

    /** The rules {@code minItems} and {@code maxItems}. */
    record Size(long min, long max) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.ARRAY) {
                return true;
            }
            int size = evaluation.children(value).size();
            if (size >= min && size <= max) {
                return true;
            }
            if (evaluation.shouldReportViolation()) {
                boolean few = size < min;
                String limit = ValidationText.countText(few ? min : max, "element", "elements");
                evaluation.reportViolation(
                        value,
                        few ? "minItems" : "maxItems",
                        "must have at " + (few ? "least " : "most ") + limit + ", has " + size);
            }
            return false;
        }
    }

    /** The rule for the first elements, with one schema for each position. */
    record PrefixItems(List<CompiledSchema> schemas) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.ARRAY) {
                return true;
            }
            boolean held = true;
            List<ValueNode> elements = evaluation.children(value);
            for (int i = 0; i < schemas.size() && i < elements.size(); i++) {
                evaluation.markEvaluated(elements.get(i));
                if (!evaluation.descend(schemas.get(i), elements.get(i))) {
                    held = false;
                    if (!evaluation.isReporting()) {
                        break;
                    }
                }
            }
            return held;
        }
    }

    /** The rule for all elements from a position on. */
    record Items(int from, CompiledSchema schema) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.ARRAY) {
                return true;
            }
            boolean held = true;
            List<ValueNode> elements = evaluation.children(value);
            for (int i = from; i < elements.size(); i++) {
                evaluation.markEvaluated(elements.get(i));
                if (!evaluation.descend(schema, elements.get(i))) {
                    held = false;
                    if (!evaluation.isReporting()) {
                        break;
                    }
                }
            }
            return held;
        }
    }

    /** The rule {@code contains} with its two bounds. */
    record Contains(CompiledSchema schema, long min, long max, boolean marksEvaluated)
            implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.ARRAY) {
                return true;
            }
            long found = 0;
            for (ValueNode element : evaluation.children(value)) {
                if (evaluation.descendSilently(schema, element)) {
                    found++;
                    if (marksEvaluated) {
                        evaluation.markEvaluated(element);
                    }
                }
            }
            if (found >= min && found <= max) {
                return true;
            }
            if (evaluation.shouldReportViolation()) {
                boolean few = found < min;
                String limit = ValidationText.countText(few ? min : max, "element", "elements");
                evaluation.reportViolation(
                        value,
                        "contains",
                        "must have at "
                                + (few ? "least " : "most ")
                                + limit
                                + " of the wanted form, has "
                                + found);
            }
            return false;
        }
    }

    /** The rule {@code uniqueItems}. */
    record UniqueItems() implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.ARRAY) {
                return true;
            }
            ValueNode twin = firstDuplicate(evaluation.children(value), evaluation);
            if (twin != null && evaluation.shouldReportViolation()) {
                String message = "must not have equal elements, but has two of ";
                evaluation.reportViolation(
                        value, "uniqueItems", message + ValidationText.quote(twin));
            }
            return twin == null;
        }

        private static @Nullable ValueNode firstDuplicate(
                List<ValueNode> elements, ValidationContext evaluation) {
            if (elements.size() < 2) {
                return null;
            }
            var seen = new HashSet<String>();
            for (ValueNode element : elements) {
                if (!seen.add(evaluation.canonicalText(element))) {
                    return element;
                }
            }
            return null;
        }
    }

    /** The rule {@code unevaluatedItems}. */
    record UnevaluatedItems(CompiledSchema schema) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.ARRAY) {
                return true;
            }
            boolean held = true;
            for (ValueNode element : evaluation.children(value)) {
                if (!evaluation.isEvaluated(element)) {
                    held &= evaluation.descend(schema, element);
                    evaluation.markEvaluated(element);
                }
            }
            return held;
        }
    }
}
