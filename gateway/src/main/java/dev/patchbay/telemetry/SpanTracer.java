package dev.patchbay.telemetry;

import dev.patchbay.gateway.RequestTracer;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.TraceContext;
import dev.patchbay.mcp.TraceContext.SpanIds;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Records requests as spans and their durations as histograms. */
final class SpanTracer implements RequestTracer {
    private static final List<Double> DURATION_BOUNDS_SECONDS =
            List.of(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0);

    private static final String SCOPE = "dev.patchbay";

    private final Tracer tracer;
    private final DoubleHistogram receivedDuration;
    private final DoubleHistogram sentDuration;

    SpanTracer(OpenTelemetry telemetry) {
        tracer = telemetry.getTracer(SCOPE);
        Meter meter = telemetry.getMeter(SCOPE);
        receivedDuration =
                histogram(
                        meter,
                        "mcp.server.operation.duration",
                        "Duration of requests of clients to the gateway.");
        sentDuration =
                histogram(
                        meter,
                        "mcp.client.operation.duration",
                        "Duration of requests of the gateway to servers.");
    }

    private static DoubleHistogram histogram(Meter meter, String name, String description) {
        return meter.histogramBuilder(name)
                .setUnit("s")
                .setDescription(description)
                .setExplicitBucketBoundariesAdvice(DURATION_BOUNDS_SECONDS)
                .build();
    }

    @Override
    public RequestTracer.TracedRequest beginReceived(ReceivedRequest request) {
        Attributes common = McpAttributes.common(request).build();
        SpanBuilder builder = builder(request.method(), request.params(), SpanKind.SERVER);
        TraceContext cause = parent(builder, request.params());
        builder.setAllAttributes(McpAttributes.addUnique(common.toBuilder(), request).build());
        return new RequestSpan(builder.startSpan(), cause, common, receivedDuration);
    }

    @Override
    public RequestTracer.TracedRequest beginSent(SentRequest request) {
        Attributes common = McpAttributes.common(request).build();
        SpanBuilder builder = builder(request.method(), request.params(), SpanKind.CLIENT);
        TraceContext cause = parent(builder, request.params());
        builder.setAllAttributes(
                McpAttributes.addResource(common.toBuilder(), request.method(), request.params())
                        .build());
        return new RequestSpan(builder.startSpan(), cause, common, sentDuration);
    }

    private SpanBuilder builder(String method, Json params, SpanKind kind) {
        String target = McpAttributes.target(method, params);
        String name = McpAttributes.shorten(method);
        return tracer.spanBuilder(target == null ? name : name + " " + target).setSpanKind(kind);
    }

    /** Sets the span that caused the request as the parent. Returns the context of the request. */
    private static @Nullable TraceContext parent(SpanBuilder builder, Json params) {
        TraceContext cause = TraceContext.in(params);
        if (cause == null || cause.traceparent() == null) {
            builder.setNoParent();
        } else {
            builder.setParent(
                    W3CTraceContextPropagator.getInstance()
                            .extract(Context.root(), cause, ContextGetter.INSTANCE));
        }
        return cause;
    }

    /** Reads the values of a trace context. */
    private enum ContextGetter implements TextMapGetter<TraceContext> {
        INSTANCE;

        @Override
        public Iterable<String> keys(TraceContext carrier) {
            return List.of(TraceContext.TRACEPARENT, TraceContext.TRACESTATE);
        }

        @Override
        public @Nullable String get(@Nullable TraceContext carrier, String key) {
            if (carrier == null) {
                return null;
            }
            return switch (key) {
                case TraceContext.TRACEPARENT -> carrier.traceparent();
                case TraceContext.TRACESTATE -> carrier.tracestate();
                default -> null;
            };
        }
    }

    /** A request in progress. */
    private static final class RequestSpan implements RequestTracer.TracedRequest {
        private static final int MESSAGE_CHARS_MAX = 300;

        private final Span span;
        private final TraceContext context;
        private Attributes common;
        private final DoubleHistogram duration;
        private final long startedNanos = System.nanoTime();
        private final AtomicBoolean hasEnded = new AtomicBoolean();

        RequestSpan(
                Span span,
                @Nullable TraceContext cause,
                Attributes common,
                DoubleHistogram duration) {
            this.span = span;
            this.common = common;
            this.duration = duration;
            SpanContext own = span.getSpanContext();
            this.context =
                    new TraceContext(
                            "00-"
                                    + own.getTraceId()
                                    + "-"
                                    + own.getSpanId()
                                    + "-"
                                    + own.getTraceFlags().asHex(),
                            cause == null ? null : cause.tracestate(),
                            cause == null ? null : cause.baggage());
        }

        @Override
        public Json addTo(Json params) {
            return context.addTo(params);
        }

        @Override
        public @Nullable SpanIds ids() {
            return context.recordedSpan();
        }

        @Override
        public void setVersion(ProtocolVersion version) {
            span.setAttribute(McpAttributes.VERSION, version.text());
            common = common.toBuilder().put(McpAttributes.VERSION, version.text()).build();
        }

        @Override
        public void end(Ending ending) {
            if (!hasEnded.compareAndSet(false, true)) {
                return;
            }
            String error = ending.errorType();
            if (error != null) {
                span.setAttribute(McpAttributes.ERROR_TYPE, error);
                if (!ending.equals(Ending.CANCELLED)) {
                    span.setStatus(StatusCode.ERROR, shortened(ending.message()));
                }
                if (ending.code() != null) {
                    span.setAttribute(McpAttributes.STATUS_CODE, ending.code().toString());
                }
            }
            double seconds = (System.nanoTime() - startedNanos) / 1e9;
            duration.record(seconds, measured(ending), Context.root().with(span));
            span.end();
        }

        private static String shortened(String message) {
            return message.length() <= MESSAGE_CHARS_MAX
                    ? message
                    : message.substring(0, MESSAGE_CHARS_MAX) + "…";
        }

        /**
         * The attributes of the measurement. A request that failed before a tool or prompt ran does
         * not name it: the name may be anything that a client has thought up.
         */
        private Attributes measured(Ending ending) {
            String error = ending.errorType();
            if (error == null) {
                return common;
            }
            AttributesBuilder attributes = common.toBuilder().put(McpAttributes.ERROR_TYPE, error);
            if (ending.code() != null) {
                attributes.put(McpAttributes.STATUS_CODE, ending.code().toString());
            }
            if (!error.equals(Ending.TOOL_ERROR)) {
                attributes.remove(McpAttributes.TOOL).remove(McpAttributes.PROMPT);
            }
            return attributes.build();
        }
    }
}
