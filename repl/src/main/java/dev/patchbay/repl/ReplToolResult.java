package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.repl.ResourceStore.StoredResource;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * What a tool answers: a text to read, and the same for programs.
 *
 * @param structured an object of the tool's output schema; null if it has none
 * @param links resources that hold more than the text does
 */
record ReplToolResult(
        String text, @Nullable Json structured, boolean isError, List<StoredResource> links) {
    ReplToolResult {
        links = List.copyOf(links);
    }

    ReplToolResult(String text, @Nullable Json structured, boolean isError) {
        this(text, structured, isError, List.of());
    }

    static ReplToolResult of(String text, JsonWriter structured) {
        return new ReplToolResult(text, structured.endObject().toJson(), false);
    }

    static ReplToolResult of(String text, Json structured) {
        return new ReplToolResult(text, structured, false);
    }

    static ReplToolResult of(String text) {
        return new ReplToolResult(text, null, false);
    }

    static ReplToolResult error(String text) {
        return new ReplToolResult("[ERROR] " + text, null, true);
    }

    ReplToolResult withNotice(String notice) {
        String all = notice.isEmpty() ? text : "[notice] " + notice + "\n" + text;
        return new ReplToolResult(all, structured, isError, links);
    }

    ReplToolResult withLink(StoredResource resource) {
        var all = new ArrayList<>(links);
        all.add(resource);
        return new ReplToolResult(text, structured, isError, all);
    }

    /** As the result of a call, in a version of the protocol. */
    Json toJson(ProtocolVersion version) {
        JsonWriter target = new JsonWriter().beginObject().name("content").beginArray();
        target.beginObject().member("type", "text").member("text", text).endObject();
        if (version.isAtLeast(ProtocolVersion.V2025_06_18)) {
            links.forEach(link -> link.writeLink(target));
        }
        target.endArray();
        if (structured != null) {
            target.member("structuredContent", structured);
        }
        return target.member("isError", isError).endObject().toJson();
    }
}
