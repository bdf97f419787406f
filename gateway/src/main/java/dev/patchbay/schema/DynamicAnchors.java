package dev.patchbay.schema;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/** A schema with an address of its own, as checks know it: by its dynamic anchors. */
final class DynamicAnchors {
    private final Map<String, CompiledSchema> dynamicAnchors = new HashMap<>(0);

    void addDynamicAnchor(String name, CompiledSchema schema) {
        dynamicAnchors.put(name, schema);
    }

    @Nullable CompiledSchema dynamicAnchor(String name) {
        return dynamicAnchors.get(name);
    }
}
