package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

/**
 * What a tool answers: a text to read, and the same for programs.
 *
 * @param structured an object of the tool's output schema; null if it has none
 */
record ToolAnswer(String text, @Nullable Json structured, boolean isError) {
    static ToolAnswer of(String text, JsonWriter structured) {
        return new ToolAnswer(text, structured.endObject().toJson(), false);
    }

    static ToolAnswer of(String text) {
        return new ToolAnswer(text, null, false);
    }

    static ToolAnswer error(String text) {
        return new ToolAnswer("[ERROR] " + text, null, true);
    }

    ToolAnswer after(String notice) {
        String all = notice.isEmpty() ? text : "[notice] " + notice + "\n" + text;
        return new ToolAnswer(all, structured, isError);
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
