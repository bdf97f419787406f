package dev.patchbay.http.server;

import dev.patchbay.http.HeaderValueCodec;
import dev.patchbay.http.McpHeaders;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.McpErrorCodes;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Function;

/**
 * Validates the headers that repeat parts of a modern message. Proxies may route by them, so they
 * must match the message; the gateway itself uses the message.
 */
final class ModernHeaderValidator {
    private ModernHeaderValidator() {}

    /** What of the headers that are there contradicts the message; null if nothing does. */
    static @Nullable RpcError checkPresentHeaders(
            HttpExchange visit, Request request, String version) {
        RpcError error = checkPlainHeader(visit, McpHeaders.PROTOCOL_VERSION, version, false);
        return error != null
                ? error
                : checkPlainHeader(visit, McpHeaders.METHOD, request.method(), false);
    }

    /** The missing or wrong header; null if all are right. */
    static @Nullable RpcError checkAllHeaders(
            HttpExchange visit,
            Request request,
            String version,
            Function<String, List<HeaderParam>> headerParams) {
        RpcError error = checkPlainHeader(visit, McpHeaders.PROTOCOL_VERSION, version, true);
        if (error == null) {
            error = checkPlainHeader(visit, McpHeaders.METHOD, request.method(), true);
        }
        Json params = request.params();
        String member = McpHeaders.nameMember(request.method());
        String name = member == null || params == null ? null : params.memberText(member);
        if (error != null || name == null || params == null) {
            return error;
        }
        error = checkEncodedHeader(visit, McpHeaders.NAME, Json.string(name));
        if (error == null && request.method().equals("tools/call")) {
            error = checkParamHeaders(visit, params.member("arguments"), headerParams.apply(name));
        }
        return error;
    }

    private static @Nullable RpcError checkParamHeaders(
            HttpExchange visit, @Nullable Json arguments, List<HeaderParam> headerParams) {
        for (HeaderParam param : headerParams) {
            Json value = arguments == null ? null : param.valueIn(arguments);
            String header = McpHeaders.PARAM_PREFIX + param.name();
            if (value != null) {
                RpcError error = checkEncodedHeader(visit, header, value);
                if (error != null) {
                    return error;
                }
            } else if (visit.header(header) != null) {
                return mismatchError(header, "is there, and the argument is not");
            }
        }
        return null;
    }

    private static @Nullable RpcError checkPlainHeader(
            HttpExchange visit, String header, String value, boolean required) {
        String said = visit.header(header);
        if (said == null) {
            return required ? mismatchError(header, "is missing") : null;
        }
        if (visit.headerCount(header) > 1) {
            return mismatchError(header, "is there twice");
        }
        return said.equals(value)
                ? null
                : mismatchError(header, "says something else than the body");
    }

    private static @Nullable RpcError checkEncodedHeader(
            HttpExchange visit, String header, Json value) {
        String said = visit.header(header);
        if (said == null) {
            return mismatchError(header, "is missing");
        }
        if (visit.headerCount(header) > 1) {
            return mismatchError(header, "is there twice");
        }
        return HeaderValueCodec.matches(said, value)
                ? null
                : mismatchError(header, "says something else than the body");
    }

    static RpcError mismatchError(String header, String what) {
        return RpcError.of(
                McpErrorCodes.HEADER_MISMATCH, "Header mismatch: " + header + " " + what);
    }
}
