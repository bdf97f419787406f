package dev.patchbay.schema;

import java.util.List;

/** A compiled schema or subschema. */
final class CompiledSchema {
    private List<SchemaRule> rules = List.of();

    /** Rules for unevaluated children, which run after all others. */
    private List<SchemaRule> unevaluatedRules = List.of();

    final DynamicAnchors dynamicAnchors;

    CompiledSchema(DynamicAnchors resource) {
        this.dynamicAnchors = resource;
    }

    void define(List<SchemaRule> rules, List<SchemaRule> leftovers) {
        this.rules = List.copyOf(rules);
        this.unevaluatedRules = List.copyOf(leftovers);
    }

    List<SchemaRule> rules() {
        return rules;
    }

    boolean rejectsAll() {
        return rules.size() == 1 && rules.getFirst() instanceof CombiningRules.RejectAll;
    }

    boolean acceptsAll() {
        return rules.isEmpty() && unevaluatedRules.isEmpty();
    }

    boolean hasUnevaluatedRules() {
        return !unevaluatedRules.isEmpty();
    }

    boolean accepts(ValueNode value, ValidationContext evaluation) {
        evaluation.enter(this);
        boolean accepted = allHold(rules, value, evaluation);
        // Failed rules evaluate nothing, so unevaluated children would be reported by mistake.
        if (accepted && !unevaluatedRules.isEmpty()) {
            accepted = allHold(unevaluatedRules, value, evaluation);
        }
        evaluation.leave();
        return accepted;
    }

    private static boolean allHold(
            List<SchemaRule> rules, ValueNode value, ValidationContext evaluation) {
        boolean all = true;
        for (int i = 0; i < rules.size(); i++) {
            if (!rules.get(i).holds(value, evaluation)) {
                all = false;
                if (!evaluation.isReporting()) {
                    break;
                }
            }
        }
        return all;
    }
}
