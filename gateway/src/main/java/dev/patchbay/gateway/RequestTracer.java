package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.TraceContext.SpanIds;
import dev.patchbay.server.ServerSpec;

import org.jspecify.annotations.Nullable;

/**
 * Follows requests for a tracing system: those that clients send to the gateway, and those that the
 * gateway therefore sends to servers. It runs on threads that read for many requests, so it must be
 * fast, and it must not throw.
 */
public interface RequestTracer {
    /** Begins the span of a request that a client has sent. */
    TracedRequest beginReceived(ReceivedRequest request);

    /** Begins the span of a request to a server. Its params name the span that caused it. */
    TracedRequest beginSent(SentRequest request);

    /**
     * A request of a client.
     *
     * @param version the version of MCP that the client uses; null before its handshake
     * @param sessionId the session over HTTP that it belongs to; null if there is none
     */
    record ReceivedRequest(
            String method,
            Json params,
            RequestId id,
            @Nullable String version,
            boolean isHttp,
            @Nullable String sessionId) {}

    /** A request to a server. */
    record SentRequest(String method, Json params, ServerSpec server) {}

    /** A request that is followed. Only the first end counts. */
    interface TracedRequest {
        /** The params with this span as the cause of what they request. */
        Json addTo(Json params);

        /** The ids of the span; null if it is not recorded. */
        @Nullable SpanIds ids();

        /** Notes the version of MCP of the connection to the server. */
        void setVersion(ProtocolVersion version);

        void end(Ending ending);
    }

    /**
     * How a request ended.
     *
     * @param errorType what failed, in few different values; null if the request succeeded
     * @param code the code of a JSON-RPC error; null if there is none
     * @param message the message of the error; empty if there is none to show
     */
    record Ending(@Nullable String errorType, @Nullable Integer code, String message) {
        public static final Ending SUCCEEDED = new Ending(null, null, "");
        public static final Ending CANCELLED = new Ending("cancelled", null, "");

        /** The type of an error that a tool reports in its result. */
        public static final String TOOL_ERROR = "tool_error";

        /** The end with a result, which may report an error of the tool or of the gateway. */
        public static Ending of(Json result) {
            if (!isError(result)) {
                return SUCCEEDED;
            }
            Json meta = result.member(MetaKeys.META);
            Json own = meta == null ? null : meta.member(MetaKeys.ERROR);
            String reason = own == null ? null : own.memberText("reason");
            String message = own == null ? null : own.memberText("message");
            return new Ending(
                    reason == null ? TOOL_ERROR : reason, null, message == null ? "" : message);
        }

        public static Ending of(RpcError error) {
            return new Ending(Integer.toString(error.code()), error.code(), error.message());
        }

        /** The end of a request to a server; null if nobody waited for the result any more. */
        static Ending of(@Nullable CallResult result) {
            return switch (result) {
                case null -> CANCELLED;
                case CallResult.Answered(_, Json answer) -> of(answer);
                case CallResult.ServerError(_, RpcError error) -> of(error);
                case CallResult.Failed(_, var failure) ->
                        new Ending(failure.reason().name(), null, failure.message());
                case CallResult.InvalidArguments invalid ->
                        new Ending("INVALID_ARGUMENTS", null, invalid.message());
                case CallResult.Rejected rejected ->
                        new Ending(rejected.reason().name(), null, rejected.message());
            };
        }

        private static boolean isError(Json result) {
            Json error = result.member("isError");
            return error != null && error.isTrue();
        }
    }
}
