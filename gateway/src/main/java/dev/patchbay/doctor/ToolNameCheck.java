package dev.patchbay.doctor;

import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.Tool;
import dev.patchbay.doctor.Diagnosis.Subject;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Diagnoses why a tool cannot be called by the given name. */
final class ToolNameCheck {
    private static final int SUGGESTIONS_MAX = 5;

    private final Gateway gateway;
    private final Doctor doctor;
    private final String name;

    ToolNameCheck(Gateway gateway, Doctor doctor, String name) {
        this.gateway = gateway;
        this.doctor = doctor;
        this.name = name;
    }

    List<Diagnosis> run() throws InterruptedException {
        return switch (gateway.lookup(name)) {
            case LookupResult.Found<Tool>(Tool tool) -> checkFound(tool);
            case LookupResult.Ambiguous<Tool>(List<FullName> candidates) -> {
                var texts = candidates.stream().map(FullName::text).toList();
                yield List.of(
                        OfferingCheck.nameClash(name, texts).withSeverity(DiagnosisSeverity.ERROR));
            }
            case LookupResult.Filtered<Tool>(FullName full) ->
                    List.of(
                            OfferingCheck.filteredTool(gateway, full)
                                    .withSeverity(DiagnosisSeverity.ERROR));
            case LookupResult.NotFound<Tool>(@Nullable ServerId owner) ->
                    owner == null ? notFound(gateway.servers()) : checkAbsent(owner);
        };
    }

    /** Only the problems of its server that prevent calls. */
    private List<Diagnosis> checkFound(Tool tool) throws InterruptedException {
        Optional<ServerReport> server = gateway.server(tool.name().server());
        return server.isEmpty() ? List.of() : blockingDiagnoses(server.get());
    }

    private List<Diagnosis> blockingDiagnoses(ServerReport server) throws InterruptedException {
        return doctor.examine(server).stream()
                .filter(it -> it.subject().entry().isEmpty())
                .filter(
                        it ->
                                it.cause() == Cause.DISABLED
                                        || it.severity() == DiagnosisSeverity.ERROR)
                .map(it -> it.withSeverity(DiagnosisSeverity.ERROR))
                .toList();
    }

    private List<Diagnosis> checkAbsent(ServerId owner) throws InterruptedException {
        ServerReport server = gateway.server(owner).orElse(null);
        if (server == null) {
            return notFound(gateway.servers());
        }
        String bare = name.substring(Math.min(name.length(), owner.value().length() + 1));
        List<Diagnosis> withheld = withheld(server, bare);
        if (!withheld.isEmpty()) {
            return withheld;
        }
        List<Diagnosis> blocked = blockingDiagnoses(server);
        return blocked.isEmpty() ? notFound(List.of(server)) : blocked;
    }

    private static List<Diagnosis> withheld(ServerReport server, String bare) {
        return OfferingCheck.withheld(server).stream()
                .filter(it -> !bare.isEmpty() && it.subject().entry().equals(bare))
                .toList();
    }

    /** The diagnosis if none of the servers has the tool. */
    private List<Diagnosis> notFound(List<ServerReport> servers) {
        var found = new ArrayList<Diagnosis>();
        var notAsked = new ArrayList<String>();
        for (ServerReport server : servers) {
            found.addAll(withheld(server, name));
            if (!server.enabled() || server.lastError() != null) {
                notAsked.add(server.spec().id() + " (" + server.state().status().text() + ")");
            }
        }
        if (found.isEmpty()) {
            List<String> close = similarNames();
            found.add(
                    Diagnosis.of(
                            Cause.TOOL_NOT_FOUND,
                            new Subject("", name),
                            "No connected server has a tool with this name.",
                            List.of(
                                    notAsked.isEmpty()
                                            ? ""
                                            : "Not connected: " + String.join(", ", notAsked),
                                    close.isEmpty() ? "" : "Similar: " + String.join(", ", close)),
                            close.isEmpty()
                                    ? "List all tools: patchbay tools"
                                    : "Did you mean " + close.getFirst() + "?"));
        }
        return found;
    }

    /** The names that are most similar to the given one. */
    private List<String> similarNames() {
        String wanted = normalize(name);
        return gateway.tools().stream()
                .map(it -> it.tool().name())
                .filter(
                        it ->
                                normalize(it.text()).contains(wanted)
                                        || wanted.contains(normalize(it.name()))
                                        || isSimilar(normalize(it.text()), wanted)
                                        || isSimilar(normalize(it.name()), wanted))
                .map(FullName::text)
                .limit(SUGGESTIONS_MAX)
                .toList();
    }

    private static String normalize(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    /** Whether two names differ by at most two edits. */
    private static boolean isSimilar(String one, String other) {
        if (Math.abs(one.length() - other.length()) > 2 || one.length() > 100) {
            return false;
        }
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int before = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int above = row[j];
                int same = one.charAt(i - 1) == other.charAt(j - 1) ? before : before + 1;
                row[j] = Math.min(same, Math.min(above, row[j - 1]) + 1);
                before = above;
            }
        }
        return row[other.length()] <= 2;
    }
}
