package dev.patchbay.schema;

import dev.patchbay.json.Json.Kind;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules about objects. */
final class ObjectRules {
    private ObjectRules() {}

    /** The rules {@code minProperties} and {@code maxProperties}. */
    record Size(long min, long max) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.OBJECT) {
                return true;
            }
            int size = evaluation.children(value).size();
            if (size >= min && size <= max) {
                return true;
            }
            if (evaluation.wantsViolation()) {
                boolean few = size < min;
                String limit = Text.count(few ? min : max, "property", "properties");
                evaluation.violated(
                        value,
                        few ? "minProperties" : "maxProperties",
                        "must have at " + (few ? "least " : "most ") + limit + ", has " + size);
            }
            return false;
        }
    }

    /** The rule {@code required}. */
    record Required(List<String> names) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.OBJECT) {
                return true;
            }
            return requires(value, names, "required", evaluation);
        }
    }

    /** The rule {@code dependentRequired}: who has the one must have the others. */
    record DependentRequired(Map<String, List<String>> names) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.OBJECT) {
                return true;
            }
            boolean held = true;
            for (var entry : names.entrySet()) {
                evaluation.spend(1);
                if (evaluation.member(value, entry.getKey()) != null) {
                    held &= requires(value, entry.getValue(), "dependentRequired", evaluation);
                }
            }
            return held;
        }
    }

    private static boolean requires(
            Value object, List<String> names, String keyword, Evaluation evaluation) {
        boolean held = true;
        evaluation.spend(names.size());
        for (String name : names) {
            if (evaluation.member(object, name) == null) {
                held = false;
                if (!evaluation.isReporting()) {
                    break;
                }
                if (evaluation.wantsViolation()) {
                    String message =
                            object.hasDropped(name)
                                    ? "is required and must not be null"
                                    : "is required but missing";
                    evaluation.violated(object.pointerTo(name), keyword, message);
                }
            }
        }
        return held;
    }

    /** The rule {@code dependentSchemas}: who has the property must fit the schema. */
    record DependentSchemas(Map<String, Schema> schemas) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.OBJECT) {
                return true;
            }
            boolean held = true;
            for (var entry : schemas.entrySet()) {
                evaluation.spend(1);
                if (evaluation.member(value, entry.getKey()) != null) {
                    held &= evaluation.apply(entry.getValue(), value);
                }
            }
            return held;
        }

        @Override
        public List<Schema> inPlace() {
            return List.copyOf(schemas.values());
        }
    }

    /**
     * The rule {@code properties}.
     *
     * @param required the properties that the same schema requires
     */
    record Properties(Map<String, Schema> schemas, Set<String> required) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.OBJECT) {
                return true;
            }
            boolean held = true;
            List<Value> members = evaluation.children(value);
            for (int i = 0; i < members.size(); i++) {
                Value member = members.get(i);
                Schema schema = schemas.get(member.name);
                if (schema != null && !fits(schema, member, evaluation)) {
                    held = false;
                    if (!evaluation.isReporting()) {
                        break;
                    }
                }
            }
            return held;
        }

        private boolean fits(Schema schema, Value member, Evaluation evaluation) {
            evaluation.look(member);
            boolean fits = evaluation.descend(schema, member);
            if (member.kind == Kind.NULL && !required.contains(member.name)) {
                member.judgeNull(fits);
            }
            return fits;
        }
    }

    /** The rule {@code patternProperties}. */
    record PatternProperties(Map<Regex, Schema> schemas) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.OBJECT) {
                return true;
            }
            boolean held = true;
            for (Value member : evaluation.children(value)) {
                for (var entry : schemas.entrySet()) {
                    if (entry.getKey().isFoundIn(member.name, evaluation)) {
                        evaluation.look(member);
                        held &= evaluation.descend(entry.getValue(), member);
                    }
                }
            }
            return held;
        }
    }

    /**
     * The rule {@code additionalProperties}.
     *
     * @param names the names that {@code properties} beside it knows
     * @param patterns the patterns that {@code patternProperties} beside it knows
     */
    record Additional(Set<String> names, Set<Regex> patterns, Schema schema) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.OBJECT) {
                return true;
            }
            boolean held = true;
            List<Value> members = evaluation.children(value);
            for (int i = 0; i < members.size(); i++) {
                Value member = members.get(i);
                if (!isKnown(member.name, evaluation) && !fits(member, evaluation)) {
                    held = false;
                    if (!evaluation.isReporting()) {
                        break;
                    }
                }
            }
            return held;
        }

        private boolean isKnown(String name, Evaluation evaluation) {
            evaluation.spend(1);
            if (names.contains(name)) {
                return true;
            }
            for (Regex pattern : patterns) {
                if (pattern.isFoundIn(name, evaluation)) {
                    return true;
                }
            }
            return false;
        }

        private boolean fits(Value member, Evaluation evaluation) {
            evaluation.look(member);
            if (!schema.isNever()) {
                return evaluation.descend(schema, member);
            }
            if (evaluation.wantsViolation()) {
                String known = names.isEmpty() ? "" : "; known: " + Text.list(names);
                evaluation.violated(
                        member, "additionalProperties", "is not a known property" + known);
            }
            return false;
        }
    }

    /** The rule {@code propertyNames}. */
    record Names(Schema schema) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.OBJECT) {
                return true;
            }
            boolean held = true;
            for (Value member : evaluation.children(value)) {
                evaluation.spend(1 + member.name.length());
                held &= evaluation.descend(schema, member.nameAsValue());
            }
            return held;
        }
    }

    /** The rule {@code unevaluatedProperties}. */
    record Unlooked(Schema schema) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (value.kind != Kind.OBJECT) {
                return true;
            }
            boolean held = true;
            for (Value member : evaluation.children(value)) {
                if (!evaluation.isLooked(member)) {
                    held &= fits(member, evaluation);
                    evaluation.look(member);
                }
            }
            return held;
        }

        private boolean fits(Value member, Evaluation evaluation) {
            if (!schema.isNever()) {
                return evaluation.descend(schema, member);
            }
            if (evaluation.wantsViolation()) {
                evaluation.violated(member, "unevaluatedProperties", "is not a known property");
            }
            return false;
        }
    }
}
