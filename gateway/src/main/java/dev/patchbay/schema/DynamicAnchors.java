package dev.patchbay.schema;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/** The dynamic anchors of a schema resource, used during validation. */
final class DynamicAnchors {
    private final Map<String, CompiledSchema> dynamicAnchors = new HashMap<>(0);

    void addDynamicAnchor(String name, CompiledSchema schema) {
        dynamicAnchors.put(name, schema);
    }

    @Nullable CompiledSchema dynamicAnchor(String name) {
        return dynamicAnchors.get(name);
    }
}
