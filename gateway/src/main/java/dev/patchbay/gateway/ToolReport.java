package dev.patchbay.gateway;

import dev.patchbay.catalog.Tool;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

/**
 * A tool of the catalogue.
 *
 * @param available whether the server has it now; if not, it is known from before, and a call tries
 *     to reach the server
 */
public record ToolReport(Tool tool, boolean available) {
    /** The form in which {@code patchbay tools --json} prints it. */
    public Json toJson() {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("fullName", tool.name().text())
                        .member("toolName", tool.name().name())
                        .member("serverId", tool.name().server().value())
                        .member("description", tool.description())
                        .member("inputSchema", tool.inputSchema());
        if (!available) {
            writer.member("available", false);
        }
        return writer.endObject().toJson();
    }
}
