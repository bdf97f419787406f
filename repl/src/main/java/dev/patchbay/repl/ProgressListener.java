package dev.patchbay.repl;

import java.time.Duration;

/** A listener to work that takes long. */
public interface ProgressListener {
    /** Hears nothing. */
    ProgressListener NONE = (elapsed, message) -> {};

    /** Told about once a second while the work goes on. */
    void report(Duration elapsed, String message);
}
