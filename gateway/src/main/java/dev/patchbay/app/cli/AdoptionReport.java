package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.hosts.Adopter.UndoneFile;
import dev.patchbay.config.hosts.AdoptionJournal.ChangedFile;
import dev.patchbay.config.hosts.AdoptionPlan;
import dev.patchbay.config.hosts.AdoptionPlan.FileChange;
import dev.patchbay.config.hosts.AdoptionPlan.Refusal;
import dev.patchbay.config.hosts.ImportPlan;
import dev.patchbay.config.hosts.McpHost;
import dev.patchbay.config.hosts.ServerPlace;
import dev.patchbay.json.JsonWriter;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Reports an adoption, as text or as JSON. */
record AdoptionReport(Terminal terminal, AdoptionPlan plan) {
    void printPlan(List<McpHost> hosts) {
        if (hosts.isEmpty()) {
            terminal.print("No host was found. Name one: patchbay adopt HOST");
            return;
        }
        ImportPlan imported = plan.imported();
        if (!imported.rows().isEmpty()) {
            terminal.print("Servers, to " + imported.target() + ":");
        }
        for (ImportPlan.Row row : imported.rows()) {
            terminal.print("  " + row.summary());
            row.notes().forEach(note -> terminal.print(terminal.dim("       " + note)));
        }
        if (!plan.changes().isEmpty()) {
            terminal.print("Hosts:");
        }
        plan.changes().forEach(this::printChange);
        for (Refusal refusal : plan.refusals()) {
            terminal.printMessage(refusal.host().displayName() + " is left as it is:");
            refusal.findings()
                    .forEach(finding -> terminal.printMessage(refusal.file() + ":" + finding));
        }
    }

    private void printChange(FileChange change) {
        String taken = change.taken().isEmpty() ? "" : ", takes out " + names(change.taken());
        terminal.print(
                "  %s (%s): adds Patchbay%s"
                        .formatted(change.host().displayName(), change.file().path(), taken));
        if (!change.kept().isEmpty()) {
            String kept = SanitizedText.sanitize(String.join(", ", change.kept()));
            terminal.printMessage(
                    "  %s cannot be taken out of %s, so their tools appear twice. Remove them with"
                                    .formatted(kept, change.file().path())
                            + " an editor.");
        }
    }

    private static String names(List<ServerPlace> places) {
        return places.stream()
                .map(place -> SanitizedText.sanitize(place.key()))
                .collect(Collectors.joining(", "));
    }

    void printDone(boolean changed, boolean dryRun) {
        if (!changed) {
            terminal.print(dryRun ? "Nothing was changed." : "Nothing to adopt.");
            return;
        }
        String hosts =
                plan.changes().stream()
                        .map(change -> change.host().displayName())
                        .distinct()
                        .collect(Collectors.joining(", "));
        terminal.print(hosts.isEmpty() ? "Done." : "Adopted " + hosts + ". Restart them.");
        terminal.print("Undo: patchbay adopt --undo");
    }

    void printJson(boolean changed) {
        var json = new JsonWriter().beginObject();
        json.member("file", plan.imported().target().toString()).member("changed", changed);
        json.name("servers").beginArray();
        plan.imported().rows().forEach(row -> ImportReportJson.writeRow(json, row));
        json.endArray().name("hosts").beginArray();
        for (FileChange change : plan.changes()) {
            json.beginObject().member("host", change.host().cliName());
            json.member("file", change.file().path().toString());
            writeStrings(json, "taken", change.taken().stream().map(ServerPlace::key).toList());
            writeStrings(json, "kept", change.kept());
            json.endObject();
        }
        for (Refusal refusal : plan.refusals()) {
            json.beginObject().member("host", refusal.host().cliName());
            json.member("file", refusal.file().toString());
            ImportReportJson.writeFindings(json, refusal.findings());
            json.endObject();
        }
        terminal.print(json.endArray().endObject().toJson().toString());
    }

    private static void writeStrings(JsonWriter json, String name, List<String> texts) {
        json.name(name).beginArray();
        texts.forEach(json::string);
        json.endArray();
    }

    static void printUndoPlan(Terminal terminal, List<ChangedFile> changes, boolean json) {
        if (json) {
            var writer = new JsonWriter().beginObject().member("changed", false);
            writer.name("files").beginArray();
            for (ChangedFile change : changes) {
                McpHost host = change.host();
                writer.beginObject();
                if (host != null) {
                    writer.member("host", host.cliName());
                }
                writer.member("file", change.file().toString()).endObject();
            }
            terminal.print(writer.endArray().endObject().toJson().toString());
            return;
        }
        if (changes.stream().noneMatch(change -> change.host() != null)) {
            terminal.print("No host is adopted.");
            return;
        }
        terminal.print("Files to put back as they were:");
        changes.forEach(change -> terminal.print("  " + change.file()));
    }

    static void printUndone(Terminal terminal, List<UndoneFile> files, boolean json) {
        var writer = new JsonWriter().beginObject().member("changed", true);
        writer.name("files").beginArray();
        for (UndoneFile file : files) {
            McpHost host = file.host();
            String name = host == null ? "Patchbay's configuration" : host.displayName();
            String how =
                    switch (file.how()) {
                        case RESTORED -> "The file is as it was before";
                        case DELETED -> "The file did not exist before and was deleted";
                        case MERGED -> "The file was changed since; other changes were kept";
                    };
            String backup = file.backup() == null ? "" : " The old content is in " + file.backup();
            if (!json) {
                terminal.print("%s (%s): %s.%s".formatted(name, file.file(), how, backup));
            }
            writer.beginObject();
            if (host != null) {
                writer.member("host", host.cliName());
            }
            writer.member("file", file.file().toString());
            writer.member("result", file.how().name().toLowerCase(Locale.ROOT)).endObject();
        }
        if (json) {
            terminal.print(writer.endArray().endObject().toJson().toString());
        } else {
            terminal.print("Restart the hosts.");
        }
    }
}
