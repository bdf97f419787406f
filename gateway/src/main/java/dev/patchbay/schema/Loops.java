package dev.patchbay.schema;

import java.util.HashMap;
import java.util.Map;

/**
 * The search for schemas that would never finish with one value: those that lead back to themselves
 * without going into the value, and those that multiply on the way.
 */
final class Loops {
    /** Schemas applied to one value before any of its parts is looked at. */
    static final int WEIGHT_MAX = 20_000;

    private static final int DEPTH_MAX = 200;

    /** How many schemas one schema applies to a value; 0 while that is being found out. */
    private final Map<Schema, Integer> weights = new HashMap<>();

    private Loops() {}

    /** Refuses a set of schemas of which one has no end, or none that anybody would live to see. */
    static void check(Map<Value, Schema> schemas) {
        var loops = new Loops();
        for (var entry : schemas.entrySet()) {
            try {
                loops.weight(entry.getValue(), 0);
            } catch (UnusableException e) {
                throw new UnusableException(entry.getKey(), e.reason());
            }
        }
    }

    private int weight(Schema schema, int depth) {
        Integer known = weights.get(schema);
        if (known != null) {
            if (known == 0) {
                throw new UnusableException("leads back to itself without an end");
            }
            return known;
        }
        if (depth == DEPTH_MAX) {
            throw new UnusableException("leads through more than " + DEPTH_MAX + " schemas");
        }
        weights.put(schema, 0);
        int weight = 1;
        for (Rule rule : schema.rules()) {
            for (Schema next : rule.inPlace()) {
                weight += weight(next, depth + 1);
                if (weight > WEIGHT_MAX) {
                    throw new UnusableException(
                            "applies more than " + WEIGHT_MAX + " schemas to one value");
                }
            }
        }
        weights.put(schema, weight);
        return weight;
    }
}
