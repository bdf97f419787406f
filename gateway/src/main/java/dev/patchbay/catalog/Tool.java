package dev.patchbay.catalog;

import dev.patchbay.json.Json;

/** A tool that a server offers. */
public final class Tool implements Named {
    private final FullName name;
    private final Json definition;
    private final Json inputSchema;

    Tool(FullName name, Json definition, Json inputSchema) {
        this.name = name;
        this.definition = definition;
        this.inputSchema = inputSchema;
    }

    @Override
    public FullName name() {
        return name;
    }

    @Override
    public Json definition() {
        return definition;
    }

    /** What the tool is for; empty if the server does not say. */
    public String description() {
        String text = definition.memberText("description");
        return text == null ? "" : text;
    }

    public Json inputSchema() {
        return inputSchema;
    }

    @Override
    public String toString() {
        return name.text();
    }
}
