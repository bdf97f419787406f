package dev.patchbay.schema;

import java.util.List;

/** One rule of a schema. It holds for values of a kind that it says nothing about. */
interface SchemaRule {
    /**
     * Whether the value keeps the rule. If it does not, and the evaluation reports, the violations
     * are told to it.
     */
    boolean holds(ValueNode value, ValidationContext evaluation);

    /** The schemas that this rule applies to the same value, not to a part of it. */
    default List<CompiledSchema> inPlaceSchemas() {
        return List.of();
    }
}
