package dev.patchbay.schema;

import java.util.HashMap;
import java.util.Map;

/**
 * Finds schemas whose validation would not terminate: those that refer to themselves without
 * descending into the value, and those that grow exponentially.
 */
final class RecursionCheck {
    /** The maximum number of schemas applied to one value before its parts. */
    static final int APPLIED_SCHEMAS_MAX = 20_000;

    private static final int DEPTH_MAX = 200;

    /** The number of schemas that a schema applies to one value; 0 while it is being computed. */
    private final Map<CompiledSchema, Integer> appliedCounts = new HashMap<>();

    private RecursionCheck() {}

    /** Rejects schemas that would not terminate in reasonable time. */
    static void check(Map<ValueNode, CompiledSchema> schemas) {
        var loops = new RecursionCheck();
        for (var entry : schemas.entrySet()) {
            try {
                loops.countApplied(entry.getValue(), 0);
            } catch (UnusableSchemaException e) {
                throw new UnusableSchemaException(entry.getKey(), e.reason());
            }
        }
    }

    private int countApplied(CompiledSchema schema, int depth) {
        Integer known = appliedCounts.get(schema);
        if (known != null) {
            if (known == 0) {
                throw new UnusableSchemaException("refers to itself without an end");
            }
            return known;
        }
        if (depth == DEPTH_MAX) {
            throw new UnusableSchemaException("refers through more than " + DEPTH_MAX + " schemas");
        }
        appliedCounts.put(schema, 0);
        int weight = 1;
        for (SchemaRule rule : schema.rules()) {
            for (CompiledSchema next : rule.inPlaceSchemas()) {
                weight += countApplied(next, depth + 1);
                if (weight > APPLIED_SCHEMAS_MAX) {
                    throw new UnusableSchemaException(
                            "applies more than " + APPLIED_SCHEMAS_MAX + " schemas to one value");
                }
            }
        }
        appliedCounts.put(schema, weight);
        return weight;
    }
}
