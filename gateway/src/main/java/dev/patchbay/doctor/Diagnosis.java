package dev.patchbay.doctor;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import java.util.List;

/**
 * One finding of the doctor.
 *
 * @param severity the severity in this context: for a single tool, a note can be an error
 * @param subject what the finding is about
 * @param problem what happened, as a sentence
 * @param evidence supporting lines without secrets and control characters
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
     * The subject of a diagnosis.
     *
     * @param server the server's id; empty for the configuration or a host
     * @param entry the name of the tool or other entry; empty for the whole server
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

    /** The form that {@code patchbay doctor --json} prints. */
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
