package dev.patchbay.config.hosts;

import dev.patchbay.config.Finding;
import dev.patchbay.config.syntax.JsonLayout;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;

/** What putting Patchbay into a host's file, or taking it out again, would do. */
public sealed interface InstallPlan {
    HostFile file();

    /** What happens to the file. */
    enum Action {
        /** An entry for Patchbay is added. */
        ADD,
        /** The entry that is there gets another definition. */
        REPLACE,
        /** The file gets back the very bytes it had before Patchbay was put in. */
        RESTORE,
        /** The file was made for Patchbay alone, and goes. */
        DELETE,
        /** The file was changed meanwhile: the entry is taken out, all else stays. */
        CUT
    }

    /**
     * What the file holds before and after.
     *
     * @param before null if there is no file
     * @param after null if the file goes
     * @param backup the copy to go back to; null if there is none or it is still to be made
     */
    record FileContents(@Nullable String before, @Nullable String after, @Nullable Path backup) {}

    /**
     * Something to do.
     *
     * @param entry the entry for Patchbay, added or taken out
     */
    record Change(
            HostFile file, Action action, FileContents contents, Json entry, List<String> notes)
            implements InstallPlan {
        public Change {
            notes = List.copyOf(notes);
        }

        /** The entry as it stands in a JSON file, over several lines. */
        public String entryText() {
            return new JsonLayout("\n", "  ").format(entry, "");
        }
    }

    /** There is nothing to do. */
    record NoChange(HostFile file) implements InstallPlan {}

    /** The file cannot be edited; nothing is done. */
    record Refused(HostFile file, List<Finding> findings) implements InstallPlan {
        public Refused {
            findings = List.copyOf(findings);
        }
    }
}
