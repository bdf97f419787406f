package dev.patchbay.doctor;

import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.NamePolicy;
import dev.patchbay.catalog.WithheldEntry;
import dev.patchbay.catalog.WithheldEntry.Fault;
import dev.patchbay.doctor.Diagnosis.Subject;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.gateway.ToolReport;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ToolFilter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Looks at what servers offer: what is withheld of it, and what is called the same. */
final class OfferingCheck {
    private static final int CLASHES_MAX = 50;
    private static final int FILTERED_SHOWN_MAX = 20;

    private OfferingCheck() {}

    static List<Diagnosis> withheld(ServerReport report) {
        boolean endless =
                report.withheld().stream().anyMatch(it -> it.fault() == Fault.ENDLESS_PAGES);
        return report.withheld().stream()
                // A page that is told again tells its names again, which is no fault of the names.
                .filter(it -> !(endless && it.fault() == Fault.DUPLICATE))
                .map(it -> withheld(report.spec().id().value(), it))
                .toList();
    }

    private static Diagnosis withheld(String server, WithheldEntry it) {
        String what = it.kind().isEmpty() ? "entry" : it.kind();
        DefectText verdict = textFor(it.fault());
        return Diagnosis.of(
                verdict.cause(),
                new Subject(server, it.name()),
                verdict.problem().formatted(what),
                List.of(it.reason()),
                verdict.nextStep());
    }

    /** What a fault of an entry means; the problem has a place for what the entry is. */
    private record DefectText(Cause cause, String problem, String nextStep) {}

    private static DefectText textFor(Fault fault) {
        return switch (fault) {
            case SCHEMA ->
                    new DefectText(
                            Cause.INVALID_SCHEMA,
                            "This %s is withheld: its input schema cannot be used.",
                            "Tell the author of the server. Its other tools are not concerned.");
            case NAME ->
                    new DefectText(
                            Cause.ILLEGAL_NAME,
                            "This %s is withheld: clients cannot take its name.",
                            "Tell the author of the server; or rename it there.");
            case DUPLICATE ->
                    new DefectText(
                            Cause.DUPLICATE_NAME,
                            "This %s is withheld: the server has the name twice.",
                            "The first one is used. Tell the author of the server.");
            case SIZE ->
                    new DefectText(
                            Cause.OVER_LIMIT,
                            "This %s is withheld: it exceeds the size limit.",
                            "Have the server offer less, or divide it into several.");
            case ENDLESS_PAGES ->
                    new DefectText(
                            Cause.PAGE_LIMIT,
                            "This %s has no end; only its beginning is used.",
                            "Tell the author of the server: its pages must come to an end.");
            case OTHER ->
                    new DefectText(
                            Cause.MALFORMED_ENTRY,
                            "This %s is withheld: it is not what MCP says.",
                            "Tell the author of the server.");
        };
    }

    /** A tool that the configuration keeps back. */
    static Diagnosis filteredTool(Gateway gateway, FullName tool) {
        String why =
                gateway.server(tool.server())
                        .map(it -> it.spec().options().tools().exclusionReason(tool.name()))
                        .orElse("");
        return Diagnosis.of(
                Cause.FILTERED,
                new Subject(tool.server().value(), tool.name()),
                "The server has this tool, and the configuration keeps it from clients.",
                List.of(why),
                "If clients should have it, change tools of this server in the configuration.");
    }

    /** What the filters of all servers keep back, and patterns that have no effect. */
    static List<Diagnosis> filterDiagnoses(Gateway gateway) {
        var offered = new HashMap<ServerId, List<String>>();
        for (ToolReport report : gateway.tools()) {
            var name = report.tool().name();
            offered.computeIfAbsent(name.server(), _ -> new ArrayList<>()).add(name.name());
        }
        var found = new ArrayList<Diagnosis>();
        for (ServerReport server : gateway.servers()) {
            List<String> shown = offered.getOrDefault(server.spec().id(), List.of());
            List<String> idle = unmatchedPatterns(server, shown);
            if (!server.filtered().isEmpty() || !idle.isEmpty()) {
                found.add(filterDiagnosis(server, idle));
            }
        }
        return found;
    }

    private static Diagnosis filterDiagnosis(ServerReport server, List<String> idle) {
        int count = server.filtered().size();
        String names =
                String.join(", ", server.filtered().stream().limit(FILTERED_SHOWN_MAX).toList());
        var filter =
                Diagnosis.of(
                        Cause.FILTERED,
                        Subject.server(server.spec().id().value()),
                        "The configuration keeps %d of its tools from clients.".formatted(count),
                        List.of(
                                count > FILTERED_SHOWN_MAX ? names + ", …" : names,
                                idle.isEmpty()
                                        ? ""
                                        : "No tool of it fits " + String.join(", ", idle)),
                        idle.isEmpty()
                                ? "Nothing, if that is what is wanted."
                                : "Look at the names: patchbay tools. A pattern is a tool's own"
                                        + " name, without the server's id.");
        return idle.isEmpty() ? filter : filter.withSeverity(DiagnosisSeverity.WARNING);
    }

    /** The patterns of a server that says what it has, and that none of it fits. */
    private static List<String> unmatchedPatterns(ServerReport server, List<String> shown) {
        ToolFilter filter = server.spec().options().tools();
        if (filter.allowsAll()
                || server.state().handshake() == null
                || server.lastError() != null) {
            return List.of();
        }
        var all = new ArrayList<>(shown);
        all.addAll(server.filtered());
        server.withheld().forEach(it -> all.add(it.name()));
        return Stream.concat(filter.include().stream(), filter.exclude().stream())
                .filter(pattern -> all.stream().noneMatch(it -> ToolFilter.matches(pattern, it)))
                .map(pattern -> '"' + pattern + '"')
                .toList();
    }

    /** Tools of several servers that are called the same. */
    static List<Diagnosis> nameClashes(Gateway gateway) {
        var servers = new TreeMap<String, List<String>>();
        for (ToolReport report : gateway.tools()) {
            var name = report.tool().name();
            servers.computeIfAbsent(name.name(), _ -> new ArrayList<>()).add(name.text());
        }
        boolean bare = gateway.settings().names() == NamePolicy.BARE;
        return servers.entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1)
                .limit(CLASHES_MAX)
                .map(entry -> nameClash(entry.getKey(), entry.getValue()))
                .map(it -> bare ? it.withSeverity(DiagnosisSeverity.WARNING) : it)
                .toList();
    }

    static Diagnosis nameClash(String name, List<String> candidates) {
        return Diagnosis.of(
                Cause.NAME_CLASH,
                new Subject("", name),
                "%d servers have a tool of this name.".formatted(candidates.size()),
                List.of(String.join(", ", candidates)),
                "Call it by its full name; the bare name alone is refused.");
    }
}
