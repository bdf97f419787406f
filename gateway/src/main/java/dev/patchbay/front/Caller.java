package dev.patchbay.front;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Exchange;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

/**
 * The client behind one request, as far as the request and its session tell.
 *
 * @param principal who the transport knows the client to be
 * @param session what stays the same for all requests of one legacy session; a fresh object for a
 *     modern request, which has none
 * @param logLevel the least level of log messages that the client wants; null for none
 */
public record Caller(
        String principal,
        Object session,
        ProtocolVersion version,
        Implementation client,
        Json capabilities,
        @Nullable String logLevel,
        Exchange exchange) {

    /** The token under which the request asks for progress; null if it does not. */
    static @Nullable Json progressToken(Json params) {
        Json meta = params.member(MetaKeys.META);
        return meta == null ? null : meta.member(MetaKeys.PROGRESS_TOKEN);
    }
}
