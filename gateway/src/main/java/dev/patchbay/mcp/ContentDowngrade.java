package dev.patchbay.mcp;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberPatch;

import java.util.List;

/**
 * Converts results for clients of versions that have fewer content types. Such clients reject a
 * whole result for one block of an unknown type, so the block is converted to a known type.
 */
public final class ContentDowngrade {
    private static final String CONTENT = "content";

    private ContentDowngrade() {}

    /** The result of a call or a prompt with the content types of a version. */
    public static Json forVersion(Json result, ProtocolVersion version) {
        if (version.isAtLeast(ProtocolVersion.V2025_06_18)) {
            return result;
        }
        Json content = result.member(CONTENT);
        Json messages = result.member("messages");
        if (content != null && content.isArray()) {
            return downgradeContent(result, content, version);
        }
        return messages != null && messages.isArray()
                ? MemberPatch.with(result, "messages", downgradeMessages(messages, version))
                : result;
    }

    private static Json downgradeContent(Json result, Json content, ProtocolVersion version) {
        Json structured = result.member("structuredContent");
        List<Json> blocks = content.elements();
        var writer = new JsonWriter().beginArray();
        blocks.forEach(block -> writer.value(downgradeBlock(block, version)));
        if (blocks.isEmpty() && structured != null) {
            writer.value(textBlock(structured.toString()));
        }
        return MemberPatch.with(result, CONTENT, writer.endArray().toJson());
    }

    private static Json downgradeMessages(Json messages, ProtocolVersion version) {
        var writer = new JsonWriter().beginArray();
        for (Json message : messages.elements()) {
            Json content = message.member(CONTENT);
            writer.value(
                    content == null
                            ? message
                            : MemberPatch.with(message, CONTENT, downgradeBlock(content, version)));
        }
        return writer.endArray().toJson();
    }

    private static Json downgradeBlock(Json block, ProtocolVersion version) {
        String type = block.memberText("type");
        if ("resource_link".equals(type)) {
            return textBlock(linkText(block));
        }
        boolean known = version.isAtLeast(ProtocolVersion.V2025_03_26);
        return "audio".equals(type) && !known ? audioAsResource(block) : block;
    }

    private static String linkText(Json block) {
        String title = block.memberText("title");
        String name = title == null ? block.memberText("name") : title;
        String about = block.memberText("description");
        return "%s%s%s"
                .formatted(
                        name == null ? "" : name + ": ",
                        block.memberText("uri"),
                        about == null ? "" : "\n" + about);
    }

    private static Json textBlock(String text) {
        return new JsonWriter()
                .beginObject()
                .member("type", "text")
                .member("text", text)
                .endObject()
                .toJson();
    }

    /** Audio as an embedded resource. */
    private static Json audioAsResource(Json audio) {
        Json data = audio.member("data");
        Json kind = audio.member("mimeType");
        return new JsonWriter()
                .beginObject()
                .member("type", "resource")
                .name("resource")
                .beginObject()
                .member("uri", "patchbay:audio")
                .member("mimeType", kind == null ? Json.string("audio/*") : kind)
                .member("blob", data == null ? Json.string("") : data)
                .endObject()
                .endObject()
                .toJson();
    }
}
