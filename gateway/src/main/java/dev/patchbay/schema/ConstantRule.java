package dev.patchbay.schema;

import java.util.List;
import java.util.Set;

/**
 * The rules {@code enum} and {@code const}.
 *
 * @param allowed the canonical texts of the values
 * @param shown the same values, in words
 */
record ConstantRule(String keyword, Set<String> allowed, List<String> shown) implements Rule {
    @Override
    public boolean holds(Value value, Evaluation evaluation) {
        if (allowed.contains(evaluation.canonical(value))) {
            return true;
        }
        if (evaluation.wantsViolation()) {
            String wanted = (shown.size() == 1 ? "must be " : "must be one of ") + Text.list(shown);
            evaluation.violated(value, keyword, wanted + ", got " + Text.quote(value));
        }
        return false;
    }
}
