package dev.patchbay.schema;

import dev.patchbay.json.Json.Kind;
import dev.patchbay.schema.regex.Regex;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rules for objects. */
final class ObjectRules {
    private ObjectRules() {}

    /** The rules {@code minProperties} and {@code maxProperties}. */
    record Size(long min, long max) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.OBJECT) {
                return true;
            }
            int size = evaluation.children(value).size();
            if (size >= min && size <= max) {
                return true;
            }
            if (evaluation.shouldReportViolation()) {
                boolean few = size < min;
                String limit = ValidationText.countText(few ? min : max, "property", "properties");
                evaluation.reportViolation(
                        value,
                        few ? "minProperties" : "maxProperties",
                        "must have at " + (few ? "least " : "most ") + limit + ", has " + size);
            }
            return false;
        }
    }

    /** The rule {@code required}. */
    record Required(List<String> names) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.OBJECT) {
                return true;
            }
            return hasRequired(value, names, "required", evaluation);
        }
    }

    /** The rule {@code dependentRequired}: a property requires other properties. */
    record DependentRequired(Map<String, List<String>> names) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.OBJECT) {
                return true;
            }
            boolean held = true;
            for (var entry : names.entrySet()) {
                evaluation.spend(1);
                if (evaluation.member(value, entry.getKey()) != null) {
                    held &= hasRequired(value, entry.getValue(), "dependentRequired", evaluation);
                }
            }
            return held;
        }
    }

    private static boolean hasRequired(
            ValueNode object, List<String> names, String keyword, ValidationContext evaluation) {
        boolean held = true;
        evaluation.spend(names.size());
        for (String name : names) {
            if (evaluation.member(object, name) == null) {
                held = false;
                if (!evaluation.isReporting()) {
                    break;
                }
                if (evaluation.shouldReportViolation()) {
                    String message =
                            object.hasRemoved(name)
                                    ? "is required and must not be null"
                                    : "is required but missing";
                    evaluation.reportViolation(object.pointerTo(name), keyword, message);
                }
            }
        }
        return held;
    }

    /** The rule {@code dependentSchemas}: a property requires a schema. */
    record DependentSchemas(Map<String, CompiledSchema> schemas) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
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
        public List<CompiledSchema> inPlaceSchemas() {
            return List.copyOf(schemas.values());
        }
    }

    /**
     * The rule {@code properties}.
     *
     * @param requiredNames the required properties of the same schema
     */
    record Properties(Map<String, CompiledSchema> schemas, Set<String> requiredNames)
            implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.OBJECT) {
                return true;
            }
            boolean held = true;
            List<ValueNode> members = evaluation.children(value);
            for (int i = 0; i < members.size(); i++) {
                ValueNode member = members.get(i);
                CompiledSchema schema = schemas.get(member.name);
                if (schema != null && !memberFits(schema, member, evaluation)) {
                    held = false;
                    if (!evaluation.isReporting()) {
                        break;
                    }
                }
            }
            return held;
        }

        private boolean memberFits(
                CompiledSchema schema, ValueNode member, ValidationContext evaluation) {
            evaluation.markEvaluated(member);
            boolean fits = evaluation.descend(schema, member);
            if (member.kind == Kind.NULL && !requiredNames.contains(member.name)) {
                member.recordNullResult(fits);
            }
            return fits;
        }
    }

    /** The rule {@code patternProperties}. */
    record PatternProperties(Map<Regex, CompiledSchema> schemas) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.OBJECT) {
                return true;
            }
            boolean held = true;
            for (ValueNode member : evaluation.children(value)) {
                for (var entry : schemas.entrySet()) {
                    if (entry.getKey().isFoundIn(member.name, evaluation)) {
                        evaluation.markEvaluated(member);
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
     * @param names the names in {@code properties} of the same schema
     * @param patterns the patterns in {@code patternProperties} of the same schema
     */
    record AdditionalProperties(Set<String> names, Set<Regex> patterns, CompiledSchema schema)
            implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.OBJECT) {
                return true;
            }
            boolean held = true;
            List<ValueNode> members = evaluation.children(value);
            for (int i = 0; i < members.size(); i++) {
                ValueNode member = members.get(i);
                if (!isKnown(member.name, evaluation) && !memberFits(member, evaluation)) {
                    held = false;
                    if (!evaluation.isReporting()) {
                        break;
                    }
                }
            }
            return held;
        }

        private boolean isKnown(String name, ValidationContext evaluation) {
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

        private boolean memberFits(ValueNode member, ValidationContext evaluation) {
            evaluation.markEvaluated(member);
            if (!schema.rejectsAll()) {
                return evaluation.descend(schema, member);
            }
            if (evaluation.shouldReportViolation()) {
                String known =
                        names.isEmpty() ? "" : "; known: " + ValidationText.joinLimited(names);
                evaluation.reportViolation(
                        member, "additionalProperties", "is not a known property" + known);
            }
            return false;
        }
    }

    /** The rule {@code propertyNames}. */
    record PropertyNames(CompiledSchema schema) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.OBJECT) {
                return true;
            }
            boolean held = true;
            for (ValueNode member : evaluation.children(value)) {
                evaluation.spend(1 + member.name.length());
                held &= evaluation.descend(schema, member.nameAsValue());
            }
            return held;
        }
    }

    /** The rule {@code unevaluatedProperties}. */
    record UnevaluatedProperties(CompiledSchema schema) implements SchemaRule {
        @Override
        public boolean holds(ValueNode value, ValidationContext evaluation) {
            if (value.kind != Kind.OBJECT) {
                return true;
            }
            boolean held = true;
            for (ValueNode member : evaluation.children(value)) {
                if (!evaluation.isEvaluated(member)) {
                    held &= memberFits(member, evaluation);
                    evaluation.markEvaluated(member);
                }
            }
            return held;
        }

        private boolean memberFits(ValueNode member, ValidationContext evaluation) {
            if (!schema.rejectsAll()) {
                return evaluation.descend(schema, member);
            }
            if (evaluation.shouldReportViolation()) {
                evaluation.reportViolation(
                        member, "unevaluatedProperties", "is not a known property");
            }
            return false;
        }
    }
}
