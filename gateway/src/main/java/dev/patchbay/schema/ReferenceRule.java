package dev.patchbay.schema;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The rules {@code $ref} and {@code $dynamicRef}, which find their targets when all is read. */
final class ReferenceRule implements SchemaRule {
    private @Nullable CompiledSchema target;
    private @Nullable String anchor;

    /** Sets the one schema that this leads to. */
    void resolveTo(CompiledSchema schema) {
        target = schema;
    }

    /** Sets an anchor that leads to what the schemas around make of it. */
    void resolveTo(String dynamicAnchor, CompiledSchema otherwise) {
        target = otherwise;
        anchor = dynamicAnchor;
    }

    @Override
    public boolean holds(ValueNode value, ValidationContext evaluation) {
        CompiledSchema next =
                anchor == null ? target() : evaluation.resolveDynamicAnchor(anchor, target());
        return evaluation.apply(next, value);
    }

    @Override
    public List<CompiledSchema> inPlaceSchemas() {
        return List.of(target());
    }

    private CompiledSchema target() {
        CompiledSchema known = target;
        if (known == null) {
            throw new IllegalStateException("A reference was left open");
        }
        return known;
    }
}
