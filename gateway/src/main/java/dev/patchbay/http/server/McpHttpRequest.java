package dev.patchbay.http.server;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.http.McpHeaders;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.RpcError;

import org.jspecify.annotations.Nullable;

/** A request to the endpoint: the exchange, the client, and what the client accepts. */
record McpHttpRequest(HttpExchange exchange, EndpointClient client, AcceptHeader acceptHeader) {
    HandlerFactory handlers() {
        return client.handlers();
    }

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
