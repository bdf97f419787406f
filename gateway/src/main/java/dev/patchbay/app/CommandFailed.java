package dev.patchbay.app;

/** Ends a command with a line for the person who typed it. */
final class CommandFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final String line;

    CommandFailed(int exitCode, String line) {
        super(line, null, false, false);
        this.exitCode = exitCode;
        this.line = line;
    }

    int exitCode() {
        return exitCode;
    }

    @Override
    public String getMessage() {
        return line;
    }
}
