package dev.patchbay.http;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.TraceContext;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.function.Function;

/** The headers of MCP over HTTP, and the parts of a message that modern headers repeat. */
public final class McpHeaders {
    public static final String SESSION_ID = "Mcp-Session-Id";
    public static final String PROTOCOL_VERSION = "MCP-Protocol-Version";
    public static final String METHOD = "Mcp-Method";
    public static final String NAME = "Mcp-Name";
    public static final String PARAM_PREFIX = "Mcp-Param-";

    private McpHeaders() {}

    /** The member of the params that the name header repeats; null if there is none. */
    public static @Nullable String nameMember(String method) {
        return switch (method) {
            case "tools/call", "prompts/get" -> "name";
            case "resources/read" -> "uri";
            case "tasks/get", "tasks/update", "tasks/cancel" -> "taskId";
            default -> null;
        };
    }

    /** The request with the trace context of the headers, unless it names one itself. */
    public static Request withTraceContext(
            Request request, Function<String, @Nullable String> header) {
        String parent = header.apply(TraceContext.TRACEPARENT);
        String baggage = header.apply(TraceContext.BAGGAGE);
        if (parent == null && baggage == null) {
            return request;
        }
        TraceContext sent = TraceContext.of(parent, header.apply(TraceContext.TRACESTATE), baggage);
        if (sent == null || TraceContext.in(request.params()) != null) {
            return request;
        }
        Json params = request.params() == null ? Json.EMPTY_OBJECT : request.params();
        return params.isObject()
                ? new Request(request.id(), request.method(), sent.addTo(params))
                : request;
    }

    /** Repeats the trace context of a message's params in headers. */
    public static void addTraceContext(@Nullable Json params, Map<String, String> headers) {
        TraceContext context = TraceContext.in(params);
        if (context != null) {
            putIfPresent(headers, TraceContext.TRACEPARENT, context.traceparent());
            putIfPresent(headers, TraceContext.TRACESTATE, context.tracestate());
            putIfPresent(headers, TraceContext.BAGGAGE, context.baggage());
        }
    }

    private static void putIfPresent(
            Map<String, String> headers, String name, @Nullable String value) {
        if (value != null) {
            headers.put(name, value);
        }
    }

    /** The modern protocol version that the params of a message name; null if they name none. */
    public static @Nullable Json claimedVersion(@Nullable Json params) {
        Json meta = params == null ? null : params.member(MetaKeys.META);
        return meta == null ? null : meta.member(MetaKeys.PROTOCOL_VERSION);
    }
}
