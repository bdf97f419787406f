package dev.patchbay.app.wiring;

/** How the program ends. */
public final class ExitCode {
    public static final int OK = 0;

    /** The operation failed. */
    public static final int FAILED = 1;

    /** Wrong usage or configuration. */
    public static final int WRONG_USAGE = 2;

    private ExitCode() {}
}
