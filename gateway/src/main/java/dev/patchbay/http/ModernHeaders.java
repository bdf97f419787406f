package dev.patchbay.http;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.Codes;
import dev.patchbay.mcp.HeaderParam;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Function;

/**
 * The headers that repeat parts of a modern message. What is in between may route by them, so they
 * must say what the message says; we ourselves go by the message.
 */
final class ModernHeaders {
    static final String VERSION = "MCP-Protocol-Version";
    static final String METHOD = "Mcp-Method";
    static final String NAME = "Mcp-Name";
    static final String PARAM = "Mcp-Param-";

    private ModernHeaders() {}

    /** The member of the params that the name header repeats; null if there is none. */
    static @Nullable String namedBy(String method) {
        return switch (method) {
            case "tools/call", "prompts/get" -> "name";
            case "resources/read" -> "uri";
            case "tasks/get", "tasks/update", "tasks/cancel" -> "taskId";
            default -> null;
        };
    }

    /** What of the headers that are there contradicts the message; null if nothing does. */
    static @Nullable RpcError contradiction(Visit visit, Request request, String version) {
        RpcError error = compare(visit, VERSION, version, false);
        return error != null ? error : compare(visit, METHOD, request.method(), false);
    }

    /** What is missing or wrong in the headers; null if they are as they must be. */
    static @Nullable RpcError fault(
            Visit visit,
            Request request,
            String version,
            Function<String, List<HeaderParam>> headerParams) {
        RpcError error = compare(visit, VERSION, version, true);
        if (error == null) {
            error = compare(visit, METHOD, request.method(), true);
        }
        Json params = request.params();
        String member = namedBy(request.method());
        String name = member == null || params == null ? null : params.memberText(member);
        if (error != null || name == null || params == null) {
            return error;
        }
        error = coded(visit, NAME, Json.string(name));
        if (error == null && request.method().equals("tools/call")) {
            error = params(visit, params.member("arguments"), headerParams.apply(name));
        }
        return error;
    }

    private static @Nullable RpcError params(
            Visit visit, @Nullable Json arguments, List<HeaderParam> headerParams) {
        for (HeaderParam param : headerParams) {
            Json value = arguments == null ? null : param.valueIn(arguments);
            String header = PARAM + param.name();
            if (value != null) {
                RpcError error = coded(visit, header, value);
                if (error != null) {
                    return error;
                }
            } else if (visit.header(header) != null) {
                return mismatch(header, "is there, and the argument is not");
            }
        }
        return null;
    }

    private static @Nullable RpcError compare(
            Visit visit, String header, String value, boolean required) {
        String said = visit.header(header);
        if (said == null) {
            return required ? mismatch(header, "is missing") : null;
        }
        if (visit.count(header) > 1) {
            return mismatch(header, "is there twice");
        }
        return said.equals(value) ? null : mismatch(header, "says something else than the body");
    }

    private static @Nullable RpcError coded(Visit visit, String header, Json value) {
        String said = visit.header(header);
        if (said == null) {
            return mismatch(header, "is missing");
        }
        if (visit.count(header) > 1) {
            return mismatch(header, "is there twice");
        }
        return HeaderText.matches(said, value)
                ? null
                : mismatch(header, "says something else than the body");
    }

    static RpcError mismatch(String header, String what) {
        return RpcError.of(Codes.HEADER_MISMATCH, "Header mismatch: " + header + " " + what);
    }
}
