package dev.patchbay.telemetry;

import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.server.ServerState.Status;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The export of a gateway's traces, metrics and logs over OTLP while it is open. The environment
 * variables {@code OTEL_…} configure it. Requests never wait for the export: what the receiver does
 * not take in time is dropped.
 */
public final class Telemetry implements AutoCloseable {
    private static final List<String> SIGNALS = List.of("traces", "metrics", "logs");
    private static final String OTLP = "otel.exporter.otlp.";
    private static final String HTTP = "http/protobuf";
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);

    /** Failures of the export are reported by {@link ExportHealth}. Kept: loggers are weak. */
    private static final Logger LIBRARY_LOGGER = Logger.getLogger("io.opentelemetry");

    private final OpenTelemetrySdk sdk;
    private final Runnable stopLogs;

    private Telemetry(OpenTelemetrySdk sdk, Runnable stopLogs) {
        this.sdk = sdk;
        this.stopLogs = stopLogs;
    }

    /**
     * Starts to export.
     *
     * @param endpoint where all three signals go; null for what the variables say
     * @param variables the environment variables
     * @throws IllegalArgumentException if the variables ask for something that is not possible
     */
    public static Telemetry start(
            Gateway gateway, @Nullable String endpoint, Map<String, String> variables) {
        LIBRARY_LOGGER.setLevel(Level.OFF);
        Implementation identity = gateway.settings().identity();
        Map<String, String> properties = properties(endpoint, variables);
        OpenTelemetrySdk sdk =
                configured(identity, endpoint == null ? "the receiver" : endpoint, properties);
        gateway.trace(new SpanTracer(sdk));
        var _ =
                sdk.getMeter("dev.patchbay")
                        .gaugeBuilder("patchbay.servers")
                        .ofLongs()
                        .setUnit("{server}")
                        .setDescription("Servers by state.")
                        .buildWithCallback(to -> countServers(gateway, to));
        return new Telemetry(sdk, LogExport.start(sdk.getLogsBridge()));
    }

    private static OpenTelemetrySdk configured(
            Implementation identity, String receiver, Map<String, String> properties) {
        var health = new ExportHealth(receiver);
        return AutoConfiguredOpenTelemetrySdk.builder()
                .disableShutdownHook()
                .addPropertiesSupplier(
                        () ->
                                Map.of(
                                        OTLP + "protocol",
                                        HTTP,
                                        OTLP + "endpoint",
                                        "http://127.0.0.1:4318",
                                        "otel.service.name",
                                        identity.name()))
                .addPropertiesCustomizer(_ -> properties)
                .addResourceCustomizer((resource, _) -> withVersion(resource, identity))
                .addSpanExporterCustomizer(
                        (exporter, _) -> new WatchedExporters.Spans(exporter, health))
                .addMetricExporterCustomizer(
                        (exporter, _) -> new WatchedExporters.Metrics(exporter, health))
                .addLogRecordExporterCustomizer(
                        (exporter, _) -> new WatchedExporters.Logs(exporter, health))
                .build()
                .getOpenTelemetrySdk();
    }

    /** The variables as properties. The configured endpoint replaces theirs. */
    private static Map<String, String> properties(
            @Nullable String endpoint, Map<String, String> variables) {
        var properties = new HashMap<String, String>();
        variables.forEach(
                (name, value) -> {
                    if (name.startsWith("OTEL_")) {
                        properties.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), value);
                    }
                });
        String common = properties.getOrDefault(OTLP + "protocol", HTTP);
        for (String signal : SIGNALS) {
            if (endpoint != null) {
                String base = endpoint.endsWith("/") ? endpoint : endpoint + "/";
                properties.put(OTLP + signal + ".endpoint", base + "v1/" + signal);
                properties.put(OTLP + signal + ".protocol", HTTP);
            } else if (!properties.getOrDefault(OTLP + signal + ".protocol", common).equals(HTTP)) {
                throw new IllegalArgumentException(
                        "only OTLP over HTTP is supported. Set"
                            + " OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf and the endpoint of the"
                            + " receiver for HTTP, which usually has port 4318");
            }
        }
        return properties;
    }

    private static Resource withVersion(Resource resource, Implementation identity) {
        Attributes own =
                Attributes.of(AttributeKey.stringKey("service.version"), identity.version());
        return Resource.create(own).merge(resource);
    }

    private static void countServers(Gateway gateway, ObservableLongMeasurement measurement) {
        var counts = new EnumMap<Status, Long>(Status.class);
        for (ServerReport server : gateway.servers()) {
            counts.merge(server.state().status(), 1L, Long::sum);
        }
        for (Status status : Status.values()) {
            measurement.record(
                    counts.getOrDefault(status, 0L),
                    Attributes.of(AttributeKey.stringKey("patchbay.server.state"), status.text()));
        }
    }

    /** Sends what is left and ends. Waits for a moment only. */
    @Override
    public void close() {
        stopLogs.run();
        // The shutdown of the library waits for a receiver that does not answer.
        Thread closing = Thread.ofVirtual().name("telemetry-close").start(sdk::close);
        try {
            var _ = closing.join(CLOSE_PATIENCE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
