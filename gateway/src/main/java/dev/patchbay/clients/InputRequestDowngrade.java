package dev.patchbay.clients;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberCursor;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;

/**
 * Converts questions of servers for clients of versions before 2025-11-25, or rejects what these
 * versions do not have.
 */
final class InputRequestDowngrade {
    private static final Set<String> BLOCK_TYPES = Set.of("text", "image", "audio");

    private InputRequestDowngrade() {}

    /** The question in the format of a version. */
    static Json forVersion(String method, Json params, ProtocolVersion version) {
        if (version.isAtLeast(ProtocolVersion.V2025_11_25)) {
            return params;
        }
        return switch (method) {
            case "elicitation/create" -> downgradeElicitation(params, version);
            case "sampling/createMessage" -> downgradeSampling(params, version);
            default -> params;
        };
    }

    private static Json downgradeElicitation(Json params, ProtocolVersion version) {
        Json schema = params.member("requestedSchema");
        Json properties = schema == null ? null : schema.member("properties");
        if (schema == null || properties == null || !properties.isObject()) {
            return params;
        }
        var writer = new JsonWriter().beginObject();
        MemberCursor members = properties.memberCursor();
        while (members.next()) {
            writer.name(members.name())
                    .value(downgradeField(members.name(), members.value(), version));
        }
        Json fields = writer.endObject().toJson();
        Json plain = MemberPatch.with(MemberPatch.without(schema, "$schema"), "properties", fields);
        return MemberPatch.with(MemberPatch.without(params, "mode"), "requestedSchema", plain);
    }

    /** Converts one field of a form: a string, a number, a boolean or a single choice. */
    private static Json downgradeField(String name, Json field, ProtocolVersion version) {
        String type = field.memberText("type");
        if ("array".equals(type)) {
            throw unsupported(version, "a choice of several, as " + name + " is");
        }
        Json plain = "boolean".equals(type) ? field : MemberPatch.without(field, "default");
        Json titled = plain.member("oneOf");
        if (titled == null || !titled.isArray()) {
            return plain;
        }
        List<Json> options = titled.elements();
        Json values =
                stringArray(options.stream().map(option -> option.memberText("const")).toList());
        Json titles =
                stringArray(options.stream().map(option -> option.memberText("title")).toList());
        return MemberPatch.with(
                MemberPatch.with(MemberPatch.without(plain, "oneOf"), "enum", values),
                "enumNames",
                titles);
    }

    private static Json stringArray(List<@Nullable String> texts) {
        var writer = new JsonWriter().beginArray();
        texts.forEach(text -> writer.string(text == null ? "" : text));
        return writer.endArray().toJson();
    }

    /** Splits messages with several blocks: these versions have one block in a message. */
    private static Json downgradeSampling(Json params, ProtocolVersion version) {
        Json messages = params.member("messages");
        if (messages == null || !messages.isArray()) {
            return params;
        }
        var writer = new JsonWriter().beginArray();
        for (Json message : messages.elements()) {
            Json content = message.member("content");
            List<Json> blocks =
                    content == null
                            ? List.of()
                            : content.isArray() ? content.elements() : List.of(content);
            for (Json block : blocks) {
                requireKnownType(block.memberText("type"), version);
                writer.value(MemberPatch.with(message, "content", block));
            }
        }
        return MemberPatch.with(params, "messages", writer.endArray().toJson());
    }

    private static void requireKnownType(@Nullable String type, ProtocolVersion version) {
        boolean heard = !"audio".equals(type) || version.isAtLeast(ProtocolVersion.V2025_03_26);
        if (type == null || !BLOCK_TYPES.contains(type) || !heard) {
            throw unsupported(version, "messages of the type " + type);
        }
    }

    private static RpcException unsupported(ProtocolVersion version, String what) {
        return new RpcException(
                RpcError.INVALID_PARAMS,
                "The client cannot be asked: its version of MCP, %s, does not have %s"
                        .formatted(version.text(), what));
    }
}
