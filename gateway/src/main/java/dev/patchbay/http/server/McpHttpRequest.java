package dev.patchbay.http.server;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.http.McpHeaders;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.RpcError;

import org.jspecify.annotations.Nullable;

/** A posted body on its way to whoever serves it: the visit, who came, and what he takes back. */
record McpHttpRequest(HttpExchange exchange, String principal, AcceptHeader acceptHeader) {
    /** The id of the session the client says it is in; null if it says none. */
    @Nullable String sessionId() {
        return exchange.header(McpHeaders.SESSION_ID);
    }

    /** The version of the header; null if there is none. */
    @Nullable String protocolVersion() {
        return exchange.header(McpHeaders.PROTOCOL_VERSION);
    }

    void refuse(int status, String why) {
        exchange.refuse(status, why);
    }

    void refuse(int status, Request request, RpcError error) {
        exchange.refuse(status, request.id(), error);
    }
}
