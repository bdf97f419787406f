package dev.patchbay.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What every line of an MCP endpoint on stdio must be, and the lines that were not. */
final class OutputRules {
    private static final int VIOLATIONS_MAX = 1_000;

    private final boolean arrays;
    private final List<String> violations = new ArrayList<>();
    private long count;

    OutputRules(boolean arrays) {
        this.arrays = arrays;
    }

    /** Checks a complete line; returns its value if it is strict JSON. */
    Optional<JsonTree> check(byte[] line) {
        for (byte b : line) {
            if (b == '\r') {
                violated("A line holds a carriage return", line);
                break;
            }
        }
        try {
            JsonTree tree = StrictJson.parse(line);
            boolean array = arrays && tree instanceof JsonTree.Arr;
            if (!array && !(tree instanceof JsonTree.Obj)) {
                violated("A line is no object", line);
            }
            return Optional.of(tree);
        } catch (JsonFault e) {
            violated("A line is not strict JSON (" + e.getMessage() + ")", line);
            return Optional.empty();
        }
    }

    synchronized void violated(String rule, byte[] line) {
        count++;
        if (violations.size() < VIOLATIONS_MAX) {
            violations.add(rule + ": " + Text.brief(line));
        }
    }

    /** The violations seen so far, at most a thousand of them, and a sentence about the others. */
    synchronized List<String> violations() {
        var all = new ArrayList<>(violations);
        if (count > all.size()) {
            all.add("and " + (count - all.size()) + " more");
        }
        return all;
    }
}
