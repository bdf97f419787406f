package dev.patchbay.stdio;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Combines writes while a thread handles several lines that it read at once: everything that these
 * lines cause is sent in one write after the last of them.
 */
final class WriteBatch {
    private static final ThreadLocal<@Nullable WriteBatch> CURRENT = new ThreadLocal<>();

    private final List<LineWriter> writers = new ArrayList<>();
    private boolean isActive;

    /** The open batch of this thread; null if there is none. */
    static @Nullable WriteBatch current() {
        WriteBatch gathering = CURRENT.get();
        return gathering != null && gathering.isActive ? gathering : null;
    }

    /** Begins to hold back what this thread sends. */
    void begin() {
        CURRENT.set(this);
        isActive = true;
    }

    /** Writes everything that was held back. */
    void end() {
        isActive = false;
        for (LineWriter writer : writers) {
            writer.flushHeld();
        }
        writers.clear();
    }

    /** Registers a writer with lines to write at the end. */
    void add(LineWriter writer) {
        if (!writers.contains(writer)) {
            writers.add(writer);
        }
    }
}
