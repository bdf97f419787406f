package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

/**
 * What a tool answers: a text to read, and the same for programs.
 *
 * @param structured an object of the tool's output schema; null if it has none
 */
record ReplToolResult(String text, @Nullable Json structured, boolean isError) {
    static ReplToolResult of(String text, JsonWriter structured) {
        return new ReplToolResult(text, structured.endObject().toJson(), false);
    }

    static ReplToolResult of(String text) {
        return new ReplToolResult(text, null, false);
    }

    static ReplToolResult error(String text) {
        return new ReplToolResult("[ERROR] " + text, null, true);
    }

    ReplToolResult withNotice(String notice) {
        String all = notice.isEmpty() ? text : "[notice] " + notice + "\n" + text;
        return new ReplToolResult(all, structured, isError);
    }

    /** As the result of a call. */
    Json toJson() {
        JsonWriter target = new JsonWriter().beginObject().name("content").beginArray();
        target.beginObject().member("type", "text").member("text", text).endObject();
        target.endArray();
        if (structured != null) {
            target.member("structuredContent", structured);
        }
        return target.member("isError", isError).endObject().toJson();
    }
}
