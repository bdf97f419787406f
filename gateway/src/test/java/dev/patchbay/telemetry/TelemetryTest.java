package dev.patchbay.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewaySettings;
import dev.patchbay.gateway.RequestTracer;
import dev.patchbay.gateway.RequestTracer.Ending;
import dev.patchbay.gateway.RequestTracer.ReceivedRequest;
import dev.patchbay.gateway.RequestTracer.SentRequest;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.TraceContext;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.testkit.FreePort;
import dev.patchbay.testkit.OtlpReceiver;

import io.opentelemetry.sdk.common.CompletableResultCode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a receiver of OTLP gets, and what happens without one. */
class TelemetryTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";
    private static final Json CALL =
            Json.of("{\"name\":\"web.read\",\"_meta\":{\"traceparent\":\"" + PARENT + "\"}}");

    private final Gateway gateway =
            Gateway.open(
                    GatewaySettings.DEFAULTS,
                    _ -> {
                        throw new IOException("Nothing is started here");
                    },
                    InstantSource.system());

    @AfterEach
    void close() {
        gateway.close();
    }

    private RequestTracer tracer() {
        RequestTracer tracer = gateway.wholeView().tracer();
        assertThat(tracer).isNotNull();
        return tracer;
    }

    private static ReceivedRequest received(String method, Json params) {
        return new ReceivedRequest(
                method, params, RequestId.of(7), "2025-11-25", true, "session-1");
    }

    private static SentRequest sent(Json params) {
        var transport = new Transport.Http(URI.create("https://web.example/mcp"), Map.of());
        var server = new ServerSpec(new ServerId("web"), transport, Options.DEFAULTS);
        return new SentRequest("tools/call", params, server);
    }

    /** Exports a request of a client, and the request to a server that it causes. */
    private List<OtlpReceiver.Span> exportTwoRequests(OtlpReceiver receiver) {
        try (Telemetry _ = Telemetry.start(gateway, receiver.url(), Map.of())) {
            RequestTracer.TracedRequest outer =
                    tracer().beginReceived(received("tools/call", CALL));
            RequestTracer.TracedRequest inner = tracer().beginSent(sent(outer.addTo(CALL)));
            assertThat(TraceContext.in(inner.addTo(CALL))).isNotNull();
            assertThat(inner.ids()).isNotNull();
            inner.setVersion(ProtocolVersion.V2026_07_28);
            inner.end(Ending.of(Json.of("{\"isError\":true}")));
            outer.end(Ending.of(RpcError.of(-32602, "Invalid params")));
            outer.end(Ending.SUCCEEDED);
        }
        List<OtlpReceiver.Span> spans = receiver.spans(TRACE);
        assertThat(spans).hasSize(2);
        return spans;
    }

    @Test
    void requestsAreSpansOfOneTrace() throws IOException {
        try (OtlpReceiver receiver = OtlpReceiver.start()) {
            List<OtlpReceiver.Span> spans = exportTwoRequests(receiver);
            OtlpReceiver.Span inner = spans.get(0);
            OtlpReceiver.Span outer = spans.get(1);
            assertThat(outer.parentId()).isEqualTo("b7ad6b7169203331");
            assertThat(inner.parentId()).isEqualTo(outer.spanId());
            assertThat(outer.name()).isEqualTo("tools/call web.read");
            assertThat(List.of(outer.kind(), inner.kind())).containsExactly(2L, 3L);
            assertThat(List.of(outer.status(), inner.status())).containsExactly(2L, 2L);
            assertThat(receiver.metrics())
                    .contains(
                            "mcp.server.operation.duration",
                            "mcp.client.operation.duration",
                            "patchbay.servers");
            assertThat(receiver.resources())
                    .allSatisfy(
                            it ->
                                    assertThat(it)
                                            .containsEntry("service.name", "patchbay")
                                            .containsEntry("service.version", "0.1.0"));
        }
    }

    @Test
    void attributesFollowTheConventions() throws IOException {
        try (OtlpReceiver receiver = OtlpReceiver.start()) {
            List<OtlpReceiver.Span> spans = exportTwoRequests(receiver);
            assertThat(spans.get(1).attributes())
                    .containsOnly(
                            entry("mcp.method.name", "tools/call"),
                            entry("gen_ai.tool.name", "web.read"),
                            entry("gen_ai.operation.name", "execute_tool"),
                            entry("mcp.protocol.version", "2025-11-25"),
                            entry("mcp.session.id", "session-1"),
                            entry("jsonrpc.request.id", "7"),
                            entry("network.transport", "tcp"),
                            entry("network.protocol.name", "http"),
                            entry("error.type", "-32602"),
                            entry("rpc.response.status_code", "-32602"));
            assertThat(spans.get(0).attributes())
                    .contains(
                            entry("server.address", "web.example"),
                            entry("server.port", "443"),
                            entry("patchbay.server.id", "web"),
                            entry("mcp.protocol.version", "2026-07-28"),
                            entry("error.type", "tool_error"));
        }
    }

    @Test
    void resourceIsAnAttributeAndNotInTheName() throws IOException {
        Json read =
                Json.of("{\"uri\":\"file:///a\",\"_meta\":{\"traceparent\":\"" + PARENT + "\"}}");
        try (OtlpReceiver receiver = OtlpReceiver.start()) {
            try (Telemetry _ = Telemetry.start(gateway, receiver.url(), Map.of())) {
                tracer().beginReceived(received("resources/read", read)).end(Ending.SUCCEEDED);
            }
            OtlpReceiver.Span span = receiver.spans(TRACE).getFirst();
            assertThat(span.name()).isEqualTo("resources/read");
            assertThat(span.status()).isZero();
            assertThat(span.attributes()).containsEntry("mcp.resource.uri", "file:///a");
        }
    }

    @Test
    void logRecordsAreExported() throws IOException {
        try (OtlpReceiver receiver = OtlpReceiver.start()) {
            try (Telemetry _ = Telemetry.start(gateway, receiver.url(), Map.of())) {
                System.getLogger("dev.patchbay.gateway.Example")
                        .log(System.Logger.Level.WARNING, "Server {0} failed", "a\nb");
            }
            assertThat(receiver.logs()).containsExactly("Server a\\nb failed");
        }
    }

    /** The receiver is reported as absent once, however often something is sent. */
    @Test
    void absentReceiverIsReportedOnce() throws IOException {
        var logged = new CopyOnWriteArrayList<String>();
        var health = new ExportHealth("http://receiver.example");
        Handler handler = handler(logged);
        Logger logger = Logger.getLogger(ExportHealth.class.getName());
        logger.addHandler(handler);
        try {
            for (int i = 0; i < 3; i++) {
                var refused = new IOException("refused");
                health.watch("traces", CompletableResultCode.ofExceptionalFailure(refused));
                health.watch("metrics", CompletableResultCode.ofFailure());
            }
            health.watch("metrics", CompletableResultCode.ofSuccess());
            health.watch("traces", CompletableResultCode.ofSuccess());
            health.watch("traces", CompletableResultCode.ofFailure());
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(logged).hasSize(3);
        assertThat(logged.getFirst()).contains("cannot be delivered");
        assertThat(logged.get(1)).contains("again");
    }

    /** Requests go on without a receiver; what does not fit into the queue is dropped. */
    @Test
    void requestsDoNotWaitForTheReceiver() throws IOException {
        String nowhere = "http://127.0.0.1:" + FreePort.find();
        try (Telemetry _ = Telemetry.start(gateway, nowhere, Map.of())) {
            for (int i = 0; i < 10_000; i++) {
                tracer().beginReceived(received("tools/call", CALL)).end(Ending.SUCCEEDED);
            }
        }
    }

    @Test
    void variablesAreStandard() throws IOException {
        try (OtlpReceiver receiver = OtlpReceiver.start()) {
            var variables =
                    Map.of(
                            "OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url(),
                            "OTEL_SERVICE_NAME", "team-gateway",
                            "OTEL_METRICS_EXPORTER", "none",
                            "OTEL_TRACES_SAMPLER", "always_off");
            try (Telemetry _ = Telemetry.start(gateway, null, variables)) {
                RequestTracer.TracedRequest request =
                        tracer().beginReceived(received("tools/call", CALL));
                assertThat(request.ids()).isNull();
                request.end(Ending.SUCCEEDED);
                System.getLogger("dev.patchbay.gateway.Example")
                        .log(System.Logger.Level.WARNING, "one");
            }
            assertThat(receiver.spans(TRACE)).isEmpty();
            assertThat(receiver.metrics()).isEmpty();
            assertThat(receiver.logs()).containsExactly("one");
            assertThat(receiver.resources())
                    .allSatisfy(it -> assertThat(it).containsEntry("service.name", "team-gateway"));
        }
    }

    @Test
    void otherProtocolsAreRefused() {
        var variables =
                Map.of(
                        "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4317",
                        "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc");
        assertThatThrownBy(() -> Telemetry.start(gateway, null, variables))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("http/protobuf");
    }

    private static Handler handler(List<String> target) {
        return new Handler() {
            @Override
            public void publish(LogRecord logged) {
                target.add(logged.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }
}
