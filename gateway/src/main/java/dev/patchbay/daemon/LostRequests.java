package dev.patchbay.daemon;

import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.Message.Success;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.ResultConverter;

/** The answers to requests whose gateway has ended before it answered them. */
final class LostRequests {
    private static final String WAS_SENT =
            "The background gateway ended during this request. Whether the server executed it is"
                    + " unknown.";
    private static final String WAS_NOT_SENT =
            "The background gateway is not available. The request was not sent to a server. See"
                    + " \"patchbay daemon logs\".";

    private LostRequests() {}

    /** The answer to a request, which says whether a server may have executed it. */
    static EncodedJson answer(RelayedRequest lost, ExecutionStatus execution) {
        if (!lost.isBatch()) {
            return Encoder.encode(answer(lost.requests().getFirst(), execution));
        }
        var writer = new JsonWriter().beginArray();
        for (Request request : lost.requests()) {
            writer.value(Encoder.encode(answer(request, execution)).toJson());
        }
        return writer.endArray().toEncodedJson();
    }

    private static Response answer(Request request, ExecutionStatus execution) {
        String message = execution == ExecutionStatus.NOT_SENT ? WAS_NOT_SENT : WAS_SENT;
        Json details =
                new JsonWriter()
                        .beginObject()
                        .member("reason", ErrorReason.INVOCATION_FAILED.name())
                        .member("message", message)
                        .member("operation", request.method())
                        .member("execution", execution.wireName())
                        .endObject()
                        .toJson();
        return request.method().equals(RelayedRequest.CALL_TOOL)
                ? new Success(request.id(), toolResult(message, details, isModern(request)))
                : new Failure(
                        request.id(), new RpcError(RpcError.INTERNAL_ERROR, message, details));
    }

    private static boolean isModern(Request request) {
        Json params = request.params();
        Json meta = params == null ? null : params.member(MetaKeys.META);
        return meta != null && meta.member(MetaKeys.PROTOCOL_VERSION) != null;
    }

    private static Json toolResult(String message, Json details, boolean isModern) {
        var writer = new JsonWriter().beginObject();
        if (isModern) {
            writer.member(ResultConverter.RESULT_TYPE, "complete");
        }
        return writer.name("content")
                .beginArray()
                .beginObject()
                .member("type", "text")
                .member("text", message)
                .endObject()
                .endArray()
                .member("isError", true)
                .name(MetaKeys.META)
                .beginObject()
                .member(MetaKeys.ERROR, details)
                .endObject()
                .endObject()
                .toJson();
    }
}
