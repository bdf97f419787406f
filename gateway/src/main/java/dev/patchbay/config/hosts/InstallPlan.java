package dev.patchbay.config.hosts;

import dev.patchbay.config.Finding;
import dev.patchbay.config.syntax.JsonLayout;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;

/** The planned installation into a host's file, or its removal. */
public sealed interface InstallPlan {
    HostFile file();

    /** What happens to the file. */
    enum Action {
        /** Patchbay's entry is added. */
        ADD,
        /** The existing entry is replaced. */
        REPLACE,
        /** The file is restored to its content before the installation. */
        RESTORE,
        /** The file was created by the installation and is deleted. */
        DELETE,
        /** The file has changed since the installation: only the entry is removed. */
        CUT
    }

    /**
     * The content of the file before and after the change.
     *
     * @param before null if there is no file
     * @param after null if the file is deleted
     * @param backup the backup to restore; null if there is none or it is not made yet
     */
    record FileContents(@Nullable String before, @Nullable String after, @Nullable Path backup) {}

    /**
     * A change to apply.
     *
     * @param entry Patchbay's entry, added or removed
     */
    record Change(
            HostFile file, Action action, FileContents contents, Json entry, List<String> notes)
            implements InstallPlan {
        public Change {
            notes = List.copyOf(notes);
        }

        /** The entry in the syntax of the file, over several lines. */
        public String entryText() {
            return switch (file.format().syntax()) {
                case JSON -> new JsonLayout("\n", "  ").format(entry, "");
                case TOML, YAML ->
                        new HostFileText(file, "")
                                .withServer(PatchbayEntry.KEY, entry)
                                .stripTrailing();
            };
        }
    }

    /** Nothing needs to change. */
    record NoChange(HostFile file) implements InstallPlan {}

    /** The file cannot be edited and is not changed. */
    record Refused(HostFile file, List<Finding> findings) implements InstallPlan {
        public Refused {
            findings = List.copyOf(findings);
        }
    }
}
