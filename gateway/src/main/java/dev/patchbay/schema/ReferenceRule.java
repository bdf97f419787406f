package dev.patchbay.schema;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The rules {@code $ref} and {@code $dynamicRef}, which find their targets when all is read. */
final class ReferenceRule implements Rule {
    private @Nullable Schema target;
    private @Nullable String anchor;

    /** Sets the one schema that this leads to. */
    void leadTo(Schema schema) {
        target = schema;
    }

    /** Sets an anchor that leads to what the schemas around make of it. */
    void leadTo(String dynamicAnchor, Schema otherwise) {
        target = otherwise;
        anchor = dynamicAnchor;
    }

    @Override
    public boolean holds(Value value, Evaluation evaluation) {
        Schema next = anchor == null ? target() : evaluation.dynamic(anchor, target());
        return evaluation.apply(next, value);
    }

    @Override
    public List<Schema> inPlace() {
        return List.of(target());
    }

    private Schema target() {
        Schema known = target;
        if (known == null) {
            throw new IllegalStateException("A reference was left open");
        }
        return known;
    }
}
