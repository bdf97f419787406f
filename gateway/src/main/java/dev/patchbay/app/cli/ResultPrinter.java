package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import java.util.stream.Stream;

/** Prints the results of commands: the content of a tool's result, or values as JSON. */
final class ResultPrinter {
    private ResultPrinter() {}

    static void print(Terminal terminal, Json result) {
        Json content = result.member("content");
        if (content == null || !content.isArray() || content.elements().isEmpty()) {
            Json structured = result.member("structuredContent");
            terminal.print(structured == null ? result.toString() : structured.toString());
            return;
        }
        content.elements().forEach(block -> printContent(terminal, block));
    }

    /** Prints one content: its text, or what it is. */
    static void printContent(Terminal terminal, Json block) {
        String text = block.isObject() ? block.memberText("text") : null;
        terminal.print(text != null ? text : describe(block));
    }

    private static String describe(Json block) {
        if (!block.isObject()) {
            return block.toString();
        }
        Json resource = block.member("resource");
        if (resource != null && resource.isObject()) {
            String text = resource.memberText("text");
            return text != null ? text : describe(resource);
        }
        Json blob = block.member("blob");
        Json encoded = blob == null ? block.member("data") : blob;
        if (encoded == null) {
            return block.toString();
        }
        String type = blob == null ? block.memberText("type") : "binary";
        String mime = block.memberText("mimeType");
        return "[%s %s, %,d characters of base64]".formatted(type, mime, encoded.length());
    }

    /** Prints values as a JSON array on one line. */
    static void printArray(Terminal terminal, Stream<Json> values) {
        var writer = new JsonWriter().beginArray();
        values.forEach(writer::value);
        terminal.print(writer.endArray().toJson().toString());
    }
}
