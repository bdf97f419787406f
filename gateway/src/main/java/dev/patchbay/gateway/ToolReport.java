package dev.patchbay.gateway;

import dev.patchbay.catalog.Tool;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

/**
 * A tool of the catalog.
 *
 * @param available whether the server is connected; if not, the list is cached, and a call tries to
 *     connect
 */
public record ToolReport(Tool tool, boolean available) {
    /** The form that {@code patchbay tools --json} prints. */
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
