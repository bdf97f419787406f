package dev.patchbay.schema;

import dev.patchbay.json.Json.Kind;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One check of one value: what it may still spend, where it is, and what it found. Every schema
 * applied, every value opened and every character matched costs a step, so a check ends whatever
 * schema and value are. Belongs to one thread.
 */
final class Evaluation {
    static final int STEPS_MAX = 4_000_000;

    /** Schemas within schemas; together with the depth of JSON it keeps the stack small. */
    static final int DEPTH_MAX = 2_000;

    /** Values that a check looks at one by one, so that it does not fill the memory. */
    static final int VALUES_MAX = 400_000;

    static final int VIOLATIONS_MAX = 50;

    private static final int STEPS_PER_SCHEMA = 8;
    private static final int STEPS_PER_VIOLATION = 100;
    private static final int BYTES_PER_STEP = 8;
    private static final int BYTES_PER_VALUE = 4;
    private static final int MESSAGE_CHARS_MAX = 400;

    private final boolean marking;
    private int stepsLeft = STEPS_MAX;
    private int valuesLeft = VALUES_MAX;
    private int depth;
    private boolean reporting;
    private Set<Violation> violations = Set.of();
    private int omitted;
    private @Nullable Scope scope;

    /** Which children of the value the schema now applied has looked at; null if nobody asks. */
    private @Nullable BitSet looked;

    /** The resources entered, innermost first. */
    private record Scope(Resource resource, @Nullable Scope outer, int depth) {}

    /**
     * @param marking whether a rule will ask which children others looked at
     */
    Evaluation(boolean marking) {
        this.marking = marking;
        this.looked = marking ? new BitSet() : null;
    }

    boolean isReporting() {
        return reporting;
    }

    boolean isMarking() {
        return marking;
    }

    /** Whether the schema accepts the value; stops at the first violation. */
    boolean accepts(Schema schema, Value value) {
        return descend(schema, value);
    }

    /** All violations that the schema sees in the value. */
    List<Violation> violations(Schema schema, Value value) {
        var found = new LinkedHashSet<Violation>();
        violations = found;
        omitted = 0;
        reporting = true;
        try {
            descend(schema, value);
        } catch (BudgetException e) {
            // What was found so far is true, and enough to refuse the value.
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

    void spend(int steps) {
        stepsLeft -= steps;
        if (stepsLeft < 0) {
            throw new BudgetException();
        }
    }

    void enter(Schema schema) {
        spend(STEPS_PER_SCHEMA);
        depth++;
        if (depth > DEPTH_MAX) {
            throw new BudgetException();
        }
        Scope outer = scope;
        if (outer == null || outer.resource != schema.resource) {
            scope = new Scope(schema.resource, outer, depth);
        }
    }

    void leave() {
        Scope inner = scope;
        if (inner != null && inner.depth == depth) {
            scope = inner.outer;
        }
        depth--;
    }

    /** The outermost resource now entered that has this dynamic anchor decides where it leads. */
    Schema dynamic(String anchor, Schema otherwise) {
        Schema found = otherwise;
        for (Scope at = scope; at != null; at = at.outer) {
            spend(1);
            Schema here = at.resource.dynamicAnchor(anchor);
            if (here != null) {
                found = here;
            }
        }
        return found;
    }

    List<Value> children(Value value) {
        if (value.isOpen()) {
            return value.children();
        }
        spend(value.json.length() / BYTES_PER_STEP);
        List<Value> children = value.open(valuesLeft);
        spendValues(children.size());
        return children;
    }

    private void spendValues(int values) {
        valuesLeft -= values;
        if (valuesLeft < 0) {
            throw new BudgetException();
        }
    }

    @Nullable Value member(Value object, String name) {
        children(object);
        return object.member(name);
    }

    /** The canonical text of a value, paid for by its length. */
    String canonical(Value value) {
        int length = value.json.length();
        spend(length / BYTES_PER_STEP + 1);
        if (value.kind == Kind.OBJECT || value.kind == Kind.ARRAY) {
            spendValues(length / BYTES_PER_VALUE);
        }
        return Canonical.of(value);
    }

    /** Applies a schema to a part of the value. */
    boolean descend(Schema schema, Value part) {
        if (!marking) {
            return schema.accepts(part, this);
        }
        BitSet outer = looked;
        looked = new BitSet();
        boolean accepted = schema.accepts(part, this);
        looked = outer;
        return accepted;
    }

    /** Applies a schema to the same value; what it looked at counts if it accepts. */
    boolean apply(Schema schema, Value value) {
        BitSet outer = looked;
        if (outer == null) {
            return schema.accepts(value, this);
        }
        var inner = new BitSet();
        looked = inner;
        boolean accepted = schema.accepts(value, this);
        looked = outer;
        if (accepted) {
            outer.or(inner);
        }
        return accepted;
    }

    /** Applies a schema to the same value, and reports nothing. */
    boolean applyQuietly(Schema schema, Value value) {
        boolean was = reporting;
        reporting = false;
        boolean accepted = apply(schema, value);
        reporting = was;
        return accepted;
    }

    /** Applies a schema to a part of the value, and reports nothing. */
    boolean descendQuietly(Schema schema, Value part) {
        boolean was = reporting;
        reporting = false;
        boolean accepted = descend(schema, part);
        reporting = was;
        return accepted;
    }

    /** What a schema that did not accept the value has against it. */
    List<Violation> objections(Schema schema, Value value) {
        Set<Violation> outer = violations;
        int outerOmitted = omitted;
        violations = new LinkedHashSet<>();
        descend(schema, value);
        List<Violation> objections = new ArrayList<>(violations);
        violations = outer;
        omitted = outerOmitted;
        return objections;
    }

    void look(Value child) {
        BitSet marks = looked;
        if (marks != null) {
            marks.set(child.index);
        }
    }

    boolean isLooked(Value child) {
        BitSet marks = looked;
        return marks != null && marks.get(child.index);
    }

    /** Whether a violation should be told; if there are too many already, it is only counted. */
    boolean wantsViolation() {
        if (reporting && violations.size() >= VIOLATIONS_MAX) {
            omitted++;
            return false;
        }
        return reporting;
    }

    void violated(Value value, String keyword, String message) {
        violated(value.pointer(), keyword, message);
    }

    void violated(String pointer, String keyword, String message) {
        spend(STEPS_PER_VIOLATION);
        violations.add(new Violation(pointer, keyword, Text.cut(message, MESSAGE_CHARS_MAX)));
    }

    void violated(Violation violation) {
        violations.add(violation);
    }
}
