package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.json.Json;

/** Prints the content of a tool's result. */
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
}
