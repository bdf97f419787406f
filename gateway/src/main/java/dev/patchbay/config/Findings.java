package dev.patchbay.config;

import dev.patchbay.config.Finding.Kind;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All that was found so far in one text. */
final class Findings {
    /** A file with more has one cause; the rest would only hide it. */
    private static final int FINDINGS_MAX = 200;

    /** Where something stands: the way to it, and its first char. */
    record Spot(String path, int offset) {
        /** Where an element of a list stands. */
        Spot element(int index, Node element) {
            return new Spot(path + "[" + index + "]", element.from());
        }

        /** Where the value of a member stands. */
        Spot member(String name, Node value) {
            return new Spot(Quoted.member(path, name), value.from());
        }
    }

    private final Lines lines;
    private final List<Finding> found = new ArrayList<>();
    private boolean faulty;

    Findings(String text) {
        lines = new Lines(text);
    }

    void add(Kind kind, Spot spot, String problem, String remedy) {
        faulty |= kind.severity() == Finding.Severity.ERROR;
        if (!isFull()) {
            var place = lines.place(spot.offset());
            found.add(new Finding(kind, place, spot.path(), problem, remedy));
        }
    }

    /** Whether more would not be kept, so that nobody need look for it. */
    boolean isFull() {
        return found.size() >= FINDINGS_MAX;
    }

    boolean isFaulty() {
        return faulty;
    }

    /** What was found, in the order of the text. */
    List<Finding> inOrder() {
        if (found.isEmpty()) {
            return List.of();
        }
        var order =
                Comparator.comparingInt((Finding finding) -> finding.place().line())
                        .thenComparingInt(finding -> finding.place().column());
        return found.stream().sorted(order).toList();
    }

    /** The place of a char in the text, for messages that name a second place. */
    Place place(int offset) {
        return lines.place(offset);
    }
}
