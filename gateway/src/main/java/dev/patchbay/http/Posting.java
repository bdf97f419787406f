package dev.patchbay.http;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.MetaKeys;

import org.jspecify.annotations.Nullable;

/** A posted body on its way to whoever serves it: the visit, who came, and what he takes back. */
record Posting(Visit visit, String principal, Accepts accepts) {
    static final String SESSION = "Mcp-Session-Id";

    /** The id of the session the client says it is in; null if it says none. */
    @Nullable String sessionId() {
        return visit.header(SESSION);
    }

    /** The revision that the header names; null if there is no such header. */
    @Nullable String version() {
        return visit.header(ModernHeaders.VERSION);
    }

    void refuse(int status, String why) {
        visit.refuse(status, why);
    }

    void refuse(int status, Request request, RpcError error) {
        visit.refuse(status, request.id(), error);
    }

    /** The modern claim in the params of a message; null if there is none. */
    static @Nullable Json claim(@Nullable Json params) {
        Json meta = params == null ? null : params.member(MetaKeys.META);
        return meta == null ? null : meta.member(MetaKeys.PROTOCOL_VERSION);
    }
}
