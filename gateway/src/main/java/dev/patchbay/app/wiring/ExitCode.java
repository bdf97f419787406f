package dev.patchbay.app.wiring;

/** The exit codes of the program. */
public final class ExitCode {
    public static final int OK = 0;

    /** The operation failed. */
    public static final int FAILED = 1;

    /** Wrong usage or configuration. */
    public static final int WRONG_USAGE = 2;

    private ExitCode() {}
}
