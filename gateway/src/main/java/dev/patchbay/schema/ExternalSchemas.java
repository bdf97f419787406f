package dev.patchbay.schema;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

/** The schemas that a reference may lead to outside of its own. Nothing is ever fetched. */
interface ExternalSchemas {
    @Nullable Json find(String uri);
}
