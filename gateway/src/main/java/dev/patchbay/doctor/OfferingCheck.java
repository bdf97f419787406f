package dev.patchbay.doctor;

import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.NameStylePolicy;
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

/** Checks the entries of servers: withheld ones, filtered ones and name clashes. */
final class OfferingCheck {
    private static final int CLASHES_MAX = 50;
    private static final int FILTERED_SHOWN_MAX = 20;

    private OfferingCheck() {}

    static List<Diagnosis> withheld(ServerReport report) {
        boolean endless =
                report.withheld().stream().anyMatch(it -> it.fault() == Fault.ENDLESS_PAGES);
        return report.withheld().stream()
                // A repeated page repeats its names, which are not at fault.
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

    /** The diagnosis for a defect; the problem has a placeholder for the kind of entry. */
    private record DefectText(Cause cause, String problem, String nextStep) {}

    private static DefectText textFor(Fault fault) {
        return switch (fault) {
            case SCHEMA ->
                    new DefectText(
                            Cause.INVALID_SCHEMA,
                            "This %s is withheld: its input schema cannot be used.",
                            "Report it to the author of the server. The server's other tools"
                                    + " work.");
            case NAME ->
                    new DefectText(
                            Cause.ILLEGAL_NAME,
                            "This %s is withheld: its name is not valid for clients.",
                            "Report it to the author of the server, or rename it there.");
            case DUPLICATE ->
                    new DefectText(
                            Cause.DUPLICATE_NAME,
                            "This %s is withheld: the server uses its name twice.",
                            "The first one is used. Report it to the author of the server.");
            case SIZE ->
                    new DefectText(
                            Cause.OVER_LIMIT,
                            "This %s is withheld: it exceeds the size limit.",
                            "Make the server offer less, or split it into several servers.");
            case ENDLESS_PAGES ->
                    new DefectText(
                            Cause.PAGE_LIMIT,
                            "This %s has too many pages; only the first pages are used.",
                            "Report it to the author of the server: the list of pages must end.");
            case OTHER ->
                    new DefectText(
                            Cause.MALFORMED_ENTRY,
                            "This %s is withheld: it is not valid MCP.",
                            "Report it to the author of the server.");
        };
    }

    /** A tool that the configuration hides. */
    static Diagnosis filteredTool(Gateway gateway, FullName tool) {
        String why =
                gateway.server(tool.server())
                        .map(it -> it.spec().options().tools().exclusionReason(tool.name()))
                        .orElse("");
        return Diagnosis.of(
                Cause.FILTERED,
                new Subject(tool.server().value(), tool.name()),
                "The server has this tool, but the configuration hides it from clients.",
                List.of(why),
                "To offer it, change \"tools\" of this server in the configuration.");
    }

    /** The tools that filters hide, and patterns that match nothing. */
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
                        "The configuration hides %d of its tools from clients.".formatted(count),
                        List.of(
                                count > FILTERED_SHOWN_MAX ? names + ", …" : names,
                                idle.isEmpty()
                                        ? ""
                                        : "No tool of this server matches "
                                                + String.join(", ", idle)),
                        idle.isEmpty()
                                ? "No action is needed if this is intended."
                                : "Compare the names: patchbay tools. A pattern is a tool's own"
                                        + " name, without the server's id.");
        return idle.isEmpty() ? filter : filter.withSeverity(DiagnosisSeverity.WARNING);
    }

    /** The patterns that match none of a server's tools, if these are known. */
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

    /** Tools of several servers with the same name. */
    static List<Diagnosis> nameClashes(Gateway gateway) {
        var servers = new TreeMap<String, List<String>>();
        for (ToolReport report : gateway.tools()) {
            var name = report.tool().name();
            servers.computeIfAbsent(name.name(), _ -> new ArrayList<>()).add(name.text());
        }
        boolean bare = gateway.settings().names() == NameStylePolicy.BARE;
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
                "%d servers have a tool with this name.".formatted(candidates.size()),
                List.of(String.join(", ", candidates)),
                "Call it by its full name; the bare name is ambiguous.");
    }
}
