package dev.patchbay.app.wiring;

/** Ends a command with a message and an exit code. */
public final class CommandFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final String message;

    public CommandFailedException(int exitCode, String line) {
        super(line, null, false, false);
        this.exitCode = exitCode;
        this.message = line;
    }

    public int exitCode() {
        return exitCode;
    }

    @Override
    public String getMessage() {
        return message;
    }
}
