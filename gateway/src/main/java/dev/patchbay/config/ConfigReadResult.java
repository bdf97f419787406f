package dev.patchbay.config;

import java.util.List;

/** What a configuration file turned out to be: a configuration, or a file that cannot be used. */
public sealed interface ConfigReadResult {
    /** All findings in the order of the text. */
    List<Finding> findings();

    default List<Finding> errors() {
        return findings().stream().filter(Finding::isError).toList();
    }

    default boolean hasErrors() {
        return findings().stream().anyMatch(Finding::isError);
    }

    /**
     * A file that can be used. An error among its findings is inside the entry of one server, which
     * is then not started, and affects nothing else.
     */
    record Valid(Configuration configuration, List<Finding> findings) implements ConfigReadResult {
        public Valid {
            findings = List.copyOf(findings);
        }
    }

    /** A file that is not JSON, or has errors outside of the entries of servers. */
    record Invalid(List<Finding> findings) implements ConfigReadResult {
        public Invalid {
            findings = List.copyOf(findings);
        }
    }
}
