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
        for (Json block : content.elements()) {
            String text = block.memberText("text");
            terminal.print(text != null ? text : describe(block));
        }
    }

    private static String describe(Json block) {
        String type = block.memberText("type");
        Json data = block.member("data");
        String mime = block.memberText("mimeType");
        if (data != null) {
            return "[%s %s, %,d characters of base64]".formatted(type, mime, data.length());
        }
        return block.toString();
    }
}
