package dev.patchbay.testkit;

import dev.patchbay.testkit.TrafficLine.Direction;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The lines between a client and its process. Those that are kept are checked when somebody asks
 * for the faults, so that the check takes no time from the conversation; the others as they come.
 */
final class TrafficLog {
    private final boolean keepsLines;
    private final @Nullable LineCheck check;
    private final List<TrafficLine> lines = new ArrayList<>();
    private int checkedCount;

    TrafficLog(boolean keeps, @Nullable LineCheck check) {
        this.keepsLines = keeps;
        this.check = check;
    }

    synchronized void add(Direction direction, byte[] line) {
        var traffic = new TrafficLine(direction, System.nanoTime(), line);
        if (keepsLines) {
            lines.add(traffic);
        } else if (check != null) {
            applyCheck(check, traffic);
        }
    }

    /** The lines kept so far, in order. */
    synchronized List<TrafficLine> lines() {
        return List.copyOf(lines);
    }

    /** What the check has to say of all lines so far. */
    synchronized List<String> violations() {
        if (check == null) {
            return List.of();
        }
        for (; checkedCount < lines.size(); checkedCount++) {
            applyCheck(check, lines.get(checkedCount));
        }
        return check.violations();
    }

    private static void applyCheck(LineCheck check, TrafficLine traffic) {
        switch (traffic.direction()) {
            case SENT -> check.sent(traffic.line());
            case RECEIVED -> check.received(traffic.line());
        }
    }
}
