package dev.patchbay.schema;

import dev.patchbay.json.Json.Kind;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;

/** The rules about arrays. */
final class ArrayRules {
    private ArrayRules() {}

    /** The rules {@code minItems} and {@code maxItems}. */
    record Size(long min, long max) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.ARRAY) {
                return true;
            }
            int size = evaluation.children(value).size();
            if (size >= min && size <= max) {
                return true;
            }
            if (evaluation.wantsViolation()) {
                boolean few = size < min;
                String limit = Text.count(few ? min : max, "element", "elements");
                evaluation.violated(
                        value,
                        few ? "minItems" : "maxItems",
                        "must have at " + (few ? "least " : "most ") + limit + ", has " + size);
            }
            return false;
        }
    }

    /** The rule for the first elements, one schema for each place. */
    record Prefix(List<Schema> schemas) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.ARRAY) {
                return true;
            }
            boolean held = true;
            List<Value> elements = evaluation.children(value);
            for (int i = 0; i < schemas.size() && i < elements.size(); i++) {
                evaluation.look(elements.get(i));
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

    /** The rule for all elements from a place on. */
    record Rest(int from, Schema schema) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.ARRAY) {
                return true;
            }
            boolean held = true;
            List<Value> elements = evaluation.children(value);
            for (int i = from; i < elements.size(); i++) {
                evaluation.look(elements.get(i));
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
    record Contains(Schema schema, long min, long max, boolean marks) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.ARRAY) {
                return true;
            }
            long found = 0;
            for (Value element : evaluation.children(value)) {
                if (evaluation.descendQuietly(schema, element)) {
                    found++;
                    if (marks) {
                        evaluation.look(element);
                    }
                }
            }
            if (found >= min && found <= max) {
                return true;
            }
            if (evaluation.wantsViolation()) {
                boolean few = found < min;
                String limit = Text.count(few ? min : max, "element", "elements");
                evaluation.violated(
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
    record Unique() implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.ARRAY) {
                return true;
            }
            Value twin = twin(evaluation.children(value), evaluation);
            if (twin != null && evaluation.wantsViolation()) {
                String message = "must not have equal elements, but has two of ";
                evaluation.violated(value, "uniqueItems", message + Text.quote(twin));
            }
            return twin == null;
        }

        private static @Nullable Value twin(List<Value> elements, Evaluation evaluation) {
            if (elements.size() < 2) {
                return null;
            }
            var seen = new HashSet<String>();
            for (Value element : elements) {
                if (!seen.add(evaluation.canonical(element))) {
                    return element;
                }
            }
            return null;
        }
    }

    /** The rule {@code unevaluatedItems}. */
    record Unlooked(Schema schema) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.ARRAY) {
                return true;
            }
            boolean held = true;
            for (Value element : evaluation.children(value)) {
                if (!evaluation.isLooked(element)) {
                    held &= evaluation.descend(schema, element);
                    evaluation.look(element);
                }
            }
            return held;
        }
    }
}
