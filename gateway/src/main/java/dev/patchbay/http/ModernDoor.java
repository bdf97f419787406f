package dev.patchbay.http;

import static dev.patchbay.jsonrpc.RpcError.INVALID_PARAMS;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Success;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.Serving;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.Method;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

/**
 * Takes messages that stand for themselves. Each has a serving of its own: the ids of different
 * clients never meet.
 */
final class ModernDoor {
    private final Doors doors;

    ModernDoor(Doors doors) {
        this.doors = doors;
    }

    /** Whether a version is one of this era, known to us or not. */
    static boolean isModern(@Nullable String version) {
        return version != null
                && version.length() == ProtocolVersion.NEWEST_MODERN.text().length()
                && version.compareTo(ProtocolVersion.V2026_07_28.text()) >= 0;
    }

    /** Passes a call on without waiting; false if that cannot be done, and nothing was done. */
    boolean pass(Posting posting, Request request, Json claim) {
        if (isRefused(posting, request, claim)) {
            return true;
        }
        return serving(posting, request, null).pass(request, reply(posting, request));
    }

    private boolean isRefused(Posting posting, Request request, Json claim) {
        RpcError error = claim.isString() ? fault(posting, request, claim.text()) : needs("a text");
        if (error != null) {
            posting.refuse(400, request, error);
        }
        return error != null;
    }

    private ModernReply reply(Posting posting, Request request) {
        boolean known = doors.serves(request.method());
        return new ModernReply(posting.visit(), posting.accepts(), known);
    }

    private Serving serving(Posting posting, Request request, @Nullable Success farewell) {
        var serving = new Serving(doors.modern(posting.principal()), 1);
        posting.visit().whenGone(() -> serving.cancel(request.id()));
        posting.visit().serving(serving, farewell);
        return serving;
    }

    void request(Posting posting, Request request, Json claim) {
        if (isRefused(posting, request, claim)) {
            return;
        }
        boolean listens = request.method().equals(Method.LISTEN.wireName());
        if (listens && !posting.accepts().events()) {
            posting.refuse(406, "Only " + Accepts.EVENTS + " can answer this");
            return;
        }
        serving(posting, request, listens ? farewell(request) : null)
                .run(request, reply(posting, request));
    }

    /** The result that ends a subscription when the gateway ends. */
    private static Success farewell(Request request) {
        var writer = new JsonWriter().beginObject().member("resultType", "complete");
        writer.name(MetaKeys.META)
                .beginObject()
                .member(MetaKeys.SUBSCRIPTION_ID, request.id().written())
                .endObject();
        return new Success(request.id(), writer.endObject().toJson());
    }

    void notification(Posting posting, Notification notification) {
        var reply = new ModernReply(posting.visit(), posting.accepts(), true);
        new Serving(doors.modern(posting.principal()), 1).notice(notification, reply);
        posting.visit().empty(202);
    }

    /** A request whose header is modern and whose body makes no claim. */
    void withoutClaim(Posting posting, Request request) {
        RpcError error =
                request.method().equals(Method.INITIALIZE.wireName())
                        ? ModernHeaders.mismatch(
                                ModernHeaders.VERSION, "names a revision without initialize")
                        : needs("there");
        posting.refuse(400, request, error);
    }

    private @Nullable RpcError fault(Posting posting, Request request, String version) {
        RpcError error = ModernHeaders.contradiction(posting.visit(), request, version);
        boolean known = ProtocolVersion.of(version).filter(v -> v.era() == Era.MODERN).isPresent();
        if (error != null || !known) {
            return error; // a version that nobody knows is refused by who serves
        }
        Json meta = request.params() == null ? null : request.params().member(MetaKeys.META);
        Json capabilities = meta == null ? null : meta.member(MetaKeys.CLIENT_CAPABILITIES);
        if (capabilities == null || !capabilities.isObject()) {
            return RpcError.of(
                    INVALID_PARAMS,
                    "Invalid params: _meta needs " + MetaKeys.CLIENT_CAPABILITIES + ", an object");
        }
        return ModernHeaders.fault(posting.visit(), request, version, doors::headerParams);
    }

    private static RpcError needs(String what) {
        return RpcError.of(
                INVALID_PARAMS,
                "Invalid params: _meta needs " + MetaKeys.PROTOCOL_VERSION + " to be " + what);
    }
}
