package dev.patchbay.schema;

import dev.patchbay.json.Json.Kind;
import dev.patchbay.schema.regex.StepBudget;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The state of one validation: remaining steps, position and violations. Every applied schema,
 * every read value and every matched character costs a step, so a validation always ends. Not
 * thread-safe.
 */
final class ValidationContext implements StepBudget {
    static final int STEPS_MAX = 4_000_000;

    /** The maximum nesting of schemas, which limits the stack. */
    static final int DEPTH_MAX = 2_000;

    /** The maximum number of values read, which limits memory. */
    static final int VALUES_MAX = 400_000;

    static final int VIOLATIONS_MAX = 50;

    private static final int STEPS_PER_SCHEMA = 8;
    private static final int STEPS_PER_VIOLATION = 100;
    private static final int BYTES_PER_STEP = 8;
    private static final int BYTES_PER_VALUE = 4;
    private static final int MESSAGE_CHARS_MAX = 400;

    private final boolean tracksEvaluated;
    private int stepsLeft = STEPS_MAX;
    private int valuesLeft = VALUES_MAX;
    private int depth;
    private boolean reporting;
    private Set<Violation> violations = Set.of();
    private int omitted;
    private @Nullable DynamicScope scope;

    /** The children that the current schema has evaluated; null if no rule needs them. */
    private @Nullable BitSet evaluated;

    /** The resources entered, innermost first. */
    private record DynamicScope(DynamicAnchors anchors, @Nullable DynamicScope outer, int depth) {}

    /**
     * @param marking whether a rule needs to know which children were evaluated
     */
    ValidationContext(boolean marking) {
        this.tracksEvaluated = marking;
        this.evaluated = marking ? new BitSet() : null;
    }

    boolean isReporting() {
        return reporting;
    }

    boolean tracksEvaluated() {
        return tracksEvaluated;
    }

    /** Whether the schema accepts the value; stops at the first violation. */
    boolean accepts(CompiledSchema schema, ValueNode value) {
        return descend(schema, value);
    }

    /** All violations of the schema in the value. */
    List<Violation> violations(CompiledSchema schema, ValueNode value) {
        var found = new LinkedHashSet<Violation>();
        violations = found;
        omitted = 0;
        reporting = true;
        try {
            descend(schema, value);
        } catch (BudgetExceededException e) {
            // The violations found so far are enough to reject the value.
            if (found.isEmpty()) {
                throw e;
            }
        }
        reporting = false;
        return List.copyOf(found);
    }

    int omitted() {
        return omitted;
    }

    @Override
    public void spend(int steps) {
        stepsLeft -= steps;
        if (stepsLeft < 0) {
            throw new BudgetExceededException();
        }
    }

    void enter(CompiledSchema schema) {
        spend(STEPS_PER_SCHEMA);
        depth++;
        if (depth > DEPTH_MAX) {
            throw new BudgetExceededException();
        }
        DynamicScope outer = scope;
        if (outer == null || outer.anchors != schema.dynamicAnchors) {
            scope = new DynamicScope(schema.dynamicAnchors, outer, depth);
        }
    }

    void leave() {
        DynamicScope inner = scope;
        if (inner != null && inner.depth == depth) {
            scope = inner.outer;
        }
        depth--;
    }

    /** Resolves a dynamic anchor to the outermost resource on the path that has it. */
    CompiledSchema resolveDynamicAnchor(String anchor, CompiledSchema otherwise) {
        CompiledSchema found = otherwise;
        for (DynamicScope at = scope; at != null; at = at.outer) {
            spend(1);
            CompiledSchema here = at.anchors.dynamicAnchor(anchor);
            if (here != null) {
                found = here;
            }
        }
        return found;
    }

    List<ValueNode> children(ValueNode value) {
        if (value.hasReadChildren()) {
            return value.children();
        }
        spend(value.json.length() / BYTES_PER_STEP);
        List<ValueNode> children = value.readChildren(valuesLeft);
        spendValues(children.size());
        return children;
    }

    private void spendValues(int values) {
        valuesLeft -= values;
        if (valuesLeft < 0) {
            throw new BudgetExceededException();
        }
    }

    @Nullable ValueNode member(ValueNode object, String name) {
        children(object);
        return object.member(name);
    }

    /** The canonical text of a value; costs its length in steps. */
    String canonicalText(ValueNode value) {
        int length = value.json.length();
        spend(length / BYTES_PER_STEP + 1);
        if (value.kind == Kind.OBJECT || value.kind == Kind.ARRAY) {
            spendValues(length / BYTES_PER_VALUE);
        }
        return CanonicalJson.canonicalText(value);
    }

    /** Applies a schema to a part of the value. */
    boolean descend(CompiledSchema schema, ValueNode part) {
        if (!tracksEvaluated) {
            return schema.accepts(part, this);
        }
        BitSet outer = evaluated;
        evaluated = new BitSet();
        boolean accepted = schema.accepts(part, this);
        evaluated = outer;
        return accepted;
    }

    /** Applies a schema to the same value; if it accepts, its evaluated children count. */
    boolean apply(CompiledSchema schema, ValueNode value) {
        BitSet outer = evaluated;
        if (outer == null) {
            return schema.accepts(value, this);
        }
        var inner = new BitSet();
        evaluated = inner;
        boolean accepted = schema.accepts(value, this);
        evaluated = outer;
        if (accepted) {
            outer.or(inner);
        }
        return accepted;
    }

    /** Applies a schema to the same value without reporting. */
    boolean applySilently(CompiledSchema schema, ValueNode value) {
        boolean was = reporting;
        reporting = false;
        boolean accepted = apply(schema, value);
        reporting = was;
        return accepted;
    }

    /** Applies a schema to a part of the value without reporting. */
    boolean descendSilently(CompiledSchema schema, ValueNode part) {
        boolean was = reporting;
        reporting = false;
        boolean accepted = descend(schema, part);
        reporting = was;
        return accepted;
    }

    /** The violations of a schema that did not accept the value. */
    List<Violation> collectViolations(CompiledSchema schema, ValueNode value) {
        Set<Violation> outer = violations;
        int outerOmitted = omitted;
        violations = new LinkedHashSet<>();
        descend(schema, value);
        List<Violation> objections = new ArrayList<>(violations);
        violations = outer;
        omitted = outerOmitted;
        return objections;
    }

    void markEvaluated(ValueNode child) {
        BitSet marks = evaluated;
        if (marks != null) {
            marks.set(child.index);
        }
    }

    boolean isEvaluated(ValueNode child) {
        BitSet marks = evaluated;
        return marks != null && marks.get(child.index);
    }

    /** Whether a violation should be reported; beyond the limit it is only counted. */
    boolean shouldReportViolation() {
        if (reporting && violations.size() >= VIOLATIONS_MAX) {
            omitted++;
            return false;
        }
        return reporting;
    }

    void reportViolation(ValueNode value, String keyword, String message) {
        reportViolation(value.pointer(), keyword, message);
    }

    void reportViolation(String pointer, String keyword, String message) {
        spend(STEPS_PER_VIOLATION);
        violations.add(
                new Violation(pointer, keyword, DisplayText.truncate(message, MESSAGE_CHARS_MAX)));
    }

    void reportViolation(Violation violation) {
        violations.add(violation);
    }
}
