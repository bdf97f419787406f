package dev.patchbay.schema;

import java.util.List;

/** One rule of a schema. It accepts values of types that it does not apply to. */
interface SchemaRule {
    /**
     * Whether the value satisfies the rule. If not, the violations are reported to the context, if
     * it collects them.
     */
    boolean holds(ValueNode value, ValidationContext evaluation);

    /** The schemas that this rule applies to the same value, not to a part of it. */
    default List<CompiledSchema> inPlaceSchemas() {
        return List.of();
    }
}
