package dev.patchbay.config;

/**
 * A problem in a configuration file: position, description and remedy. It never contains a value
 * that could be a secret.
 *
 * @param path the path of the value, such as {@code mcpServers.github.args[2]}; empty for the file
 * @param remedy what to do, as an instruction
 */
public record Finding(
        Kind kind, TextPosition position, String path, String problem, String remedy) {
    /** The severity of a finding. */
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

    /** The kind of a finding, which determines its severity. */
    public enum Kind {
        /** The file cannot be read at all. */
        UNREADABLE(Severity.ERROR),
        SYNTAX(Severity.ERROR),
        DUPLICATE_KEY(Severity.ERROR),
        WRONG_TYPE(Severity.ERROR),
        /** The type is right, but the value is not valid. */
        WRONG_VALUE(Severity.ERROR),
        OUT_OF_RANGE(Severity.ERROR),
        MISSING(Severity.ERROR),
        /** Two settings that exclude each other. */
        CONFLICT(Severity.ERROR),
        ILLEGAL_ID(Severity.ERROR),
        /** A variable that is not set. */
        MISSING_VARIABLE(Severity.ERROR),
        /** A variable of a server's entry that is not set. Only that server is affected. */
        SERVER_VARIABLE(Severity.WARNING),
        /** A server of a project's file that the user has not approved. */
        NOT_TRUSTED(Severity.WARNING),
        UNKNOWN_KEY(Severity.WARNING),
        /** A secret that others can read. */
        EXPOSED_SECRET(Severity.WARNING),
        /** Valid, but probably a mistake. */
        DOUBTFUL(Severity.WARNING),
        /** A setting that only the user's own file may contain. */
        IGNORED_SETTING(Severity.NOTICE),
        MAPPED_ID(Severity.NOTICE),
        /** Syntax of another program, which is accepted. */
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

    /** One line: position, severity, path, problem, remedy. */
    @Override
    public String toString() {
        String at = path.isEmpty() ? "" : path + ": ";
        return "%s: %s: %s%s. %s.".formatted(position, severity().label(), at, problem, remedy);
    }
}
