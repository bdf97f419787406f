package dev.patchbay.schema;

import java.util.HashMap;
import java.util.Map;

/**
 * A schema with an address of its own, as the compiler knows it: what relative references within
 * start from, and how its words are to be read.
 */
record SchemaResource(
        UriReference uri,
        Dialect dialect,
        ValueNode root,
        Map<String, ValueNode> anchors,
        DynamicAnchors dynamicAnchors) {
    SchemaResource(UriReference uri, Dialect dialect, ValueNode root) {
        this(uri, dialect, root, new HashMap<>(0), new DynamicAnchors());
    }
}
