package dev.patchbay.mcp;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

/** How one side names itself to the other. */
public record Implementation(String name, String version) {
    /** What another side said of itself; parts that are missing or no text are empty. */
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
