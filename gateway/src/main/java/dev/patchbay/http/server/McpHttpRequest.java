package dev.patchbay.http.server;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.MetaKeys;

import org.jspecify.annotations.Nullable;

/** A posted body on its way to whoever serves it: the visit, who came, and what he takes back. */
public record McpHttpRequest(HttpExchange exchange, String principal, AcceptHeader acceptHeader) {
    public static final String SESSION_ID = "Mcp-Session-Id";

    /** The id of the session the client says it is in; null if it says none. */
    @Nullable String sessionId() {
        return exchange.header(SESSION_ID);
    }

    /** The revision that the header names; null if there is no such header. */
    @Nullable String protocolVersion() {
        return exchange.header(ModernHeaderValidator.PROTOCOL_VERSION);
    }

    void refuse(int status, String why) {
        exchange.refuse(status, why);
    }

    void refuse(int status, Request request, RpcError error) {
        exchange.refuse(status, request.id(), error);
    }

    /** The modern claim in the params of a message; null if there is none. */
    static @Nullable public Json claimedVersion(@Nullable Json params) {
        Json meta = params == null ? null : params.member(MetaKeys.META);
        return meta == null ? null : meta.member(MetaKeys.PROTOCOL_VERSION);
    }
}
