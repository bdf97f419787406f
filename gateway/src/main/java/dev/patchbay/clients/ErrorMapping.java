package dev.patchbay.clients;

import dev.patchbay.catalog.FullName;
import dev.patchbay.gateway.CallResult;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberCursor;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.mcp.McpErrorCodes;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.schema.Violation;
import dev.patchbay.server.ServerFailure;

import java.util.ArrayList;
import java.util.List;

/**
 * Maps failures to responses. A tool call that failed is a result with an error that the model can
 * read. An invalid request is a JSON-RPC error.
 */
final class ErrorMapping {
    private static final int CAPABILITIES_NAMED_MAX = 20;
    private static final int NAME_CHARS_MAX = 200;

    private ErrorMapping() {}

    /** The result for the client, or the exception that fails its request. */
    static Json toResult(CallResult reply, McpMethod method, ClientContext caller) {
        ProtocolVersion version = caller.version();
        return switch (reply) {
            case CallResult.Answered(_, Json result) -> result;
            case CallResult.ServerError refused -> mapServerError(refused, method, caller);
            case CallResult.Failed failed -> mapUnavailable(failed, method);
            case CallResult.InvalidArguments unfit -> mapInvalidArguments(unfit, version);
            case CallResult.Rejected unresolved -> throw mapNotFound(unresolved);
        };
    }

    /** The error for an unknown URI, which the error repeats. */
    static RpcException resourceNotFound(
            CallResult.Rejected unresolved, String uri, ProtocolVersion version) {
        Json data =
                new JsonWriter()
                        .beginObject()
                        .member("reason", unresolved.reason().name())
                        .member("uri", uri)
                        .endObject()
                        .toJson();
        int code =
                version.era() == Era.MODERN
                        ? RpcError.INVALID_PARAMS
                        : McpErrorCodes.RESOURCE_NOT_FOUND;
        return new RpcException(new RpcError(code, unresolved.message(), data));
    }

    /** Forwards the error of a server, unless the client's era does not have its code. */
    private static Json mapServerError(
            CallResult.ServerError refused, McpMethod method, ClientContext caller) {
        RpcError error = refused.error();
        boolean modern = caller.version().era() == Era.MODERN;
        if (modern && error.code() == McpErrorCodes.URL_ELICITATION_REQUIRED) {
            return InputRequests.urlInputRequired(error, caller.capabilities());
        }
        if (modern && error.code() == McpErrorCodes.RESOURCE_NOT_FOUND) {
            throw new RpcException(
                    new RpcError(RpcError.INVALID_PARAMS, error.message(), error.data()));
        }
        if (!modern && McpErrorCodes.isModernOnly(error.code())) {
            String message =
                    "Server %s: %s%s"
                            .formatted(
                                    refused.server(), error.message(), missingCapabilities(error));
            var trouble =
                    new ServerFailure(
                            ErrorReason.INVOCATION_FAILED,
                            message,
                            method.wireName(),
                            1,
                            ExecutionStatus.NOT_SENT);
            return mapUnavailable(new CallResult.Failed(refused.server(), trouble), method);
        }
        throw new RpcException(error);
    }

    /** The capabilities that the server requires, as text; empty if it names none. */
    private static String missingCapabilities(RpcError error) {
        Json data = error.data();
        Json wanted = data == null || !data.isObject() ? null : data.member("requiredCapabilities");
        if (wanted == null || !wanted.isObject()) {
            return "";
        }
        var names = new ArrayList<String>();
        collectLeafPaths(wanted, "", names);
        return " (the client does not declare %s)".formatted(String.join(", ", names));
    }

    /** The paths to the leaves of a declaration, such as {@code elicitation.url}. */
    private static void collectLeafPaths(Json declaration, String path, List<String> names) {
        MemberCursor members = declaration.memberCursor();
        boolean leaf = true;
        while (members.next() && names.size() < CAPABILITIES_NAMED_MAX) {
            leaf = false;
            String below = path.isEmpty() ? members.name() : path + "." + members.name();
            if (members.value().isObject() && below.length() < NAME_CHARS_MAX) {
                collectLeafPaths(members.value(), below, names);
            }
        }
        if (leaf && !path.isEmpty()) {
            names.add(path);
        }
    }

    /** The result of a request whose client did not provide the input that the server needs. */
    static Json inputNotProvided(RpcException refusal, McpMethod method) {
        if (method != McpMethod.TOOLS_CALL) {
            throw refusal;
        }
        Json account =
                new JsonWriter()
                        .beginObject()
                        .member("reason", ErrorReason.INVOCATION_FAILED.name())
                        .member("message", refusal.error().message())
                        .endObject()
                        .toJson();
        return toolErrorResult(refusal.error().message(), account);
    }

    private static Json mapUnavailable(CallResult.Failed failed, McpMethod method) {
        Json account = errorDetails(failed);
        if (method == McpMethod.TOOLS_CALL) {
            return toolErrorResult(failed.failure().message(), account);
        }
        throw new RpcException(
                new RpcError(RpcError.INTERNAL_ERROR, failed.failure().message(), account));
    }

    private static Json errorDetails(CallResult.Failed failed) {
        ServerFailure trouble = failed.failure();
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
        return writer.member("execution", trouble.execution().wireName()).endObject().toJson();
    }

    private static Json mapInvalidArguments(
            CallResult.InvalidArguments unfit, ProtocolVersion version) {
        Json account = errorDetails(unfit);
        if (version.isAtLeast(ProtocolVersion.V2025_11_25)) {
            return toolErrorResult(unfit.message(), account);
        }
        throw new RpcException(new RpcError(RpcError.INVALID_PARAMS, unfit.message(), account));
    }

    private static Json errorDetails(CallResult.InvalidArguments unfit) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("reason", ErrorReason.INVALID_ARGUMENTS.name())
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

    private static RpcException mapNotFound(CallResult.Rejected unresolved) {
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

    private static Json toolErrorResult(String message, Json account) {
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
