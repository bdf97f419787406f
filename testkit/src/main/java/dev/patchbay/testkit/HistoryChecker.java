package dev.patchbay.testkit;

import dev.patchbay.testkit.Expectation.Answer;
import dev.patchbay.testkit.Expectation.Batch;
import dev.patchbay.testkit.Expectation.Silence;
import dev.patchbay.testkit.Traffic.Direction;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Proves from the recorded traffic of a client that every request got exactly one answer under its
 * own id, none or one if it was cancelled, and that nothing else was answered. It looks at the
 * whole history from outside, so it does not depend on what a test waited for.
 */
public final class HistoryChecker {
    private final LineOracle oracle;
    private final List<Open> open = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final Set<JsonTree> serverRequests = new HashSet<>();

    private HistoryChecker(LineOracle oracle) {
        this.oracle = oracle;
    }

    /** Something sent that is still to be answered. */
    private static final class Open {
        final Set<JsonTree> ids = new HashSet<>();
        final String line;
        boolean optional;

        Open(Answer answer, byte[] line) {
            for (String raw : answer.ids()) {
                ids.add(StrictJson.parse(raw));
            }
            this.line = Text.brief(line);
            this.optional = answer.silence();
        }
    }

    /** The violations in a history that is over, as sentences; empty is the aim. */
    public static List<String> check(List<Traffic> history) {
        return check(history, LineOracle.legacy("2025-11-25"));
    }

    /** As {@link #check(List)}, with batches read as the oracle reads them. */
    public static List<String> check(List<Traffic> history, LineOracle oracle) {
        var checker = new HistoryChecker(oracle);
        for (Traffic traffic : history) {
            if (traffic.direction() == Direction.SENT) {
                checker.sent(traffic.line());
            } else {
                checker.received(traffic.line());
            }
        }
        for (Open left : checker.open) {
            if (!left.optional) {
                checker.violations.add("Never answered: " + left.line);
            }
        }
        return checker.violations;
    }

    private void sent(byte[] line) {
        switch (oracle.expect(line)) {
            case Silence() -> StrictJson.tryParse(line).ifPresent(this::silent);
            case Answer answer -> open.add(new Open(answer, line));
            case Batch batch -> {
                for (Answer item : batch.items()) {
                    open.add(new Open(item, line));
                }
            }
        }
    }

    /** A cancellation makes the answer to the newest request of that id optional. */
    private void silent(JsonTree message) {
        Optional<JsonTree> id = message.find("params", "requestId");
        boolean cancel =
                message.member("method")
                        .equals(Optional.of(new JsonTree.Str("notifications/cancelled")));
        if (cancel && id.isPresent()) {
            for (Open request : open) {
                request.optional = request.optional || request.ids.contains(id.get());
            }
        }
    }

    private void received(byte[] line) {
        Optional<JsonTree> message = StrictJson.tryParse(line);
        if (message.isEmpty()) {
            violations.add("Received a line that is not strict JSON: " + Text.brief(line));
        } else if (message.get() instanceof JsonTree.Arr array) {
            array.items().forEach(this::receivedMessage);
        } else {
            receivedMessage(message.get());
        }
    }

    private void receivedMessage(JsonTree message) {
        if (message.has("method")) {
            called(message);
            return;
        }
        Optional<String> fault = Expectation.shapeFault(message);
        fault.ifPresent(violations::add);
        Optional<JsonTree> id = message.member("id");
        if (id.isPresent() && !close(id.get())) {
            violations.add(unknown(id.get(), message));
        }
    }

    private void called(JsonTree message) {
        if (!(message.at("method") instanceof JsonTree.Str) || message.has("result")) {
            violations.add("Neither a request nor a notification: " + Text.brief(message.write()));
        }
        Optional<JsonTree> id = message.member("id");
        if (id.isPresent() && !RequestIds.legal(id.get())) {
            violations.add("A request with an illegal id: " + Text.brief(message.write()));
        } else if (id.isPresent() && !serverRequests.add(id.get())) {
            violations.add("A second request with the id " + id.get());
        }
    }

    /** Settles the oldest thing this id answers; prefers what must be answered. */
    private boolean close(JsonTree id) {
        for (boolean optional : List.of(false, true)) {
            for (int i = 0; i < open.size(); i++) {
                Open candidate = open.get(i);
                if (candidate.optional == optional && candidate.ids.contains(id)) {
                    open.remove(i);
                    return true;
                }
            }
        }
        return false;
    }

    private String unknown(JsonTree id, JsonTree message) {
        String said = Text.brief(message.write());
        for (Open candidate : open) {
            for (JsonTree asked : candidate.ids) {
                if (sameText(asked, id)) {
                    return "Asked under the id " + asked + ", answered under " + id + ": " + said;
                }
            }
        }
        return "Answered twice, or never asked: " + said;
    }

    private static boolean sameText(JsonTree one, JsonTree other) {
        return one.write().replace("\"", "").equals(other.write().replace("\"", ""));
    }
}
