package dev.patchbay.server;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberCursor;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/**
 * Puts into the params of a request what the version spoken wants in their {@code _meta}. What the
 * client said there of itself is not passed on; all else is, in the bytes it came in.
 */
record RequestMetaWriter(ProtocolVersion version, Implementation clientInfo) {
    private static final Set<String> GATEWAY_KEYS =
            Set.of(
                    MetaKeys.PROGRESS_TOKEN,
                    MetaKeys.PROTOCOL_VERSION,
                    MetaKeys.CLIENT_INFO,
                    MetaKeys.CLIENT_CAPABILITIES,
                    MetaKeys.LOG_LEVEL);

    /** The params to send for a call with an id, which is its progress token too. */
    Json withMeta(Json params, CallOptions options, long id) {
        boolean token = options.listener().wantsProgress();
        boolean modern = version.era() == Era.MODERN;
        Json given = params.member(MetaKeys.META);
        if (!modern && !token && given == null) {
            return params;
        }
        var writer = new JsonWriter(params.length() + 512).beginObject();
        MemberCursor members = params.memberCursor();
        while (members.next()) {
            boolean round = members.nameIs("inputResponses") || members.nameIs("requestState");
            if (!members.nameIs(MetaKeys.META) && (modern || !round)) {
                writer.member(members.name(), members.value());
            }
        }
        if (modern || token || hasOtherKeys(given)) {
            writer.name(MetaKeys.META).beginObject();
            if (modern) {
                writeModernMeta(writer, options);
            }
            if (token) {
                writer.member(MetaKeys.PROGRESS_TOKEN, id);
            }
            copyOtherKeys(writer, given);
            writer.endObject();
        }
        return writer.endObject().toJson();
    }

    private void writeModernMeta(JsonWriter writer, CallOptions options) {
        writer.member(MetaKeys.PROTOCOL_VERSION, version.text())
                .member(MetaKeys.CLIENT_INFO, clientInfo.toJson())
                .member(MetaKeys.CLIENT_CAPABILITIES, options.clientCapabilities());
        String level = options.logLevel();
        if (level != null) {
            writer.member(MetaKeys.LOG_LEVEL, level);
        }
    }

    private static boolean hasOtherKeys(@Nullable Json meta) {
        return meta != null
                && meta.isObject()
                && meta.members().stream()
                        .anyMatch(member -> !GATEWAY_KEYS.contains(member.name()));
    }

    private static void copyOtherKeys(JsonWriter writer, @Nullable Json meta) {
        if (meta != null && meta.isObject()) {
            for (Json.Member member : meta.members()) {
                if (!GATEWAY_KEYS.contains(member.name())) {
                    writer.member(member.name(), member.value());
                }
            }
        }
    }
}
