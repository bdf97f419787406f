package dev.patchbay.catalog;

import java.util.List;

/** Which server a URI of a client leads to. */
public sealed interface ResourceLookup {
    record Found(ResourceRoute route) implements ResourceLookup {}

    /**
     * Several servers offer it.
     *
     * @param candidates the qualified URIs, each of which leads to one server
     */
    record Ambiguous(List<String> candidates) implements ResourceLookup {
        public Ambiguous {
            candidates = List.copyOf(candidates);
        }
    }

    /** No server offers it. */
    record NotFound() implements ResourceLookup {}
}
