package dev.patchbay.doctor;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import java.util.List;

/**
 * One thing that the doctor found.
 *
 * @param severity how bad it is here: for somebody who asks for a tool, a note can be what keeps
 *     the tool from working
 * @param subject what it is about
 * @param problem what happened, in a sentence
 * @param evidence what shows it, a line each; no secrets, no control characters
 * @param nextStep what to do, as an instruction
 */
public record Diagnosis(
        Cause cause,
        DiagnosisSeverity severity,
        Subject subject,
        String problem,
        List<String> evidence,
        String nextStep) {

    /**
     * What a diagnosis is about.
     *
     * @param server the server's id; empty for the configuration or a host
     * @param entry the tool's own name, or that of another entry; empty for the whole server
     */
    public record Subject(String server, String entry) {
        /** The configuration as a whole. */
        public static final Subject ALL = new Subject("", "");

        public static Subject server(String id) {
            return new Subject(id, "");
        }

        @Override
        public String toString() {
            return entry.isEmpty() ? server : server.isEmpty() ? entry : server + "." + entry;
        }
    }

    static Diagnosis of(
            Cause cause, Subject subject, String problem, List<String> evidence, String nextStep) {
        List<String> lines = evidence.stream().filter(line -> !line.isBlank()).toList();
        return new Diagnosis(cause, cause.severity(), subject, problem, lines, nextStep);
    }

    public Diagnosis withSeverity(DiagnosisSeverity other) {
        return new Diagnosis(cause, other, subject, problem, evidence, nextStep);
    }

    /** The form in which {@code patchbay doctor --json} prints it. */
    public Json toJson() {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("reason", cause.name())
                        .member("severity", severity.label());
        if (!subject.server().isEmpty()) {
            writer.member("serverId", subject.server());
        }
        if (!subject.entry().isEmpty()) {
            writer.member("name", subject.entry());
        }
        writer.member("problem", problem).name("evidence").beginArray();
        evidence.forEach(writer::string);
        return writer.endArray().member("nextStep", nextStep).endObject().toJson();
    }
}
