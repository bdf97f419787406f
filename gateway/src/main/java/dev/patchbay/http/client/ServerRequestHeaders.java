package dev.patchbay.http.client;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.http.HeaderValueCodec;
import dev.patchbay.http.McpHeaders;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.mcp.HeaderParam;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The headers of requests to a server: the configured ones, and those that a message needs. */
final class ServerRequestHeaders {
    private static final String ACCEPT_BOTH = AcceptHeader.JSON + ", " + AcceptHeader.EVENTS;

    private final HttpChannel.Target target;
    private final Function<String, List<HeaderParam>> headerParams;

    /**
     * Headers for a server.
     *
     * @param target its configuration and credential
     * @param headerParams which arguments of a tool are also sent in headers
     */
    ServerRequestHeaders(
            HttpChannel.Target target, Function<String, List<HeaderParam>> headerParams) {
        this.target = target;
        this.headerParams = headerParams;
    }

    /** Headers of a request for a stream. */
    Map<String, String> forStream(Map<String, String> session) {
        Map<String, String> headers = forBodilessRequest(session);
        headers.put("Accept", AcceptHeader.EVENTS);
        return headers;
    }

    /** Headers of a request without a body. */
    Map<String, String> forBodilessRequest(Map<String, String> session) {
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(target.headers());
        String authorization = target.credential().authorization();
        if (authorization != null) {
            headers.put(AuthorizedSender.AUTHORIZATION, authorization);
        }
        // A compressed response could grow without a limit.
        headers.put("Accept-Encoding", "identity");
        headers.putAll(session);
        return headers;
    }

    /** Headers of a posted message. */
    Map<String, String> forMessage(Map<String, String> session, Message message) {
        Json claim =
                message instanceof Request request
                        ? McpHeaders.claimedVersion(request.params())
                        : null;
        Map<String, String> headers = forBodilessRequest(claim == null ? session : Map.of());
        headers.put("Accept", ACCEPT_BOTH);
        headers.put("Content-Type", AcceptHeader.JSON);
        if (message instanceof Request request && claim != null && claim.isString()) {
            headers.put(McpHeaders.PROTOCOL_VERSION, claim.text());
            headers.put(McpHeaders.METHOD, HeaderValueCodec.encode(request.method()));
            addNameAndParams(headers, request);
        }
        if (message instanceof Request request) {
            McpHeaders.addTraceContext(request.params(), headers);
        }
        return headers;
    }

    private void addNameAndParams(Map<String, String> headers, Request request) {
        String member = McpHeaders.nameMember(request.method());
        Json params = request.params();
        String name = member == null || params == null ? null : params.memberText(member);
        if (name == null || params == null) {
            return;
        }
        headers.put(McpHeaders.NAME, HeaderValueCodec.encode(name));
        Json arguments = params.member("arguments");
        if (request.method().equals("tools/call") && arguments != null) {
            for (HeaderParam param : headerParams.apply(name)) {
                String text = headerValue(param.valueIn(arguments));
                if (text != null) {
                    headers.put(McpHeaders.PARAM_PREFIX + param.name(), text);
                }
            }
        }
    }

    /** A value as a header; null if it cannot be one. */
    private static @Nullable String headerValue(@Nullable Json value) {
        if (value == null || value.isObject() || value.isArray()) {
            return null;
        }
        if (value.isNumber() && value.asLong(Long.MIN_VALUE) == Long.MIN_VALUE) {
            return plainNumber(value);
        }
        return HeaderValueCodec.encode(value);
    }

    /** An integer with a fraction or an exponent, written without. */
    private static String plainNumber(Json value) {
        BigDecimal number = new BigDecimal(value.toString());
        boolean tooWide = number.precision() > 20 || Math.abs(number.scale()) > 20;
        return tooWide ? value.toString() : number.stripTrailingZeros().toPlainString();
    }
}
