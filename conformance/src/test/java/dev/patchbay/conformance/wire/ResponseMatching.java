package dev.patchbay.conformance.wire;

import dev.patchbay.testkit.ExpectedResponse;
import dev.patchbay.testkit.ExpectedResponse.SingleResponse;
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
final class ResponseMatching {
    private static final int NONE = -1;

    private final List<RequestBurst.ExpectedLine> lines;
    private final List<JsonTree> messages;
    private final int[] messageOf;
    private final int[] lineOf;

    /** Whether lines that may stay without an answer are passed over for now. */
    private boolean requiredOnly;

    /** The cases that an answer may be for, by its id; under null also those for a whole batch. */
    private final Map<JsonTree, List<Integer>> byId = new HashMap<>();

    ResponseMatching(List<RequestBurst.ExpectedLine> cases, List<JsonTree> messages) {
        this.lines = cases;
        this.messages = messages;
        this.messageOf = new int[cases.size()];
        this.lineOf = new int[messages.size()];
        Arrays.fill(messageOf, NONE);
        Arrays.fill(lineOf, NONE);
        for (int i = 0; i < cases.size(); i++) {
            for (JsonTree id : ids(cases.get(i).expected)) {
                byId.computeIfAbsent(id, _ -> new ArrayList<>()).add(i);
            }
        }
        // Lines that must be answered first: a line once matched stays so.
        requiredOnly = true;
        assignAll();
        requiredOnly = false;
        assignAll();
    }

    private void assignAll() {
        for (int message = 0; message < messages.size(); message++) {
            if (lineOf[message] == NONE && !assignFirstFree(message)) {
                reassign(message, new boolean[lines.size()]);
            }
        }
    }

    /** Whether every line that must be answered is. */
    boolean isComplete() {
        for (int i = 0; i < messageOf.length; i++) {
            if (messageOf[i] == NONE && RequestBurst.mustBeAnswered(lines.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** What is wrong, or an empty text. */
    String mismatch() {
        for (int i = 0; i < lineOf.length; i++) {
            if (lineOf[i] == NONE) {
                return "No line waits for %s; of its id: %s"
                        .formatted(
                                messages.get(i), candidates(i).stream().map(lines::get).toList());
            }
        }
        for (int i = 0; i < messageOf.length; i++) {
            if (messageOf[i] == NONE && RequestBurst.mustBeAnswered(lines.get(i))) {
                return "Never answered: " + lines.get(i);
            }
        }
        return "";
    }

    /** Gives the message the first free line that it fits. */
    private boolean assignFirstFree(int message) {
        for (int i : candidates(message)) {
            if (messageOf[i] == NONE && matches(i, message)) {
                messageOf[i] = message;
                lineOf[message] = i;
                return true;
            }
        }
        return false;
    }

    /** Gives the message a line whose own message finds another, and so on. */
    private boolean reassign(int message, boolean[] tried) {
        for (int i : candidates(message)) {
            if (tried[i] || !matches(i, message)) {
                continue;
            }
            tried[i] = true;
            if (messageOf[i] == NONE || reassign(messageOf[i], tried)) {
                messageOf[i] = message;
                lineOf[message] = i;
                return true;
            }
        }
        return false;
    }

    private static Set<JsonTree> ids(ExpectedResponse expected) {
        var ids = new HashSet<JsonTree>();
        if (expected instanceof SingleResponse answer) {
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

    private boolean matches(int line, int message) {
        if (requiredOnly && !RequestBurst.mustBeAnswered(lines.get(line))) {
            return false;
        }
        return lines.get(line).expected.mismatch(List.of(messages.get(message))).isEmpty();
    }
}
