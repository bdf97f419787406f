package dev.patchbay.schema;

import java.util.List;
import java.util.Set;

/**
 * The rules {@code enum} and {@code const}.
 *
 * @param allowed the canonical texts of the values
 * @param displayTexts the same values for messages
 */
record ConstantRule(String keyword, Set<String> allowed, List<String> displayTexts)
        implements SchemaRule {
    @Override
    public boolean holds(ValueNode value, ValidationContext evaluation) {
        if (allowed.contains(evaluation.canonicalText(value))) {
            return true;
        }
        if (evaluation.shouldReportViolation()) {
            String wanted =
                    (displayTexts.size() == 1 ? "must be " : "must be one of ")
                            + ValidationText.joinLimited(displayTexts);
            evaluation.reportViolation(
                    value, keyword, wanted + ", got " + ValidationText.quote(value));
        }
        return false;
    }
}
