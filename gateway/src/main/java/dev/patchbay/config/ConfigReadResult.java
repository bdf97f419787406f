package dev.patchbay.config;

import java.util.List;

/** What a configuration file turned out to be: a whole configuration, or the list of its faults. */
public sealed interface ConfigReadResult {
    /** All that was found, in the order of the text. */
    List<Finding> findings();

    /** A file without errors; its findings are warnings and notices. */
    record Valid(Configuration configuration, List<Finding> findings) implements ConfigReadResult {
        public Valid {
            findings = List.copyOf(findings);
        }
    }

    /** A file with errors; its findings are all of them, warnings and notices too. */
    record Invalid(List<Finding> findings) implements ConfigReadResult {
        public Invalid {
            findings = List.copyOf(findings);
        }

        public List<Finding> errors() {
            return findings.stream().filter(Finding::isError).toList();
        }
    }
}
