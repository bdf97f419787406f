package dev.patchbay.schema;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

/** Schemas outside of the compiled one that references may name. Nothing is ever fetched. */
interface ExternalSchemas {
    @Nullable Json find(String uri);
}
