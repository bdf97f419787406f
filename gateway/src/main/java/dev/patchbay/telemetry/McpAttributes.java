package dev.patchbay.telemetry;

import dev.patchbay.gateway.RequestTracer.ReceivedRequest;
import dev.patchbay.gateway.RequestTracer.SentRequest;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.server.ServerSpec.Transport;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;

import org.jspecify.annotations.Nullable;

import java.net.URI;

/** The attributes of requests, by the semantic conventions of OpenTelemetry for MCP. */
final class McpAttributes {
    static final AttributeKey<String> METHOD = AttributeKey.stringKey("mcp.method.name");
    static final AttributeKey<String> TOOL = AttributeKey.stringKey("gen_ai.tool.name");
    static final AttributeKey<String> PROMPT = AttributeKey.stringKey("gen_ai.prompt.name");
    static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
    static final AttributeKey<String> STATUS_CODE =
            AttributeKey.stringKey("rpc.response.status_code");

    static final AttributeKey<String> VERSION = AttributeKey.stringKey("mcp.protocol.version");

    /** The id that the configuration gives to the server. */
    static final AttributeKey<String> SERVER_ID = AttributeKey.stringKey("patchbay.server.id");

    private static final AttributeKey<String> OPERATION =
            AttributeKey.stringKey("gen_ai.operation.name");
    private static final AttributeKey<String> RESOURCE = AttributeKey.stringKey("mcp.resource.uri");
    private static final AttributeKey<String> SESSION = AttributeKey.stringKey("mcp.session.id");
    private static final AttributeKey<String> REQUEST_ID =
            AttributeKey.stringKey("jsonrpc.request.id");
    private static final AttributeKey<String> TRANSPORT =
            AttributeKey.stringKey("network.transport");
    private static final AttributeKey<String> PROTOCOL =
            AttributeKey.stringKey("network.protocol.name");
    private static final AttributeKey<String> ADDRESS = AttributeKey.stringKey("server.address");
    private static final AttributeKey<Long> PORT = AttributeKey.longKey("server.port");

    private static final int NAME_CHARS_MAX = 200;

    private McpAttributes() {}

    /** The attributes that spans and metrics of a received request have. */
    static AttributesBuilder common(ReceivedRequest request) {
        return common(request.method(), request.params(), request.version(), request.isHttp());
    }

    /** The attributes that spans and metrics of a sent request have. */
    static AttributesBuilder common(SentRequest request) {
        URI url = url(request.server().transport());
        AttributesBuilder attributes =
                common(request.method(), request.params(), null, url != null);
        if (url != null && url.getHost() != null) {
            attributes.put(ADDRESS, url.getHost()).put(PORT, (long) port(url));
        }
        return attributes.put(SERVER_ID, request.server().id().value());
    }

    private static AttributesBuilder common(
            String method, Json params, @Nullable String version, boolean isHttp) {
        AttributesBuilder attributes =
                Attributes.builder().put(METHOD, method).put(TRANSPORT, isHttp ? "tcp" : "pipe");
        if (isHttp) {
            attributes.put(PROTOCOL, "http");
        }
        if (version != null) {
            attributes.put(VERSION, version);
        }
        String target = target(method, params);
        if (method.equals(McpMethod.TOOLS_CALL.wireName())) {
            attributes.put(OPERATION, "execute_tool");
        }
        if (target != null) {
            attributes.put(method.equals(McpMethod.TOOLS_CALL.wireName()) ? TOOL : PROMPT, target);
        }
        return attributes;
    }

    /** Adds what only the span of a received request has, because each value is different. */
    static AttributesBuilder addUnique(AttributesBuilder attributes, ReceivedRequest request) {
        if (request.sessionId() != null) {
            attributes.put(SESSION, request.sessionId());
        }
        Json id = request.id().json();
        attributes.put(REQUEST_ID, id.isString() ? id.text() : id.toString());
        return addResource(attributes, request.method(), request.params());
    }

    /** Adds the resource of a request, which only spans have. */
    static AttributesBuilder addResource(AttributesBuilder attributes, String method, Json params) {
        String uri = method.startsWith("resources/") ? params.memberText("uri") : null;
        return uri == null ? attributes : attributes.put(RESOURCE, shorten(uri));
    }

    /** The tool or prompt of a request; null if it has none. */
    static @Nullable String target(String method, Json params) {
        boolean named =
                method.equals(McpMethod.TOOLS_CALL.wireName())
                        || method.equals(McpMethod.PROMPTS_GET.wireName());
        String name = named ? params.memberText("name") : null;
        return name == null ? null : shorten(name);
    }

    static String shorten(String text) {
        return text.length() <= NAME_CHARS_MAX ? text : text.substring(0, NAME_CHARS_MAX) + "…";
    }

    private static @Nullable URI url(Transport transport) {
        return switch (transport) {
            case Transport.Http http -> http.url();
            case Transport.Sse sse -> sse.url();
            default -> null;
        };
    }

    private static int port(URI url) {
        if (url.getPort() >= 0) {
            return url.getPort();
        }
        return "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
    }
}
