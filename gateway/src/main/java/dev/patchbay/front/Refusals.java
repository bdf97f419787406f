package dev.patchbay.front;

import dev.patchbay.catalog.FullName;
import dev.patchbay.gateway.Reply;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Codes;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.Method;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.Reason;
import dev.patchbay.schema.Violation;
import dev.patchbay.server.Trouble;

import java.util.List;

/**
 * How what did not work looks on the wire. A call of a tool that failed is a result with an error
 * that the model can read; what was wrong with the request itself is an error of JSON-RPC.
 */
final class Refusals {
    private Refusals() {}

    /** The result of a reply, or the exception that ends the request. */
    static Json result(Reply reply, Method method, ProtocolVersion version) {
        return switch (reply) {
            case Reply.Answered(_, Json result) -> result;
            case Reply.Refused(_, RpcError error) -> throw new RpcException(known(error, version));
            case Reply.Failed failed -> failed(failed, method);
            case Reply.Unfit unfit -> unfit(unfit, version);
            case Reply.Unresolved unresolved -> throw unresolved(unresolved);
        };
    }

    /** A server's own error; the one code that the modern era took back is given as its heir. */
    private static RpcError known(RpcError error, ProtocolVersion version) {
        boolean gone = version.era() == Era.MODERN && error.code() == Codes.RESOURCE_NOT_FOUND;
        return gone ? new RpcError(RpcError.INVALID_PARAMS, error.message(), error.data()) : error;
    }

    private static Json failed(Reply.Failed failed, Method method) {
        Json account = account(failed);
        if (method == Method.TOOLS_CALL) {
            return toolError(failed.trouble().message(), account);
        }
        throw new RpcException(
                new RpcError(RpcError.INTERNAL_ERROR, failed.trouble().message(), account));
    }

    private static Json account(Reply.Failed failed) {
        Trouble trouble = failed.trouble();
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("reason", trouble.reason().name())
                        .member("message", trouble.message())
                        .member("serverId", failed.server().value())
                        .member("operation", trouble.operation());
        if (trouble.attempts() > 0) {
            writer.member("attempts", trouble.attempts());
        }
        return writer.member("execution", trouble.execution().text()).endObject().toJson();
    }

    private static Json unfit(Reply.Unfit unfit, ProtocolVersion version) {
        Json account = account(unfit);
        if (version.isAtLeast(ProtocolVersion.V2025_11_25)) {
            return toolError(unfit.message(), account);
        }
        throw new RpcException(new RpcError(RpcError.INVALID_PARAMS, unfit.message(), account));
    }

    private static Json account(Reply.Unfit unfit) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("reason", Reason.INVALID_ARGUMENTS.name())
                        .member("serverId", unfit.server().value())
                        .member("execution", "not_sent")
                        .name("violations")
                        .beginArray();
        for (Violation violation : unfit.violations()) {
            writer.beginObject()
                    .member("pointer", violation.pointer())
                    .member("keyword", violation.keyword())
                    .member("message", violation.message())
                    .endObject();
        }
        return writer.endArray().endObject().toJson();
    }

    private static RpcException unresolved(Reply.Unresolved unresolved) {
        var writer = new JsonWriter().beginObject();
        writer.member("reason", unresolved.reason().name());
        if (unresolved.server() != null) {
            writer.member("serverId", unresolved.server().value());
        }
        List<FullName> candidates = unresolved.candidates();
        if (!candidates.isEmpty()) {
            writer.name("candidates").beginArray();
            candidates.forEach(candidate -> writer.string(candidate.text()));
            writer.endArray();
        }
        Json data = writer.endObject().toJson();
        return new RpcException(new RpcError(RpcError.INVALID_PARAMS, unresolved.message(), data));
    }

    private static Json toolError(String message, Json account) {
        return new JsonWriter()
                .beginObject()
                .name("content")
                .beginArray()
                .beginObject()
                .member("type", "text")
                .member("text", message)
                .endObject()
                .endArray()
                .member("isError", true)
                .name(MetaKeys.META)
                .beginObject()
                .member(MetaKeys.ERROR, account)
                .endObject()
                .endObject()
                .toJson();
    }
}
