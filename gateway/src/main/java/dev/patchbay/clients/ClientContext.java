package dev.patchbay.clients;

import dev.patchbay.gateway.CallContext;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.server.CallListener;

import org.jspecify.annotations.Nullable;

/**
 * The client behind one request, as far as the request and its session tell.
 *
 * @param principal who the transport knows the client to be
 * @param session what stays the same for all requests of one client: its legacy session, or who a
 *     modern request says it comes from
 * @param logLevel the least level of log messages that the client wants; null for none
 */
public record ClientContext(
        String principal,
        Object session,
        ProtocolVersion version,
        Implementation clientInfo,
        Json capabilities,
        @Nullable String logLevel,
        RequestContext requestContext) {

    /** A modern client, which has no session: all that is known of it. */
    record StatelessClient(String principal, Implementation clientInfo) {}

    /** A call of a server on behalf of this client, which the listener stands for. */
    CallContext callContext(CallListener listener) {
        return new CallContext(listener, capabilities, logLevel, clientInfo.name());
    }

    /** The token under which the request asks for progress; null if it does not. */
    static @Nullable Json progressToken(Json params) {
        Json meta = params.member(MetaKeys.META);
        return meta == null ? null : meta.member(MetaKeys.PROGRESS_TOKEN);
    }
}
