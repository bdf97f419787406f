package dev.patchbay.http;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.MetaKeys;

import org.jspecify.annotations.Nullable;

/** The headers of MCP over HTTP, and the parts of a message that modern headers repeat. */
public final class McpHeaders {
    public static final String SESSION_ID = "Mcp-Session-Id";
    public static final String PROTOCOL_VERSION = "MCP-Protocol-Version";
    public static final String METHOD = "Mcp-Method";
    public static final String NAME = "Mcp-Name";
    public static final String PARAM_PREFIX = "Mcp-Param-";

    private McpHeaders() {}

    /** The member of the params that the name header repeats; null if there is none. */
    public static @Nullable String nameMember(String method) {
        return switch (method) {
            case "tools/call", "prompts/get" -> "name";
            case "resources/read" -> "uri";
            case "tasks/get", "tasks/update", "tasks/cancel" -> "taskId";
            default -> null;
        };
    }

    /** The modern protocol version that the params of a message name; null if they name none. */
    public static @Nullable Json claimedVersion(@Nullable Json params) {
        Json meta = params == null ? null : params.member(MetaKeys.META);
        return meta == null ? null : meta.member(MetaKeys.PROTOCOL_VERSION);
    }
}
