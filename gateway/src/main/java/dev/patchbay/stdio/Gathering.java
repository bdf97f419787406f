package dev.patchbay.stdio;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The writers that wait while a thread is at work on several lines it has read at once: what these
 * lines bring about goes out in one write behind the last of them, and not in one write each.
 */
final class Gathering {
    private static final ThreadLocal<@Nullable Gathering> CURRENT = new ThreadLocal<>();

    private final List<LineWriter> held = new ArrayList<>();
    private boolean open;

    /** The gathering that this thread has open; null if it has none. */
    static @Nullable Gathering current() {
        Gathering gathering = CURRENT.get();
        return gathering != null && gathering.open ? gathering : null;
    }

    /** Begins to hold back what this thread sends. */
    void begin() {
        CURRENT.set(this);
        open = true;
    }

    /** Lets out all that was held back. */
    void end() {
        open = false;
        for (LineWriter writer : held) {
            writer.release();
        }
        held.clear();
    }

    /** Notes that a writer has lines to let out at the end. */
    void hold(LineWriter writer) {
        if (!held.contains(writer)) {
            held.add(writer);
        }
    }
}
