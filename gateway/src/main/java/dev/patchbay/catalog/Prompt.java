package dev.patchbay.catalog;

import dev.patchbay.json.Json;

/** A prompt that a server offers. */
public record Prompt(FullName name, Json definition) implements NamedEntry {}
