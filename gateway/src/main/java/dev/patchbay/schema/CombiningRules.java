package dev.patchbay.schema;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The rules that combine schemas for one value. */
final class CombiningRules {
    /** Alternatives of which each is asked what it has against a value. */
    private static final int EXPLAINED_MAX = 16;

    private static final int OBJECTION_CHARS_MAX = 120;

    /** What an alternative says of a value that was never meant for it. */
    private static final Set<String> MISFITS = Set.of("type", "const", "enum");

    private CombiningRules() {}

    /** The schema {@code false}. */
    record Never() implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (evaluation.wantsViolation()) {
                evaluation.violated(value, "false", "is not allowed");
            }
            return false;
        }
    }

    /** The rule {@code allOf}. */
    record AllOf(List<Schema> inPlace) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            boolean held = true;
            for (Schema schema : inPlace) {
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
    record AnyOf(List<Schema> inPlace) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            boolean held = false;
            for (Schema schema : inPlace) {
                if (evaluation.applyQuietly(schema, value)) {
                    held = true;
                    // All that fit count for what is left over.
                    if (!evaluation.isMarking()) {
                        break;
                    }
                }
            }
            if (!held && evaluation.wantsViolation()) {
                fitsNone(value, "anyOf", inPlace, evaluation);
            }
            return held;
        }
    }

    /** The rule {@code oneOf}. */
    record OneOf(List<Schema> inPlace) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            int fitting = 0;
            for (Schema schema : inPlace) {
                if (evaluation.applyQuietly(schema, value)) {
                    fitting++;
                    if (fitting == 2 && !evaluation.isReporting()) {
                        break;
                    }
                }
            }
            if (fitting != 1 && evaluation.wantsViolation()) {
                if (fitting == 0) {
                    fitsNone(value, "oneOf", inPlace, evaluation);
                } else {
                    String message = "must fit exactly one of the alternatives, fits ";
                    evaluation.violated(value, "oneOf", message + fitting);
                }
            }
            return fitting == 1;
        }
    }

    /**
     * Says why no alternative fits. If all but one are for values of another kind, the one is what
     * the caller meant, and its objections are the answer.
     */
    private static void fitsNone(
            Value value, String keyword, List<Schema> alternatives, Evaluation evaluation) {
        var message = new StringBuilder("fits none of ");
        message.append(Text.count(alternatives.size(), "alternative", "alternatives"));
        if (alternatives.size() > EXPLAINED_MAX) {
            evaluation.violated(value, keyword, message.toString());
            return;
        }
        List<Violation> meant = List.of();
        int candidates = 0;
        for (int i = 0; i < alternatives.size(); i++) {
            List<Violation> objections = evaluation.objections(alternatives.get(i), value);
            if (!isMisfit(objections, value)) {
                meant = objections;
                candidates++;
            }
            String first = objections.isEmpty() ? "?" : objections.getFirst().text();
            message.append(i == 0 ? ": " : "; ").append(Text.cut(first, OBJECTION_CHARS_MAX));
        }
        if (candidates == 1 && !meant.isEmpty()) {
            meant.forEach(evaluation::violated);
        } else {
            evaluation.violated(value, keyword, message.toString());
        }
    }

    private static boolean isMisfit(List<Violation> objections, Value value) {
        String here = value.pointer();
        for (Violation objection : objections) {
            if (objection.pointer().equals(here) && MISFITS.contains(objection.keyword())) {
                return true;
            }
        }
        return false;
    }

    /** The rule {@code not}. */
    record Not(Schema schema, String shown) implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            if (!evaluation.descendQuietly(schema, value)) {
                return true;
            }
            if (evaluation.wantsViolation()) {
                evaluation.violated(value, "not", "must not fit " + shown);
            }
            return false;
        }

        @Override
        public List<Schema> inPlace() {
            return List.of(schema);
        }
    }

    /** The rules {@code if}, {@code then} and {@code else}. */
    record Conditional(Schema condition, @Nullable Schema then, @Nullable Schema otherwise)
            implements Rule {
        @Override
        public boolean holds(Value value, Evaluation evaluation) {
            Schema branch = evaluation.applyQuietly(condition, value) ? then : otherwise;
            return branch == null || evaluation.apply(branch, value);
        }

        @Override
        public List<Schema> inPlace() {
            var schemas = new ArrayList<Schema>();
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
