package dev.patchbay.clients;

import dev.patchbay.gateway.CallContext;
import dev.patchbay.gateway.Caller;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.server.CallListener;

import org.jspecify.annotations.Nullable;

/**
 * The client that sent a request.
 *
 * @param principal the authenticated user
 * @param session equal for all requests of one client: its legacy session, or the client that a
 *     modern request names
 * @param origin equal only for requests that certainly come from one client: its legacy session,
 *     its connection, or a single modern request over HTTP, as two clients may have one name
 * @param logLevel the lowest level of log messages that the client wants; null for none
 * @param caller decides which connections of servers the client uses
 */
public record ClientContext(
        String principal,
        Object session,
        Object origin,
        ProtocolVersion version,
        Implementation clientInfo,
        Json capabilities,
        @Nullable String logLevel,
        RequestContext requestContext,
        Caller caller) {

    /** A modern client, which has no session. */
    record StatelessClient(String principal, Implementation clientInfo) {}

    /** The context of a call to a server on behalf of this client. */
    CallContext callContext(CallListener listener) {
        return new CallContext(
                listener, capabilities, logLevel, clientInfo.name(), principal, caller);
    }

    /** The progress token of a request; null if it wants no progress. */
    static @Nullable Json progressToken(Json params) {
        Json meta = params.member(MetaKeys.META);
        return meta == null ? null : meta.member(MetaKeys.PROGRESS_TOKEN);
    }
}
