package dev.patchbay.telemetry;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;

import java.util.Collection;

/** Exporters that report their failures to an {@link ExportHealth}. */
final class WatchedExporters {
    private WatchedExporters() {}

    record Spans(SpanExporter exporter, ExportHealth health) implements SpanExporter {
        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            return health.watch("traces", exporter.export(spans));
        }

        @Override
        public CompletableResultCode flush() {
            return exporter.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return exporter.shutdown();
        }
    }

    record Metrics(MetricExporter exporter, ExportHealth health) implements MetricExporter {
        @Override
        public CompletableResultCode export(Collection<MetricData> metrics) {
            return health.watch("metrics", exporter.export(metrics));
        }

        @Override
        public AggregationTemporality getAggregationTemporality(InstrumentType type) {
            return exporter.getAggregationTemporality(type);
        }

        @Override
        public Aggregation getDefaultAggregation(InstrumentType type) {
            return exporter.getDefaultAggregation(type);
        }

        @Override
        public CompletableResultCode flush() {
            return exporter.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return exporter.shutdown();
        }
    }

    record Logs(LogRecordExporter exporter, ExportHealth health) implements LogRecordExporter {
        @Override
        public CompletableResultCode export(Collection<LogRecordData> records) {
            return health.watch("logs", exporter.export(records));
        }

        @Override
        public CompletableResultCode flush() {
            return exporter.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return exporter.shutdown();
        }
    }
}
