package dev.patchbay.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What every line of an MCP endpoint on stdio must be, and the lines that were not. */
final class OutputRules {
    private static final int VIOLATIONS_MAX = 1_000;

    private final boolean allowsArrays;
    private final List<String> violations = new ArrayList<>();
    private long violationCount;

    OutputRules(boolean arrays) {
        this.allowsArrays = arrays;
    }

    /** Checks a complete line; returns its value if it is strict JSON. */
    Optional<JsonTree> check(byte[] line) {
        for (byte b : line) {
            if (b == '\r') {
                addViolation("A line holds a carriage return", line);
                break;
            }
        }
        try {
            JsonTree tree = StrictJson.parse(line);
            boolean array = allowsArrays && tree instanceof JsonTree.Arr;
            if (!array && !(tree instanceof JsonTree.Obj)) {
                addViolation("A line is no object", line);
            }
            return Optional.of(tree);
        } catch (StrictJsonException e) {
            addViolation("A line is not strict JSON (" + e.getMessage() + ")", line);
            return Optional.empty();
        }
    }

    synchronized void addViolation(String rule, byte[] line) {
        violationCount++;
        if (violations.size() < VIOLATIONS_MAX) {
            violations.add(rule + ": " + Utf8Text.abbreviate(line));
        }
    }

    /** The violations seen so far, at most a thousand of them, and a sentence about the others. */
    synchronized List<String> violations() {
        var all = new ArrayList<>(violations);
        if (violationCount > all.size()) {
            all.add("and " + (violationCount - all.size()) + " more");
        }
        return all;
    }
}
