package dev.patchbay.config;

/**
 * Something found in a configuration file: where, what, and what to write instead. No value that
 * could be a secret is part of it.
 *
 * @param path the way to the value, as in {@code mcpServers.github.args[2]}; empty for the file
 * @param remedy what to do, as an instruction
 */
public record Finding(
        Kind kind, TextPosition position, String path, String problem, String remedy) {
    /** How bad it is. */
    public enum Severity {
        ERROR,
        WARNING,
        NOTICE;

        public String label() {
            return switch (this) {
                case ERROR -> "error";
                case WARNING -> "warning";
                case NOTICE -> "notice";
            };
        }
    }

    /** What sort of thing was found; it decides how bad it is. */
    public enum Kind {
        /** The file cannot be read at all. */
        UNREADABLE(Severity.ERROR),
        SYNTAX(Severity.ERROR),
        DUPLICATE_KEY(Severity.ERROR),
        WRONG_TYPE(Severity.ERROR),
        /** The type is right, but not what it says. */
        WRONG_VALUE(Severity.ERROR),
        OUT_OF_RANGE(Severity.ERROR),
        MISSING(Severity.ERROR),
        /** Two things each right that cannot both be. */
        CONFLICT(Severity.ERROR),
        ILLEGAL_ID(Severity.ERROR),
        /** An error that another environment would cure. */
        MISSING_VARIABLE(Severity.ERROR),
        /** The same in the entry of a server, which costs that server alone. */
        SERVER_VARIABLE(Severity.WARNING),
        /** A server of a project's file that the user has not approved. */
        NOT_TRUSTED(Severity.WARNING),
        UNKNOWN_KEY(Severity.WARNING),
        /** A secret where others can read it. */
        EXPOSED_SECRET(Severity.WARNING),
        /** Right, but probably not what was meant. */
        DOUBTFUL(Severity.WARNING),
        /** A setting that only the user's own file may have. */
        IGNORED_SETTING(Severity.NOTICE),
        MAPPED_ID(Severity.NOTICE),
        /** The spelling of another program, understood. */
        FOREIGN_SPELLING(Severity.NOTICE),
        /** An entry that starts Patchbay itself. */
        SELF(Severity.NOTICE);

        private final Severity severity;

        Kind(Severity severity) {
            this.severity = severity;
        }

        public Severity severity() {
            return severity;
        }
    }

    public Severity severity() {
        return kind.severity();
    }

    public boolean isError() {
        return severity() == Severity.ERROR;
    }

    /** One line: place, severity, path, problem, remedy. */
    @Override
    public String toString() {
        String at = path.isEmpty() ? "" : path + ": ";
        return "%s: %s: %s%s. %s.".formatted(position, severity().label(), at, problem, remedy);
    }
}
