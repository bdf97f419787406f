package dev.patchbay.schema;

import java.util.List;

/** One compiled schema: the whole, or one of those within it. */
final class Schema {
    private List<Rule> rules = List.of();

    /** Rules about what the others left over, so they come after them. */
    private List<Rule> leftovers = List.of();

    final Resource resource;

    Schema(Resource resource) {
        this.resource = resource;
    }

    void define(List<Rule> rules, List<Rule> leftovers) {
        this.rules = List.copyOf(rules);
        this.leftovers = List.copyOf(leftovers);
    }

    List<Rule> rules() {
        return rules;
    }

    boolean isNever() {
        return rules.size() == 1 && rules.getFirst() instanceof CombiningRules.Never;
    }

    boolean isAlways() {
        return rules.isEmpty() && leftovers.isEmpty();
    }

    boolean hasLeftovers() {
        return !leftovers.isEmpty();
    }

    boolean accepts(Value value, Evaluation evaluation) {
        evaluation.enter(this);
        boolean accepted = all(rules, value, evaluation);
        // What failed leaves nothing behind, so what is left over could not be told from it.
        if (accepted && !leftovers.isEmpty()) {
            accepted = all(leftovers, value, evaluation);
        }
        evaluation.leave();
        return accepted;
    }

    private static boolean all(List<Rule> rules, Value value, Evaluation evaluation) {
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
