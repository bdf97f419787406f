package dev.patchbay.config.edit;

import dev.patchbay.config.Finding;

import java.nio.file.Path;
import java.util.List;

/** What came of an edit. */
public sealed interface EditResult {
    /** Why a file was not edited. */
    enum Refusal {
        /** The file has faults, which must be mended first. */
        INVALID_FILE,
        NO_SUCH_SERVER,
        SERVER_EXISTS,
        /** With the entry the file would have faults. */
        INVALID_ENTRY
    }

    /**
     * The file was written.
     *
     * @param created whether there was none before
     * @param findings what there is to say of the file as it is now
     */
    record Changed(Path file, boolean created, List<Finding> findings) implements EditResult {
        public Changed {
            findings = List.copyOf(findings);
        }
    }

    /** The file says already what was wanted, and was not touched. */
    record Unchanged(Path file) implements EditResult {}

    /** Nothing was done. */
    record Refused(Path file, Refusal reason, List<Finding> findings) implements EditResult {
        public Refused {
            findings = List.copyOf(findings);
        }
    }
}
