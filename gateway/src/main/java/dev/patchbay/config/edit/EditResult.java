package dev.patchbay.config.edit;

import dev.patchbay.config.Finding;

import java.nio.file.Path;
import java.util.List;

/** The result of an edit. */
public sealed interface EditResult {
    /** The reason why a file was not edited. */
    enum Refusal {
        /** The file has errors, which must be fixed first. */
        INVALID_FILE,
        NO_SUCH_SERVER,
        SERVER_EXISTS,
        /** The file would have errors with the new entry. */
        INVALID_ENTRY
    }

    /**
     * The file was written.
     *
     * @param created whether the file is new
     * @param findings the findings in the new file
     */
    record Changed(Path file, boolean created, List<Finding> findings) implements EditResult {
        public Changed {
            findings = List.copyOf(findings);
        }
    }

    /** The file already has the wanted content and was not written. */
    record Unchanged(Path file) implements EditResult {}

    /** Nothing was changed. */
    record Refused(Path file, Refusal reason, List<Finding> findings) implements EditResult {
        public Refused {
            findings = List.copyOf(findings);
        }
    }
}
