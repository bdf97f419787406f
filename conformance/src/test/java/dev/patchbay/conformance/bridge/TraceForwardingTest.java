package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.OtlpReceiver;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** One trace leads from the client over the gateway to the server, as a receiver sees it. */
class TraceForwardingTest {
    private static final String PARENT = "b7ad6b7169203331";
    private static final List<String> SERVERS = List.of("legacy", "modern");

    @TempDir private Path folder;
    private int traceCount;

    private BridgeFixture fixture(OtlpReceiver receiver, boolean httpServers) {
        var fixture =
                new BridgeFixture(folder)
                        .withSettings("\"telemetry\":{\"otlp\":\"" + receiver.url() + "\"}")
                        .withVariable("OTEL_BSP_SCHEDULE_DELAY", "50")
                        .withVariable("OTEL_METRIC_EXPORT_INTERVAL", "200")
                        .withVariable("OTEL_SERVICE_NAME", "team-gateway");
        for (String era : SERVERS) {
            fixture.withServer(era, era, httpServers, UnaryOperator.identity());
        }
        return fixture;
    }

    private String newTraceId() {
        traceCount++;
        return "0af7651916cd43dd8448eb211c8031%02d".formatted(traceCount);
    }

    private static String traceparent(String traceId) {
        return "00-" + traceId + "-" + PARENT + "-01";
    }

    @Test
    void traceLeadsFromStdioClientToHttpServer() throws Exception {
        try (OtlpReceiver receiver = OtlpReceiver.start();
                BridgeFixture fixture = fixture(receiver, true)) {
            for (boolean modern : new boolean[] {false, true}) {
                EraClient client = fixture.connectClient(modern, false);
                for (String server : SERVERS) {
                    String trace = newTraceId();
                    call(client, server, ",\"_meta\":{\"traceparent\":\"%s\"}", trace);
                    checkTrace(receiver, fixture, server, trace);
                }
            }
        }
    }

    @Test
    void traceLeadsFromHttpClientToStdioServer() throws Exception {
        try (OtlpReceiver receiver = OtlpReceiver.start();
                BridgeFixture fixture = fixture(receiver, false)) {
            for (boolean modern : new boolean[] {false, true}) {
                EraClient client = fixture.connectClient(modern, true);
                for (String server : SERVERS) {
                    String trace = newTraceId();
                    assertThat(client.transport()).isInstanceOf(HttpTestTransport.class);
                    ((HttpTestTransport) client.transport())
                            .setHeader("traceparent: " + traceparent(trace));
                    call(client, server, "", trace);
                    checkTrace(receiver, fixture, server, trace);
                }
            }
            assertThat(
                            EraClient.await(
                                    () ->
                                            receiver.metrics()
                                                    .containsAll(
                                                            List.of(
                                                                    "mcp.server.operation.duration",
                                                                    "mcp.client.operation.duration",
                                                                    "patchbay.servers"))))
                    .as("%s", receiver.metrics())
                    .isTrue();
            assertThat(receiver.resources())
                    .allSatisfy(it -> assertThat(it).containsEntry("service.name", "team-gateway"));
        }
    }

    private static void call(EraClient client, String server, String meta, String trace) {
        String params =
                "{\"name\":%s,\"arguments\":{}%s}"
                        .formatted(
                                StrictJson.quote(server + ".echo"),
                                meta.formatted(traceparent(trace)));
        assertThat(client.request("tools/call", params).has("result")).isTrue();
    }

    /** The client's span is the parent of the gateway's, and that of the one the server gets. */
    private static void checkTrace(
            OtlpReceiver receiver, BridgeFixture fixture, String server, String trace) {
        assertThat(EraClient.await(() -> receiver.spans(trace).size() == 2))
                .as("%s", receiver.spans(trace))
                .isTrue();
        OtlpReceiver.Span received = span(receiver, trace, 2);
        OtlpReceiver.Span sent = span(receiver, trace, 3);
        assertThat(received.parentId()).isEqualTo(PARENT);
        assertThat(sent.parentId()).isEqualTo(received.spanId());
        assertThat(received.name()).isEqualTo("tools/call " + server + ".echo");
        assertThat(sent.name()).isEqualTo("tools/call echo");
        assertThat(sent.attributes())
                .containsAllEntriesOf(
                        Map.of(
                                "mcp.method.name", "tools/call",
                                "gen_ai.tool.name", "echo",
                                "gen_ai.operation.name", "execute_tool",
                                "mcp.protocol.version",
                                        server.equals("modern")
                                                ? ClientMessages.MODERN
                                                : "2025-11-25",
                                "patchbay.server.id", server));
        assertThat(
                        fixture.record(server)
                                .received("tools/call")
                                .getLast()
                                .at("params", "_meta", "traceparent")
                                .asText())
                .isEqualTo("00-" + trace + "-" + sent.spanId() + "-01");
    }

    private static OtlpReceiver.Span span(OtlpReceiver receiver, String trace, long kind) {
        return receiver.spans(trace).stream()
                .filter(it -> it.kind() == kind)
                .findFirst()
                .orElseThrow();
    }
}
