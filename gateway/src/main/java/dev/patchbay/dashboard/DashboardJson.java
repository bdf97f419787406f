package dev.patchbay.dashboard;

import dev.patchbay.catalog.Tool;
import dev.patchbay.doctor.Diagnosis;
import dev.patchbay.gateway.CallObserver;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.gateway.ToolReport;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.server.HandshakeResult;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;

/** What the page gets to see, as JSON. */
final class DashboardJson {
    private final CallStatistics statistics;
    private volatile @Nullable SecretRedactor redactor;

    DashboardJson(CallStatistics observatory) {
        this.statistics = observatory;
    }

    private SecretRedactor redactor() {
        SecretRedactor known = redactor;
        if (known == null || known.isExpired()) {
            known = SecretRedactor.of(statistics.gateway());
            redactor = known;
        }
        return known;
    }

    /** Everything but the tools and the calls. */
    Json overview(int sessions) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("version", statistics.gateway().settings().identity().version())
                        .member("now", statistics.now().toString())
                        .member("since", statistics.startedAt().toString())
                        .member("stepMillis", CallHistory.STEP.toMillis())
                        .member("stepsMax", CallHistory.STEPS_MAX)
                        .member("sessions", sessions)
                        .name("clients")
                        .beginObject();
        statistics.clients().calls().forEach((name, calls) -> writer.member(name, calls));
        writer.endObject().name("servers").beginArray();
        for (ServerReport server : statistics.gateway().servers()) {
            writer.value(server(server, CallHistory.STEPS_MAX));
        }
        return writer.endArray().endObject().toJson();
    }

    /** A server; its history is left out if no steps are wanted. */
    Json server(ServerReport server, int steps) {
        ServerId id = server.spec().id();
        SecretRedactor redaction = redactor();
        ServerMeter meter = statistics.meter(id);
        ServerMeter.Snapshot reading = meter.snapshot();
        var more = new JsonWriter().beginObject();
        if (server.lastError() != null) {
            more.member("reason", server.lastError().reason().name())
                    .member("message", redaction.redact(server.lastError().message()));
        }
        HandshakeResult link = server.state().handshake();
        if (link != null) {
            more.member("protocol", link.version().text())
                    .member(
                            "program",
                            link.serverInfo().name() + " " + link.serverInfo().version());
        }
        Instant proof = lastSeenWorkingAt(server, meter);
        if (proof != null) {
            more.member("lastProofAt", proof.toString());
        }
        more.member("description", server.spec().options().labels().description())
                .member("calls", reading.calls())
                .member("errors", reading.errors())
                .member("restarts", meter.restarts())
                .member("inFlight", statistics.gateway().inFlight(id));
        Long mean = reading.meanMicros();
        if (mean != null) {
            more.member("meanMicros", mean);
        }
        if (steps > 0) {
            more.name("history");
            statistics.history().write(more, id.value(), steps);
        }
        Json report = server.toJson();
        if (server.lastError() != null) {
            String text = redaction.redact(String.valueOf(report.memberText("lastError")));
            report = MemberPatch.with(report, "lastError", Json.string(text));
        }
        return merged(report, more.endObject().toJson());
    }

    private static Json merged(Json first, Json second) {
        var writer = new JsonWriter().beginObject();
        Stream.of(first, second)
                .flatMap(it -> it.members().stream())
                .forEach(member -> writer.member(member.name(), member.value()));
        return writer.endObject().toJson();
    }

    /** When a server was last seen to work: it connected, told its lists, or answered a call. */
    private @Nullable Instant lastSeenWorkingAt(ServerReport server, ServerMeter meter) {
        Long answered = meter.answeredNanos();
        return Stream.of(
                        server.state().lastConnectedAt(),
                        server.lastDiscoveredAt(),
                        answered == null ? null : statistics.toInstant(answered))
                .filter(Objects::nonNull)
                .max(Instant::compareTo)
                .orElse(null);
    }

    Json diagnosis(Diagnosis found) {
        SecretRedactor redaction = redactor();
        return new Diagnosis(
                        found.cause(),
                        found.severity(),
                        found.subject(),
                        redaction.redact(found.problem()),
                        found.evidence().stream().map(redaction::redact).toList(),
                        redaction.redact(found.nextStep()))
                .toJson();
    }

    Json tools() {
        var writer = new JsonWriter().beginArray();
        for (ToolReport report : statistics.gateway().tools()) {
            Tool tool = report.tool();
            writer.beginObject()
                    .member("fullName", tool.name().text())
                    .member("serverId", tool.name().server().value())
                    .member("toolName", tool.name().name())
                    .member("available", report.available())
                    .member("inputSchema", tool.inputSchema())
                    .member("definition", tool.definition())
                    .endObject();
        }
        return writer.endArray().toJson();
    }

    /** A call on one line. */
    Json callSummary(CallLog.Entry entry) {
        var writer = new JsonWriter().beginObject();
        write(writer, entry, redactor());
        return writer.endObject().toJson();
    }

    /** A call with what was sent and what came back. */
    Json callDetail(CallLog.Entry entry) {
        SecretRedactor redaction = redactor();
        var writer = new JsonWriter().beginObject();
        write(writer, entry, redaction);
        write(writer.name("params"), entry.params(), redaction);
        if (entry.result() != null) {
            write(writer.name("result"), entry.result(), redaction);
        }
        return writer.endObject().toJson();
    }

    private void write(JsonWriter writer, CallLog.Entry entry, SecretRedactor redaction) {
        CallObserver.EndedCall call = entry.call();
        ServerId server = call.server();
        writer.member("number", entry.number())
                .member("at", statistics.toInstant(call.startedNanos()).toString())
                .member("serverId", server == null ? "" : server.value())
                .member("method", call.method())
                .member("target", redaction.redact(call.target()))
                .member("client", call.client())
                .member("micros", (call.endedNanos() - call.startedNanos()) / 1_000)
                .member("outcome", entry.outcome().text())
                .member("isError", entry.outcome().isError())
                .member("requestBytes", entry.params().totalBytes());
        if (entry.result() != null) {
            writer.member("responseBytes", entry.result().totalBytes());
        }
        if (entry.error() != null) {
            writer.member("error", redaction.redact(entry.error()));
        }
    }

    private static void write(JsonWriter writer, JsonExcerpt excerpt, SecretRedactor redaction) {
        writer.beginObject()
                .member("text", redaction.redact(excerpt.text()))
                .member("bytes", excerpt.totalBytes())
                .member("cut", excerpt.isTruncated())
                .endObject();
    }
}
