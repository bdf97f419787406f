package dev.patchbay.conformance.wire;

import dev.patchbay.testkit.Expectation;
import dev.patchbay.testkit.Expectation.Answer;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which answer is for which line, where several lines may be answered alike: every line gets one
 * answer and every answer a line, if there is any way to do so.
 */
final class Matching {
    private static final int NONE = -1;

    private final List<Window.Case> cases;
    private final List<JsonTree> messages;
    private final int[] messageOf;
    private final int[] caseOf;

    /** Whether lines that may stay without an answer are passed over for now. */
    private boolean mustOnly;

    /** The cases that an answer may be for, by its id; under null also those for a whole batch. */
    private final Map<JsonTree, List<Integer>> byId = new HashMap<>();

    Matching(List<Window.Case> cases, List<JsonTree> messages) {
        this.cases = cases;
        this.messages = messages;
        this.messageOf = new int[cases.size()];
        this.caseOf = new int[messages.size()];
        Arrays.fill(messageOf, NONE);
        Arrays.fill(caseOf, NONE);
        for (int i = 0; i < cases.size(); i++) {
            for (JsonTree id : ids(cases.get(i).expected)) {
                byId.computeIfAbsent(id, _ -> new ArrayList<>()).add(i);
            }
        }
        // Lines that must be answered first: a line once matched stays so.
        mustOnly = true;
        assignAll();
        mustOnly = false;
        assignAll();
    }

    private void assignAll() {
        for (int message = 0; message < messages.size(); message++) {
            if (caseOf[message] == NONE && !inOrder(message)) {
                reassign(message, new boolean[cases.size()]);
            }
        }
    }

    /** Whether every line that must be answered is. */
    boolean complete() {
        for (int i = 0; i < messageOf.length; i++) {
            if (messageOf[i] == NONE && Window.mustBeAnswered(cases.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** What is wrong, or an empty text. */
    String fault() {
        for (int i = 0; i < caseOf.length; i++) {
            if (caseOf[i] == NONE) {
                return "No line waits for %s; of its id: %s"
                        .formatted(
                                messages.get(i), candidates(i).stream().map(cases::get).toList());
            }
        }
        for (int i = 0; i < messageOf.length; i++) {
            if (messageOf[i] == NONE && Window.mustBeAnswered(cases.get(i))) {
                return "Never answered: " + cases.get(i);
            }
        }
        return "";
    }

    /** Gives the message the first free line that it fits. */
    private boolean inOrder(int message) {
        for (int i : candidates(message)) {
            if (messageOf[i] == NONE && fits(i, message)) {
                messageOf[i] = message;
                caseOf[message] = i;
                return true;
            }
        }
        return false;
    }

    /** Gives the message a line whose own message finds another, and so on. */
    private boolean reassign(int message, boolean[] tried) {
        for (int i : candidates(message)) {
            if (tried[i] || !fits(i, message)) {
                continue;
            }
            tried[i] = true;
            if (messageOf[i] == NONE || reassign(messageOf[i], tried)) {
                messageOf[i] = message;
                caseOf[message] = i;
                return true;
            }
        }
        return false;
    }

    private static Set<JsonTree> ids(Expectation expected) {
        var ids = new HashSet<JsonTree>();
        if (expected instanceof Answer answer) {
            answer.ids().forEach(raw -> ids.add(StrictJson.parse(raw)));
        } else {
            ids.add(JsonTree.Literal.NULL);
        }
        return ids;
    }

    private List<Integer> candidates(int message) {
        JsonTree id = messages.get(message).member("id").orElse(JsonTree.Literal.NULL);
        return byId.getOrDefault(id, List.of());
    }

    private boolean fits(int line, int message) {
        if (mustOnly && !Window.mustBeAnswered(cases.get(line))) {
            return false;
        }
        return cases.get(line).expected.complaint(List.of(messages.get(message))).isEmpty();
    }
}
