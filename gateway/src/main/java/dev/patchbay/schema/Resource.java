package dev.patchbay.schema;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/** A schema with an address of its own, as checks know it: by its dynamic anchors. */
final class Resource {
    private final Map<String, Schema> dynamicAnchors = new HashMap<>(0);

    void addDynamicAnchor(String name, Schema schema) {
        dynamicAnchors.put(name, schema);
    }

    @Nullable Schema dynamicAnchor(String name) {
        return dynamicAnchors.get(name);
    }
}
