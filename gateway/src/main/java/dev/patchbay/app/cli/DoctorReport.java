package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.doctor.Cause;
import dev.patchbay.doctor.Diagnosis;
import dev.patchbay.doctor.DiagnosisSeverity;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Prints the diagnoses as text or as JSON.
 *
 * @param totals what works; null if the configuration could not be used
 */
record DoctorReport(
        Terminal terminal,
        @Nullable Path config,
        Subject subject,
        List<Diagnosis> diagnoses,
        @Nullable Totals totals) {

    /**
     * What was examined.
     *
     * @param name the tool or the server; null for everything
     */
    record Subject(@Nullable String name, boolean isServer) {}

    /** How many of the enabled servers work, and how many tools they have. */
    record Totals(int enabled, int working, int tools) {
        static Totals of(Gateway gateway) {
            var enabled = gateway.servers().stream().filter(it -> it.enabled()).toList();
            long working =
                    enabled.stream()
                            .filter(it -> it.state().status() == Status.CONNECTED)
                            .filter(it -> it.lastError() == null)
                            .count();
            return new Totals(enabled.size(), (int) working, gateway.tools().size());
        }
    }

    void printJson() {
        var writer =
                new JsonWriter().beginObject().member("ok", count(DiagnosisSeverity.ERROR) == 0);
        String name = subject.name();
        if (name != null) {
            writer.member(subject.isServer() ? "serverId" : "tool", name);
        }
        if (config != null) {
            writer.member("config", config.toString());
        }
        if (totals != null && name == null) {
            writer.member("enabled", totals.enabled())
                    .member("working", totals.working())
                    .member("toolCount", totals.tools());
        }
        writer.name("findings").beginArray();
        diagnoses.forEach(it -> writer.value(it.toJson()));
        terminal.print(writer.endArray().endObject().toJson().toString());
    }

    void print() {
        shown().forEach(this::print);
        int clashes = diagnoses.size() - shown().size();
        if (clashes > 0) {
            terminal.print(
                    "%d tool name%s used by several servers: call %s by the full name, SERVER.TOOL."
                            .formatted(
                                    clashes,
                                    clashes == 1 ? " is" : "s are",
                                    clashes == 1 ? "it" : "them"));
        }
        String summary = summary();
        String name = subject.name();
        if (name != null && diagnoses.isEmpty()) {
            terminal.print(
                    terminal.success("ok")
                            + ": "
                            + DisplayText.oneLine(name)
                            + (subject.isServer() ? " works" : " can be called"));
        } else if (name == null && totals != null) {
            String servers =
                    "%d of %d enabled servers work, with %d tools"
                            .formatted(totals.working(), totals.enabled(), totals.tools());
            terminal.print(summary + ": " + servers);
        } else {
            terminal.print(summary);
        }
    }

    /** The diagnoses without name clashes that do no harm: one line counts those. */
    private List<Diagnosis> shown() {
        return subject.name() != null
                ? diagnoses
                : diagnoses.stream().filter(it -> !isHarmlessClash(it)).toList();
    }

    private static boolean isHarmlessClash(Diagnosis it) {
        return it.cause() == Cause.NAME_CLASH && it.severity() == DiagnosisSeverity.NOTE;
    }

    private void print(Diagnosis it) {
        String about = DisplayText.oneLine(it.subject().toString());
        terminal.print(
                "%s %s%s"
                        .formatted(
                                styledLabel(it.severity()),
                                about.isEmpty() ? "" : terminal.bold(about) + " ",
                                terminal.dim("[" + it.cause() + "]")));
        print("  ", it.problem(), UnaryOperator.identity());
        it.evidence().forEach(line -> print("  | ", line, terminal::dim));
        print("  Next: ", it.nextStep(), UnaryOperator.identity());
        terminal.print("");
    }

    /** Prints one line; on a terminal, lines that are not wider than the terminal. */
    private void print(String lead, String text, UnaryOperator<String> look) {
        String rest = lead + DisplayText.oneLine(text);
        String indent = " ".repeat(lead.length());
        while (terminal.isInteractive() && rest.length() > terminal.width()) {
            int space = rest.lastIndexOf(' ', terminal.width());
            if (space <= lead.length()) {
                break;
            }
            terminal.print(look.apply(rest.substring(0, space)));
            rest = indent + rest.substring(space + 1);
        }
        terminal.print(look.apply(rest));
    }

    private String styledLabel(DiagnosisSeverity severity) {
        return switch (severity) {
            case ERROR -> terminal.error(severity.label());
            case WARNING -> terminal.warning(severity.label());
            case NOTE -> terminal.dim(severity.label());
        };
    }

    private String summary() {
        var parts = new ArrayList<String>();
        for (DiagnosisSeverity severity : DiagnosisSeverity.values()) {
            long count = shown().stream().filter(it -> it.severity() == severity).count();
            if (count > 0) {
                parts.add(count + " " + severity.label() + (count == 1 ? "" : "s"));
            }
        }
        return parts.isEmpty() ? terminal.success("ok") : String.join(", ", parts);
    }

    private long count(DiagnosisSeverity severity) {
        return diagnoses.stream().filter(it -> it.severity() == severity).count();
    }
}
