package dev.patchbay.dashboard;

import dev.patchbay.gateway.ServerReport;
import dev.patchbay.history.OutcomeLabel;
import dev.patchbay.http.server.AccessScope;
import dev.patchbay.http.server.HttpRoute;
import dev.patchbay.server.ServerState.Status;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.ToLongFunction;

/** Serves {@code /metrics} in the text format of Prometheus, or of OpenMetrics if asked for it. */
final class MetricsEndpoint implements HttpRoute {
    private final CallStatistics statistics;
    private final IntSupplier sessionCount;

    MetricsEndpoint(CallStatistics observatory, IntSupplier sessions) {
        this.statistics = observatory;
        this.sessionCount = sessions;
    }

    @Override
    public AccessScope scope() {
        return AccessScope.METRICS;
    }

    @Override
    public Response serve(Request ask) {
        if (!ask.method().equals("GET")) {
            return Response.text(405, "Only GET\n").withHeaders(Map.of("Allow", "GET"));
        }
        MetricsFormat format = MetricsFormat.acceptedBy(ask.accept());
        byte[] body = text(format).getBytes(StandardCharsets.UTF_8);
        return new Response(200, format.contentType(), body)
                .withHeaders(
                        Map.of("Cache-Control", "no-store", "X-Content-Type-Options", "nosniff"));
    }

    String text(MetricsFormat format) {
        var text = new PrometheusWriter(format);
        writeGateway(text);
        writeCalls(text);
        writeServers(text);
        writeClients(text);
        return text.finish();
    }

    private void writeGateway(PrometheusWriter text) {
        String version = statistics.gateway().settings().identity().version();
        text.family("patchbay_build_info", "gauge", "The version of the gateway.")
                .sample("", Map.of("version", version), "1");
        text.family(
                        "process_start_time_seconds",
                        "gauge",
                        "Start time of the gateway in seconds since the epoch.")
                .sample("", Map.of(), Long.toString(statistics.startedAt().getEpochSecond()));
    }

    private void writeCalls(PrometheusWriter text) {
        Map<String, ServerMeter> meters = statistics.meters();
        text.family(
                "patchbay_calls_total",
                "counter",
                "Completed requests by server; the label is empty if no server was found.");
        meters.forEach((id, meter) -> text.sample("", server(id), meter.snapshot().calls()));
        text.family("patchbay_call_errors_total", "counter", "Failed requests by kind.");
        for (var entry : meters.entrySet()) {
            for (OutcomeLabel ending : OutcomeLabel.ALL) {
                long count = entry.getValue().count(ending);
                if (!ending.equals(OutcomeLabel.OK) && count > 0) {
                    Map<String, String> labels =
                            Map.of("server", entry.getKey(), "kind", ending.text());
                    text.sample("", labels, count);
                }
            }
        }
        text.family(
                "patchbay_call_duration_seconds",
                "histogram",
                "Duration of requests that were sent to a server.");
        meters.forEach((id, meter) -> writeHistogram(text, id, meter));
    }

    private void writeHistogram(PrometheusWriter text, String id, ServerMeter meter) {
        long[] latencies = meter.bucketCounts();
        long sum = 0;
        for (int i = 0; i < latencies.length; i++) {
            sum += latencies[i];
            String bound =
                    i < ServerMeter.BUCKET_BOUNDS_MICROS.size()
                            ? text.bound(ServerMeter.BUCKET_BOUNDS_MICROS.get(i))
                            : "+Inf";
            text.sample("_bucket", Map.of("server", id, "le", bound), sum);
            ServerMeter.Exemplar exemplar = meter.exemplar(i);
            if (exemplar != null) {
                text.exemplar(exemplar, statistics.toInstant(exemplar.endedNanos()));
            }
        }
        long micros = meter.snapshot().timedNanos() / 1_000;
        text.sample("_sum", server(id), PrometheusWriter.seconds(micros));
        text.sample("_count", server(id), sum);
    }

    private void writeServers(PrometheusWriter text) {
        List<ServerReport> servers = statistics.gateway().servers();
        text.family("patchbay_server_state", "gauge", "1 for the current state of the server.");
        for (ServerReport server : servers) {
            for (Status status : Status.values()) {
                var labels = Map.of("server", id(server), "state", status.text());
                text.sample("", labels, server.state().status() == status ? 1 : 0);
            }
        }
        writeEach(
                text.family(
                        "patchbay_server_restarts_total",
                        "counter",
                        "Connections after the first one."),
                servers,
                it -> statistics.meter(it.spec().id()).restarts());
        writeEach(
                text.family(
                        "patchbay_calls_in_flight", "gauge", "Requests that wait for a response."),
                servers,
                it -> statistics.gateway().inFlight(it.spec().id()));
        writeEach(
                text.family("patchbay_server_tools", "gauge", "Tools offered to clients."),
                servers,
                it -> it.counts().tools());
        writeEach(
                text.family("patchbay_server_withheld", "gauge", "Entries withheld from clients."),
                servers,
                it -> it.withheld().size());
    }

    private void writeClients(PrometheusWriter text) {
        text.family("patchbay_client_sessions", "gauge", "Open client sessions.")
                .sample("", Map.of(), sessionCount.getAsInt());
        text.family("patchbay_client_calls_total", "counter", "Completed requests by client.");
        statistics
                .clients()
                .calls()
                .forEach((name, calls) -> text.sample("", Map.of("client", name), calls));
    }

    private static void writeEach(
            PrometheusWriter text, List<ServerReport> servers, ToLongFunction<ServerReport> value) {
        for (ServerReport server : servers) {
            text.sample("", server(id(server)), value.applyAsLong(server));
        }
    }

    private static String id(ServerReport server) {
        return server.spec().id().value();
    }

    private static Map<String, String> server(String id) {
        return Map.of("server", id);
    }
}
