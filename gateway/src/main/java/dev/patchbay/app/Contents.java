package dev.patchbay.app;

import dev.patchbay.json.Json;

/** Shows the content of a tool's result to a person. */
final class Contents {
    private Contents() {}

    static void print(Terminal terminal, Json result) {
        Json content = result.member("content");
        if (content == null || !content.isArray() || content.elements().isEmpty()) {
            Json structured = result.member("structuredContent");
            terminal.print(structured == null ? result.toString() : structured.toString());
            return;
        }
        for (Json block : content.elements()) {
            String text = block.memberText("text");
            terminal.print(text != null ? text : described(block));
        }
    }

    private static String described(Json block) {
        String type = block.memberText("type");
        Json data = block.member("data");
        String mime = block.memberText("mimeType");
        if (data != null) {
            return "[%s %s, %,d characters of base64]".formatted(type, mime, data.length());
        }
        return block.toString();
    }
}
