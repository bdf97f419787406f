package dev.patchbay.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.RequestId;

import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;

/** The trace context in headers and in {@code _meta}. */
class McpHeadersTest {
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String OTHER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private static Request request(String params) {
        return new Request(RequestId.of(1), "tools/call", Json.of(params));
    }

    @Test
    void contextOfTheHeadersGoesIntoTheParams() {
        var headers = Map.of("traceparent", PARENT, "tracestate", "a=1", "baggage", "k=v");
        Request request = McpHeaders.withTraceContext(request("{}"), headers::get);
        assertThat(request.params())
                .hasToString(
                        ("{\"_meta\":{\"traceparent\":\"%s\",\"tracestate\":\"a=1\","
                                        + "\"baggage\":\"k=v\"}}")
                                .formatted(PARENT));
        var out = new HashMap<String, String>();
        McpHeaders.addTraceContext(request.params(), out);
        assertThat(out).isEqualTo(headers);
    }

    @Test
    void contextOfTheParamsWins() {
        Request named = request("{\"_meta\":{\"traceparent\":\"" + OTHER + "\"}}");
        assertThat(McpHeaders.withTraceContext(named, Map.of("traceparent", PARENT)::get))
                .isSameAs(named);
    }

    @Test
    void requestWithoutContextIsNotChanged() {
        Request plain = request("{}");
        assertThat(McpHeaders.withTraceContext(plain, _ -> null)).isSameAs(plain);
        assertThat(McpHeaders.withTraceContext(plain, Map.of("traceparent", "00-1-2-01")::get))
                .isSameAs(plain);
        var out = new HashMap<String, String>();
        McpHeaders.addTraceContext(plain.params(), out);
        assertThat(out).isEmpty();
    }
}
