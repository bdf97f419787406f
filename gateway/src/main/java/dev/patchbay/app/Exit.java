package dev.patchbay.app;

/** How the program ends. */
final class Exit {
    static final int OK = 0;

    /** The operation failed. */
    static final int FAILED = 1;

    /** Wrong usage or configuration. */
    static final int WRONG_USAGE = 2;

    private Exit() {}
}
