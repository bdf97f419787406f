package dev.patchbay.dashboard;

import dev.patchbay.catalog.Tool;
import dev.patchbay.doctor.Diagnosis;
import dev.patchbay.gateway.CallObserver;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.gateway.ToolReport;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.Splice;
import dev.patchbay.server.LinkFacts;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;

/** What the page gets to see, as JSON. */
final class Views {
    private final Observatory observatory;
    private volatile @Nullable Redaction redaction;

    Views(Observatory observatory) {
        this.observatory = observatory;
    }

    private Redaction redaction() {
        Redaction known = redaction;
        if (known == null || known.isOld()) {
            known = Redaction.of(observatory.gateway());
            redaction = known;
        }
        return known;
    }

    /** Everything but the tools and the calls. */
    Json overview(int sessions) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("version", observatory.gateway().settings().identity().version())
                        .member("now", observatory.now().toString())
                        .member("since", observatory.beganAt().toString())
                        .member("stepMillis", History.STEP.toMillis())
                        .member("stepsMax", History.STEPS_MAX)
                        .member("sessions", sessions)
                        .name("clients")
                        .beginObject();
        observatory.clients().calls().forEach((name, calls) -> writer.member(name, calls));
        writer.endObject().name("servers").beginArray();
        for (ServerReport server : observatory.gateway().servers()) {
            writer.value(server(server, History.STEPS_MAX));
        }
        return writer.endArray().endObject().toJson();
    }

    /** A server; its history is left out if no steps are wanted. */
    Json server(ServerReport server, int steps) {
        ServerId id = server.spec().id();
        Redaction redaction = redaction();
        Meter meter = observatory.meter(id);
        Meter.Reading reading = meter.read();
        var more = new JsonWriter().beginObject();
        if (server.lastError() != null) {
            more.member("reason", server.lastError().reason().name())
                    .member("message", redaction.apply(server.lastError().message()));
        }
        LinkFacts link = server.state().link();
        if (link != null) {
            more.member("protocol", link.version().text())
                    .member("program", link.server().name() + " " + link.server().version());
        }
        Instant proof = lastProof(server, meter);
        if (proof != null) {
            more.member("lastProofAt", proof.toString());
        }
        more.member("description", server.spec().options().words().description())
                .member("calls", reading.calls())
                .member("errors", reading.errors())
                .member("restarts", meter.restarts())
                .member("inFlight", observatory.gateway().inFlight(id));
        Long mean = reading.meanMicros();
        if (mean != null) {
            more.member("meanMicros", mean);
        }
        if (steps > 0) {
            more.name("history");
            observatory.history().write(more, id.value(), steps);
        }
        Json report = server.toJson();
        if (server.lastError() != null) {
            String text = redaction.apply(String.valueOf(report.memberText("lastError")));
            report = Splice.with(report, "lastError", Json.string(text));
        }
        return joined(report, more.endObject().toJson());
    }

    private static Json joined(Json first, Json second) {
        var writer = new JsonWriter().beginObject();
        Stream.of(first, second)
                .flatMap(it -> it.members().stream())
                .forEach(member -> writer.member(member.name(), member.value()));
        return writer.endObject().toJson();
    }

    /** When a server was last seen to work: it connected, told its lists, or answered a call. */
    private @Nullable Instant lastProof(ServerReport server, Meter meter) {
        Long answered = meter.answeredNanos();
        return Stream.of(
                        server.state().lastConnectedAt(),
                        server.lastDiscoveredAt(),
                        answered == null ? null : observatory.at(answered))
                .filter(Objects::nonNull)
                .max(Instant::compareTo)
                .orElse(null);
    }

    Json diagnosis(Diagnosis found) {
        Redaction redaction = redaction();
        return new Diagnosis(
                        found.cause(),
                        found.severity(),
                        found.subject(),
                        redaction.apply(found.problem()),
                        found.evidence().stream().map(redaction::apply).toList(),
                        redaction.apply(found.nextStep()))
                .toJson();
    }

    Json tools() {
        var writer = new JsonWriter().beginArray();
        for (ToolReport report : observatory.gateway().tools()) {
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
    Json call(CallLog.Entry entry) {
        var writer = new JsonWriter().beginObject();
        write(writer, entry, redaction());
        return writer.endObject().toJson();
    }

    /** A call with what was sent and what came back. */
    Json detail(CallLog.Entry entry) {
        Redaction redaction = redaction();
        var writer = new JsonWriter().beginObject();
        write(writer, entry, redaction);
        write(writer.name("params"), entry.params(), redaction);
        if (entry.result() != null) {
            write(writer.name("result"), entry.result(), redaction);
        }
        return writer.endObject().toJson();
    }

    private void write(JsonWriter writer, CallLog.Entry entry, Redaction redaction) {
        CallObserver.Call call = entry.call();
        ServerId server = call.server();
        writer.member("number", entry.number())
                .member("at", observatory.at(call.beganNanos()).toString())
                .member("serverId", server == null ? "" : server.value())
                .member("method", call.method())
                .member("target", redaction.apply(call.target()))
                .member("client", call.client())
                .member("micros", (call.endedNanos() - call.beganNanos()) / 1_000)
                .member("outcome", entry.ending().text())
                .member("isError", entry.ending().isError())
                .member("requestBytes", entry.params().wholeBytes());
        if (entry.result() != null) {
            writer.member("responseBytes", entry.result().wholeBytes());
        }
        if (entry.error() != null) {
            writer.member("error", redaction.apply(entry.error()));
        }
    }

    private static void write(JsonWriter writer, Excerpt excerpt, Redaction redaction) {
        writer.beginObject()
                .member("text", redaction.apply(excerpt.text()))
                .member("bytes", excerpt.wholeBytes())
                .member("cut", excerpt.isCut())
                .endObject();
    }
}
