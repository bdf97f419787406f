package dev.patchbay.stdio;

/** Receives the lines that a child process writes to its standard error. Must not block. */
public interface StderrListener {
    /** Ignores all lines. */
    StderrListener NONE = (_, _) -> {};

    /**
     * A line, without its end and without the secrets that the process was given.
     *
     * @param name the name of the child
     */
    void onLine(String name, String line);
}
