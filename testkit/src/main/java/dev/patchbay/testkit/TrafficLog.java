package dev.patchbay.testkit;

import dev.patchbay.testkit.Traffic.Direction;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The lines between a client and its process. Those that are kept are checked when somebody asks
 * for the faults, so that the check takes no time from the conversation; the others as they come.
 */
final class TrafficLog {
    private final boolean keeps;
    private final @Nullable LineCheck check;
    private final List<Traffic> lines = new ArrayList<>();
    private int checked;

    TrafficLog(boolean keeps, @Nullable LineCheck check) {
        this.keeps = keeps;
        this.check = check;
    }

    synchronized void add(Direction direction, byte[] line) {
        var traffic = new Traffic(direction, System.nanoTime(), line);
        if (keeps) {
            lines.add(traffic);
        } else if (check != null) {
            look(check, traffic);
        }
    }

    /** The lines kept so far, in order. */
    synchronized List<Traffic> lines() {
        return List.copyOf(lines);
    }

    /** What the check has to say of all lines so far. */
    synchronized List<String> faults() {
        if (check == null) {
            return List.of();
        }
        for (; checked < lines.size(); checked++) {
            look(check, lines.get(checked));
        }
        return check.faults();
    }

    private static void look(LineCheck check, Traffic traffic) {
        switch (traffic.direction()) {
            case SENT -> check.sent(traffic.line());
            case RECEIVED -> check.received(traffic.line());
        }
    }
}
