package dev.patchbay.stdio;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The writers that wait while a thread is at work on several lines it has read at once: what these
 * lines bring about goes out in one write behind the last of them, and not in one write each.
 */
final class WriteBatch {
    private static final ThreadLocal<@Nullable WriteBatch> CURRENT = new ThreadLocal<>();

    private final List<LineWriter> writers = new ArrayList<>();
    private boolean isActive;

    /** The gathering that this thread has open; null if it has none. */
    static @Nullable WriteBatch current() {
        WriteBatch gathering = CURRENT.get();
        return gathering != null && gathering.isActive ? gathering : null;
    }

    /** Begins to hold back what this thread sends. */
    void begin() {
        CURRENT.set(this);
        isActive = true;
    }

    /** Lets out all that was held back. */
    void end() {
        isActive = false;
        for (LineWriter writer : writers) {
            writer.flushHeld();
        }
        writers.clear();
    }

    /** Notes that a writer has lines to let out at the end. */
    void add(LineWriter writer) {
        if (!writers.contains(writer)) {
            writers.add(writer);
        }
    }
}
