package dev.patchbay.config.hosts;

import dev.patchbay.config.Finding;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;

/**
 * What an adoption changes.
 *
 * @param imported the servers that are added to the configuration
 * @param changes the files of hosts that are changed
 * @param refusals the hosts that are left as they are
 */
public record AdoptionPlan(ImportPlan imported, List<FileChange> changes, List<Refusal> refusals) {
    /** The content of a file now, null if there is no file, and after the change. */
    public record FileTexts(@Nullable String before, String after) {}

    /**
     * The change of one file.
     *
     * @param taken the servers that are taken out
     * @param kept servers that are also in the configuration, but cannot be taken out
     */
    public record FileChange(
            McpHost host,
            HostFile file,
            FileTexts texts,
            List<ServerPlace> taken,
            List<String> kept) {
        public FileChange {
            taken = List.copyOf(taken);
            kept = List.copyOf(kept);
        }
    }

    /** A host whose file cannot be changed. */
    public record Refusal(McpHost host, Path file, List<Finding> findings) {
        public Refusal {
            findings = List.copyOf(findings);
        }
    }

    public AdoptionPlan {
        changes = List.copyOf(changes);
        refusals = List.copyOf(refusals);
    }

    public boolean isEmpty() {
        return changes.isEmpty() && imported.entries().isEmpty();
    }
}
