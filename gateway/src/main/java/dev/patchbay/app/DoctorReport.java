package dev.patchbay.app;

import dev.patchbay.doctor.Diagnosis;
import dev.patchbay.doctor.Severity;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.server.ServerState.Status;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What the doctor says, for people and for programs.
 *
 * @param health what works; null if the configuration could not be used
 */
record DoctorReport(
        Terminal terminal, @Nullable Path config, List<Diagnosis> found, @Nullable Health health) {

    /** How many of the enabled servers work, and how many tools they have. */
    record Health(int enabled, int working, int tools) {
        static Health of(Gateway gateway) {
            var enabled = gateway.servers().stream().filter(it -> it.enabled()).toList();
            long working =
                    enabled.stream()
                            .filter(it -> it.state().status() == Status.CONNECTED)
                            .filter(it -> it.lastError() == null)
                            .count();
            return new Health(enabled.size(), (int) working, gateway.tools().size());
        }
    }

    void printJson(@Nullable String tool) {
        var writer = new JsonWriter().beginObject().member("ok", count(Severity.ERROR) == 0);
        if (tool != null) {
            writer.member("tool", tool);
        }
        if (config != null) {
            writer.member("config", config.toString());
        }
        if (health != null && tool == null) {
            writer.member("enabled", health.enabled())
                    .member("working", health.working())
                    .member("toolCount", health.tools());
        }
        writer.name("findings").beginArray();
        found.forEach(it -> writer.value(it.toJson()));
        terminal.print(writer.endArray().endObject().toJson().toString());
    }

    void print(@Nullable String tool) {
        found.forEach(this::print);
        String summary = summary();
        if (tool != null && found.isEmpty()) {
            terminal.print(terminal.good("ok") + ": " + Terminal.plain(tool) + " can be called");
        } else if (tool == null && health != null) {
            String servers =
                    "%d of %d enabled servers work, with %d tools"
                            .formatted(health.working(), health.enabled(), health.tools());
            terminal.print(summary + ": " + servers);
        } else {
            terminal.print(summary);
        }
    }

    private void print(Diagnosis it) {
        String subject = Terminal.plain(it.subject().toString());
        terminal.print(
                "%s %s%s"
                        .formatted(
                                look(it.severity()),
                                subject.isEmpty() ? "" : terminal.strong(subject) + " ",
                                terminal.faint("[" + it.cause() + "]")));
        print("  ", it.problem(), UnaryOperator.identity());
        it.evidence().forEach(line -> print("  | ", line, terminal::faint));
        print("  Next: ", it.nextStep(), UnaryOperator.identity());
        terminal.print("");
    }

    /** One line in a pipe; for people, lines that are not wider than the terminal. */
    private void print(String lead, String text, UnaryOperator<String> look) {
        String rest = lead + Terminal.plain(text);
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

    private String look(Severity severity) {
        return switch (severity) {
            case ERROR -> terminal.bad(severity.word());
            case WARNING -> terminal.doubtful(severity.word());
            case NOTE -> terminal.faint(severity.word());
        };
    }

    private String summary() {
        var parts = new ArrayList<String>();
        for (Severity severity : Severity.values()) {
            long count = count(severity);
            if (count > 0) {
                parts.add(count + " " + severity.word() + (count == 1 ? "" : "s"));
            }
        }
        return parts.isEmpty() ? terminal.good("ok") : String.join(", ", parts);
    }

    private long count(Severity severity) {
        return found.stream().filter(it -> it.severity() == severity).count();
    }
}
