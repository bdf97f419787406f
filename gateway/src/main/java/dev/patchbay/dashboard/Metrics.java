package dev.patchbay.dashboard;

import dev.patchbay.gateway.ServerReport;
import dev.patchbay.http.WebPart;
import dev.patchbay.server.ServerState.Status;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.ToLongFunction;

/** {@code /metrics}: what monitoring wants to know, in the text format of Prometheus. */
final class Metrics implements WebPart {
    private final Observatory observatory;
    private final IntSupplier sessions;

    Metrics(Observatory observatory, IntSupplier sessions) {
        this.observatory = observatory;
        this.sessions = sessions;
    }

    @Override
    public Answer serve(Ask ask) {
        if (!ask.method().equals("GET")) {
            return Answer.text(405, "Only GET\n").with(Map.of("Allow", "GET"));
        }
        byte[] body = text().getBytes(StandardCharsets.UTF_8);
        return new Answer(200, "text/plain; version=0.0.4; charset=utf-8", body)
                .with(Map.of("Cache-Control", "no-store", "X-Content-Type-Options", "nosniff"));
    }

    String text() {
        var text = new MetricsText();
        gateway(text);
        calls(text);
        servers(text);
        clients(text);
        return text.toString();
    }

    private void gateway(MetricsText text) {
        String version = observatory.gateway().settings().identity().version();
        text.family("patchbay_build_info", "gauge", "The version that runs.")
                .sample("", Map.of("version", version), "1");
        text.family("process_start_time_seconds", "gauge", "When the gateway began, by Unix time.")
                .sample("", Map.of(), Long.toString(observatory.beganAt().getEpochSecond()));
    }

    private void calls(MetricsText text) {
        Map<String, Meter> meters = observatory.meters();
        text.family(
                "patchbay_calls_total",
                "counter",
                "Requests that ended, by server; without one if none could be told.");
        meters.forEach((id, meter) -> text.sample("", server(id), meter.read().calls()));
        text.family("patchbay_call_errors_total", "counter", "Requests that failed, by kind.");
        for (var entry : meters.entrySet()) {
            for (Ending ending : Ending.ALL) {
                long count = entry.getValue().count(ending);
                if (!ending.equals(Ending.OK) && count > 0) {
                    Map<String, String> labels =
                            Map.of("server", entry.getKey(), "kind", ending.text());
                    text.sample("", labels, count);
                }
            }
        }
        text.family(
                "patchbay_call_duration_seconds",
                "histogram",
                "How long requests took that were sent to a server.");
        meters.forEach((id, meter) -> histogram(text, id, meter));
    }

    private static void histogram(MetricsText text, String id, Meter meter) {
        long[] latencies = meter.latencies();
        long sum = 0;
        for (int i = 0; i < latencies.length; i++) {
            sum += latencies[i];
            String bound =
                    i < Meter.BOUNDS_MICROS.size()
                            ? MetricsText.seconds(Meter.BOUNDS_MICROS.get(i))
                            : "+Inf";
            text.sample("_bucket", Map.of("server", id, "le", bound), sum);
        }
        long micros = meter.read().timedNanos() / 1_000;
        text.sample("_sum", server(id), MetricsText.seconds(micros));
        text.sample("_count", server(id), sum);
    }

    private void servers(MetricsText text) {
        List<ServerReport> servers = observatory.gateway().servers();
        text.family("patchbay_server_state", "gauge", "1 for the state that a server is in.");
        for (ServerReport server : servers) {
            for (Status status : Status.values()) {
                var labels = Map.of("server", id(server), "state", status.text());
                text.sample("", labels, server.state().status() == status ? 1 : 0);
            }
        }
        each(
                text.family("patchbay_server_restarts_total", "counter", "Connections but one."),
                servers,
                it -> observatory.meter(it.spec().id()).restarts());
        each(
                text.family("patchbay_calls_in_flight", "gauge", "Requests that wait for answers."),
                servers,
                it -> observatory.gateway().inFlight(it.spec().id()));
        each(
                text.family("patchbay_server_tools", "gauge", "Tools that clients see."),
                servers,
                it -> it.counts().tools());
        each(
                text.family("patchbay_server_withheld", "gauge", "Things that clients do not see."),
                servers,
                it -> it.withheld().size());
    }

    private void clients(MetricsText text) {
        text.family("patchbay_client_sessions", "gauge", "Sessions of clients that are open.")
                .sample("", Map.of(), sessions.getAsInt());
        text.family("patchbay_client_calls_total", "counter", "Requests that ended, by client.");
        observatory
                .clients()
                .calls()
                .forEach((name, calls) -> text.sample("", Map.of("client", name), calls));
    }

    private static void each(
            MetricsText text, List<ServerReport> servers, ToLongFunction<ServerReport> value) {
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
