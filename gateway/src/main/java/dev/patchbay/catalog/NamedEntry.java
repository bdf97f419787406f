package dev.patchbay.catalog;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.Era;

/** What a server offers under a name: a tool or a prompt. */
public sealed interface NamedEntry permits Tool, Prompt {
    FullName name();

    /** The server's own definition, its name included, fit to be shown to clients. */
    Json definition();

    /** The definition as a client of that era can take it. */
    default Json definitionFor(Era era) {
        return definition();
    }
}
