package dev.patchbay.repl;

/** A receiver of what the code of a session prints. */
interface OutputListener {
    /** The two standard streams. */
    enum StandardStream {
        OUT,
        ERR
    }

    void onOutput(StandardStream target, String text);
}
