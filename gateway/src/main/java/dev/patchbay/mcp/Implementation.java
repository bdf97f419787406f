package dev.patchbay.mcp;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

/** The name and version that a client or a server reports. */
public record Implementation(String name, String version) {
    /** Reads name and version. Parts that are missing or not strings are empty. */
    public static Implementation of(Json json) {
        String name = json.memberText("name");
        String version = json.memberText("version");
        return new Implementation(name == null ? "" : name, version == null ? "" : version);
    }

    public Json toJson() {
        return new JsonWriter()
                .beginObject()
                .member("name", name)
                .member("version", version)
                .endObject()
                .toJson();
    }
}
