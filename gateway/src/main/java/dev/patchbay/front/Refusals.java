package dev.patchbay.front;

import dev.patchbay.catalog.FullName;
import dev.patchbay.gateway.Reply;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.Members;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Codes;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Execution;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.Method;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.Reason;
import dev.patchbay.schema.Violation;
import dev.patchbay.server.Trouble;

import java.util.ArrayList;
import java.util.List;

/**
 * How what did not work looks on the wire. A call of a tool that failed is a result with an error
 * that the model can read; what was wrong with the request itself is an error of JSON-RPC.
 */
final class Refusals {
    private static final int NAMED_MAX = 20;
    private static final int NAME_CHARS_MAX = 200;

    private Refusals() {}

    /** The result of a reply, or the exception that ends the request. */
    static Json result(Reply reply, Method method, Caller caller) {
        ProtocolVersion version = caller.version();
        return switch (reply) {
            case Reply.Answered(_, Json result) -> result;
            case Reply.Refused refused -> refused(refused, method, caller);
            case Reply.Failed failed -> failed(failed, method);
            case Reply.Unfit unfit -> unfit(unfit, version);
            case Reply.Unresolved unresolved -> throw unresolved(unresolved);
        };
    }

    /** There is no resource of this URI, which the error says again. */
    static RpcException noResource(Reply.Unresolved unresolved, String uri) {
        Json data =
                new JsonWriter()
                        .beginObject()
                        .member("reason", unresolved.reason().name())
                        .member("uri", uri)
                        .endObject()
                        .toJson();
        return new RpcException(new RpcError(RpcError.INVALID_PARAMS, unresolved.message(), data));
    }

    /** A server's own error, passed on as it is unless the client's era does not know it. */
    private static Json refused(Reply.Refused refused, Method method, Caller caller) {
        RpcError error = refused.error();
        boolean modern = caller.version().era() == Era.MODERN;
        if (modern && error.code() == Codes.URL_ELICITATION_REQUIRED) {
            return Questions.urls(error, caller.capabilities());
        }
        if (modern && error.code() == Codes.RESOURCE_NOT_FOUND) {
            throw new RpcException(
                    new RpcError(RpcError.INVALID_PARAMS, error.message(), error.data()));
        }
        if (!modern && Codes.isModernOnly(error.code())) {
            String message =
                    "Server %s: %s%s"
                            .formatted(refused.server(), error.message(), undeclared(error));
            var trouble =
                    new Trouble(
                            Reason.INVOCATION_FAILED,
                            message,
                            method.wireName(),
                            1,
                            Execution.NOT_SENT);
            return failed(new Reply.Failed(refused.server(), trouble), method);
        }
        throw new RpcException(error);
    }

    /** What the server wants of a client that did not declare it, in words; they may be none. */
    private static String undeclared(RpcError error) {
        Json data = error.data();
        Json wanted = data == null || !data.isObject() ? null : data.member("requiredCapabilities");
        if (wanted == null || !wanted.isObject()) {
            return "";
        }
        var names = new ArrayList<String>();
        leaves(wanted, "", names);
        return " (the client does not declare %s)".formatted(String.join(", ", names));
    }

    /** The paths in a declaration that lead to nothing further: {@code elicitation.url}. */
    private static void leaves(Json declaration, String path, List<String> names) {
        Members members = declaration.walk();
        boolean leaf = true;
        while (members.next() && names.size() < NAMED_MAX) {
            leaf = false;
            String below = path.isEmpty() ? members.name() : path + "." + members.name();
            if (members.value().isObject() && below.length() < NAME_CHARS_MAX) {
                leaves(members.value(), below, names);
            }
        }
        if (leaf && !path.isEmpty()) {
            names.add(path);
        }
    }

    /** What becomes of a request whose client would not say what its server needs. */
    static Json unanswered(RpcException refusal, Method method) {
        if (method != Method.TOOLS_CALL) {
            throw refusal;
        }
        Json account =
                new JsonWriter()
                        .beginObject()
                        .member("reason", Reason.INVOCATION_FAILED.name())
                        .member("message", refusal.error().message())
                        .endObject()
                        .toJson();
        return toolError(refusal.error().message(), account);
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
