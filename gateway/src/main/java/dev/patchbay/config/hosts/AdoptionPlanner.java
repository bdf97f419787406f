package dev.patchbay.config.hosts;

import dev.patchbay.config.Environment;
import dev.patchbay.config.Finding;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.TextPosition;
import dev.patchbay.config.hosts.AdoptionPlan.FileChange;
import dev.patchbay.config.hosts.AdoptionPlan.FileTexts;
import dev.patchbay.config.hosts.AdoptionPlan.Refusal;
import dev.patchbay.config.hosts.HostFile.Scope;
import dev.patchbay.config.hosts.ImportPlan.Outcome;
import dev.patchbay.config.hosts.ImportPlan.Row;
import dev.patchbay.config.hosts.Installer.LaunchCommand;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * Plans adoptions: the servers of hosts move into the configuration, and each host gets Patchbay in
 * their place. Only the files of the user are changed, not those of projects.
 */
public final class AdoptionPlanner {
    private final Environment environment;
    private final HostFileLocator files;

    public AdoptionPlanner(Environment environment) {
        this.environment = environment;
        files = new HostFileLocator(environment);
    }

    public AdoptionPlan plan(List<McpHost> hosts, Path config, LaunchCommand program)
            throws IOException {
        var refusals = new ArrayList<Refusal>();
        var usable = new ArrayList<McpHost>();
        for (McpHost host : hosts) {
            Refusal refusal = findRefusal(host);
            if (refusal == null) {
                usable.add(host);
            } else {
                refusals.add(refusal);
            }
        }
        ImportPlan imported =
                new Importer(environment).plan(usable, EnumSet.of(Scope.USER), config);
        var changes = new ArrayList<FileChange>();
        for (McpHost host : usable) {
            boolean first = true;
            for (HostFile file : userFiles(host)) {
                Json entry = first ? PatchbayEntry.create(host, program) : null;
                FileChange change = planFile(host, file, imported, entry);
                if (change != null) {
                    changes.add(change);
                }
                first = false;
            }
        }
        return new AdoptionPlan(imported, changes, refusals);
    }

    private List<HostFile> userFiles(McpHost host) {
        return files.locate(host).stream().filter(it -> it.scope() == Scope.USER).toList();
    }

    private @Nullable Refusal findRefusal(McpHost host) throws IOException {
        for (HostFile file : userFiles(host)) {
            String text = Installer.read(file);
            if (text == null && file.equals(userFiles(host).getFirst())) {
                if (Installer.hasOlderContinueFile(file)) {
                    return refuse(host, file, Installer.OLDER_CONTINUE_FILE);
                }
            } else if (text != null && !text.isBlank()) {
                var content = new HostFileText(file, text);
                if (!content.errors().isEmpty()) {
                    return new Refusal(host, file.path(), content.errors());
                }
                if (content.ownEntry() != null && !content.hasPatchbay()) {
                    return refuse(host, file, "The file has another server named patchbay");
                }
            }
        }
        return null;
    }

    private static Refusal refuse(McpHost host, HostFile file, String problem) {
        var finding =
                new Finding(
                        Kind.CONFLICT,
                        TextPosition.START,
                        file.serversKey(),
                        problem,
                        "Change it, and run the command again");
        return new Refusal(host, file.path(), List.of(finding));
    }

    /** The change of a file; null if there is none. The entry is null if it is not added. */
    private static @Nullable FileChange planFile(
            McpHost host, HostFile file, ImportPlan imported, @Nullable Json entry)
            throws IOException {
        String before = Installer.read(file);
        if (before == null && entry == null) {
            return null;
        }
        var taken = new ArrayList<ServerPlace>();
        var kept = new ArrayList<String>();
        String text = before == null ? "" : before;
        for (Row row : imported.rows()) {
            boolean moved = row.outcome() == Outcome.ADD || row.outcome() == Outcome.SAME;
            if (moved && row.place().file().equals(file)) {
                var content = new HostFileText(file, text);
                String rest = content.withoutServer(row.place());
                if (new HostFileText(file, rest).hasServer(row.place())) {
                    kept.add(row.key());
                } else {
                    text = rest;
                    taken.add(row.place());
                }
            }
        }
        String after = entry == null ? text : new HostFileText(file, text).withEntry(entry);
        boolean same = after.equals(before == null ? "" : before);
        return same && kept.isEmpty()
                ? null
                : new FileChange(host, file, new FileTexts(before, after), taken, kept);
    }
}
