package dev.patchbay.schema;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The rules {@code $ref} and {@code $dynamicRef}, whose targets are resolved after reading. */
final class ReferenceRule implements SchemaRule {
    private @Nullable CompiledSchema target;
    private @Nullable String anchor;

    /** Sets the target. */
    void resolveTo(CompiledSchema schema) {
        target = schema;
    }

    /** Sets a dynamic anchor, which is resolved during validation, and its default target. */
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
