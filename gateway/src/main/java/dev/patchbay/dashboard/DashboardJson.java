package dev.patchbay.dashboard;

import dev.patchbay.catalog.Tool;
import dev.patchbay.doctor.Diagnosis;
import dev.patchbay.gateway.CallObserver;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.gateway.ToolReport;
import dev.patchbay.history.CurrentRedactor;
import dev.patchbay.history.JsonExcerpt;
import dev.patchbay.history.SecretRedactor;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.mcp.TraceContext.SpanIds;
import dev.patchbay.server.HandshakeResult;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Builds the JSON that the page shows. Secrets are masked. */
final class DashboardJson {
    private final CallStatistics statistics;
    private final CurrentRedactor currentRedactor;
    private volatile @Nullable String traceLink;

    /**
     * @param secrets the secrets that servers were given
     */
    DashboardJson(CallStatistics observatory, Supplier<Set<String>> secrets) {
        this.statistics = observatory;
        this.currentRedactor = new CurrentRedactor(observatory.gateway(), secrets);
    }

    /** Sets the URL of traces; null for none. */
    void linkTraces(@Nullable String template) {
        traceLink = template;
    }

    private SecretRedactor redactor() {
        return currentRedactor.get();
    }

    /** The gateway, its clients and its servers; without tools and calls. */
    Json overview(int sessions) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("version", statistics.gateway().settings().identity().version())
                        .member("now", statistics.now().toString())
                        .member("since", statistics.startedAt().toString())
                        .member("stepMillis", CallRateHistory.STEP.toMillis())
                        .member("stepsMax", CallRateHistory.STEPS_MAX)
                        .member("sessions", sessions)
                        .name("clients")
                        .beginObject();
        statistics.clients().calls().forEach((name, calls) -> writer.member(name, calls));
        writer.endObject().name("servers").beginArray();
        for (ServerReport server : statistics.gateway().servers()) {
            writer.value(server(server, CallRateHistory.STEPS_MAX));
        }
        return writer.endArray().endObject().toJson();
    }

    /** A server with its statistics, and with the last steps of its history. */
    Json server(ServerReport server, int steps) {
        SecretRedactor redactor = redactor();
        var more = new JsonWriter().beginObject();
        writeConnection(more, server, redactor);
        writeStatistics(more, server, steps);
        Json report = server.toJson();
        if (server.lastError() != null) {
            String text = redactor.redact(String.valueOf(report.memberText("lastError")));
            report = MemberPatch.with(report, "lastError", Json.string(text));
        }
        return merged(report, more.endObject().toJson());
    }

    private static void writeConnection(
            JsonWriter target, ServerReport server, SecretRedactor redactor) {
        if (server.lastError() != null) {
            target.member("reason", server.lastError().reason().name())
                    .member("message", redactor.redact(server.lastError().message()));
        }
        HandshakeResult handshake = server.state().handshake();
        if (handshake != null) {
            String program = handshake.serverInfo().name() + " " + handshake.serverInfo().version();
            target.member("protocol", handshake.version().text()).member("program", program);
        }
        target.member("description", server.spec().options().labels().description());
    }

    private void writeStatistics(JsonWriter target, ServerReport server, int steps) {
        ServerId id = server.spec().id();
        ServerMeter meter = statistics.meter(id);
        ServerMeter.Snapshot snapshot = meter.snapshot();
        Instant lastResponseAt = lastSeenWorkingAt(server, meter);
        if (lastResponseAt != null) {
            target.member("lastProofAt", lastResponseAt.toString());
        }
        target.member("calls", snapshot.calls())
                .member("errors", snapshot.errors())
                .member("restarts", meter.restarts())
                .member("inFlight", statistics.gateway().inFlight(id));
        Long mean = snapshot.meanMicros();
        if (mean != null) {
            target.member("meanMicros", mean);
        }
        if (steps > 0) {
            target.name("history");
            statistics.history().write(target, id.value(), steps);
        }
    }

    private static Json merged(Json first, Json second) {
        var writer = new JsonWriter().beginObject();
        Stream.of(first, second)
                .flatMap(it -> it.members().stream())
                .forEach(member -> writer.member(member.name(), member.value()));
        return writer.endObject().toJson();
    }

    /** When the server last connected, sent its lists or answered a call. */
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

    /** A call without its request and response. */
    Json callSummary(CallLog.Entry entry) {
        var writer = new JsonWriter().beginObject();
        write(writer, entry, redactor());
        return writer.endObject().toJson();
    }

    /** A call with its request and response. */
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
        SpanIds span = call.span();
        if (span != null) {
            writer.member("traceId", span.traceId());
            String template = traceLink;
            if (template != null) {
                writer.member("traceUrl", template.replace("{traceId}", span.traceId()));
            }
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
