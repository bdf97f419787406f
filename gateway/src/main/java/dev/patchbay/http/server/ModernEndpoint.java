package dev.patchbay.http.server;

import static dev.patchbay.jsonrpc.RpcError.INVALID_PARAMS;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.http.McpHeaders;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.InboundRequests;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Success;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcHandler;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

/** Handles modern messages, each independently: the ids of different clients never conflict. */
final class ModernEndpoint {
    /** Whether a version belongs to the modern era, known or not. */
    static boolean isModernVersion(@Nullable String version) {
        return version != null
                && version.length() == ProtocolVersion.NEWEST_MODERN.text().length()
                && version.compareTo(ProtocolVersion.V2026_07_28.text()) >= 0;
    }

    private boolean refuseIfInvalid(McpHttpRequest posting, Request request, Json claim) {
        RpcError error =
                claim.isString()
                        ? validate(posting, request, claim.text())
                        : missingVersionError("a text");
        if (error != null) {
            posting.refuse(400, request, error);
        }
        return error != null;
    }

    private ModernResponseSink newSink(McpHttpRequest posting, Request request) {
        boolean known = posting.handlers().servesMethod(request.method());
        return new ModernResponseSink(posting.exchange(), posting.acceptHeader(), known);
    }

    private static RpcHandler newHandler(McpHttpRequest posting) {
        return posting.handlers().modernHandler(posting.client().principal());
    }

    private InboundRequests newRequestScope(
            McpHttpRequest posting, Request request, @Nullable Success farewell) {
        var serving = new InboundRequests(newHandler(posting), 1);
        posting.exchange().onDisconnect(() -> serving.cancel(request.id()));
        posting.exchange().serving(serving, farewell);
        return serving;
    }

    void handleRequest(McpHttpRequest posting, Request request, Json claim) {
        if (refuseIfInvalid(posting, request, claim)) {
            return;
        }
        boolean listens = request.method().equals(McpMethod.LISTEN.wireName());
        if (listens && !posting.acceptHeader().acceptsEvents()) {
            posting.refuse(406, "Only " + AcceptHeader.EVENTS + " can answer this");
            return;
        }
        newRequestScope(posting, request, listens ? subscriptionEndResult(request) : null)
                .start(request, newSink(posting, request));
    }

    /** The result that ends a subscription when the gateway ends. */
    private static Success subscriptionEndResult(Request request) {
        var writer = new JsonWriter().beginObject().member("resultType", "complete");
        writer.name(MetaKeys.META)
                .beginObject()
                .member(MetaKeys.SUBSCRIPTION_ID, request.id().json())
                .endObject();
        return new Success(request.id(), writer.endObject().toJson());
    }

    void handleNotification(McpHttpRequest posting, Notification notification) {
        var reply = new ModernResponseSink(posting.exchange(), posting.acceptHeader(), true);
        new InboundRequests(newHandler(posting), 1).handleNotification(notification, reply);
        posting.exchange().respondEmpty(202);
    }

    /** Refuses a request with a modern header but without a version in its body. */
    void refuseWithoutClaim(McpHttpRequest posting, Request request) {
        RpcError error =
                request.method().equals(McpMethod.INITIALIZE.wireName())
                        ? ModernHeaderValidator.mismatchError(
                                McpHeaders.PROTOCOL_VERSION, "names a revision without initialize")
                        : missingVersionError("there");
        posting.refuse(400, request, error);
    }

    private @Nullable RpcError validate(McpHttpRequest posting, Request request, String version) {
        RpcError error =
                ModernHeaderValidator.checkPresentHeaders(posting.exchange(), request, version);
        boolean known = ProtocolVersion.of(version).filter(v -> v.era() == Era.MODERN).isPresent();
        if (error != null || !known) {
            return error; // the handler refuses unknown versions
        }
        Json meta = request.params() == null ? null : request.params().member(MetaKeys.META);
        Json capabilities = meta == null ? null : meta.member(MetaKeys.CLIENT_CAPABILITIES);
        if (capabilities == null || !capabilities.isObject()) {
            return RpcError.of(
                    INVALID_PARAMS,
                    "Invalid params: _meta needs " + MetaKeys.CLIENT_CAPABILITIES + ", an object");
        }
        return ModernHeaderValidator.checkAllHeaders(
                posting.exchange(), request, version, posting.handlers()::headerParams);
    }

    private static RpcError missingVersionError(String what) {
        return RpcError.of(
                INVALID_PARAMS,
                "Invalid params: _meta needs " + MetaKeys.PROTOCOL_VERSION + " to be " + what);
    }
}
