package dev.patchbay.repl;

/** A receiver of what the code of a session prints. */
interface Printed {
    /** The two standard streams. */
    enum Target {
        OUT,
        ERR
    }

    void printed(Target target, String text);
}
