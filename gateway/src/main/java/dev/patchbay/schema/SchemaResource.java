package dev.patchbay.schema;

import java.util.HashMap;
import java.util.Map;

/** A schema resource: the base URI for relative references, and the dialect of its keywords. */
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
