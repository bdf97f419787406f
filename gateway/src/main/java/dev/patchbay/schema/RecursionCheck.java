package dev.patchbay.schema;

import java.util.HashMap;
import java.util.Map;

/**
 * The search for schemas that would never finish with one value: those that lead back to themselves
 * without going into the value, and those that multiply on the way.
 */
final class RecursionCheck {
    /** Schemas applied to one value before any of its parts is looked at. */
    static final int APPLIED_SCHEMAS_MAX = 20_000;

    private static final int DEPTH_MAX = 200;

    /** How many schemas one schema applies to a value; 0 while that is being found out. */
    private final Map<CompiledSchema, Integer> appliedCounts = new HashMap<>();

    private RecursionCheck() {}

    /** Refuses a set of schemas of which one has no end, or none that anybody would live to see. */
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
                throw new UnusableSchemaException("leads back to itself without an end");
            }
            return known;
        }
        if (depth == DEPTH_MAX) {
            throw new UnusableSchemaException("leads through more than " + DEPTH_MAX + " schemas");
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
