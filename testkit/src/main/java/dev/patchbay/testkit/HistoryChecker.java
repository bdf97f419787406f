package dev.patchbay.testkit;

import dev.patchbay.testkit.ExpectedResponse.BatchResponse;
import dev.patchbay.testkit.ExpectedResponse.NoResponse;
import dev.patchbay.testkit.ExpectedResponse.SingleResponse;
import dev.patchbay.testkit.TrafficLine.Direction;

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
    private final List<PendingRequest> pending = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final Set<JsonTree> serverRequests = new HashSet<>();

    private HistoryChecker(LineOracle oracle) {
        this.oracle = oracle;
    }

    /** Something sent that is still to be answered. */
    private static final class PendingRequest {
        final Set<JsonTree> ids = new HashSet<>();
        final String line;
        boolean optional;

        PendingRequest(SingleResponse answer, byte[] line) {
            for (String raw : answer.ids()) {
                ids.add(StrictJson.parse(raw));
            }
            this.line = Utf8Text.abbreviate(line);
            this.optional = answer.mayBeAbsent();
        }
    }

    /** The violations in a history that is over, as sentences; empty is the aim. */
    public static List<String> check(List<TrafficLine> history) {
        return check(history, LineOracle.legacy("2025-11-25"));
    }

    /** As {@link #check(List)}, with batches read as the oracle reads them. */
    public static List<String> check(List<TrafficLine> history, LineOracle oracle) {
        var checker = new HistoryChecker(oracle);
        for (TrafficLine traffic : history) {
            if (traffic.direction() == Direction.SENT) {
                checker.recordSent(traffic.line());
            } else {
                checker.checkReceived(traffic.line());
            }
        }
        for (PendingRequest left : checker.pending) {
            if (!left.optional) {
                checker.violations.add("Never answered: " + left.line);
            }
        }
        return checker.violations;
    }

    private void recordSent(byte[] line) {
        switch (oracle.expect(line)) {
            case NoResponse() -> StrictJson.tryParse(line).ifPresent(this::recordCancellation);
            case SingleResponse answer -> pending.add(new PendingRequest(answer, line));
            case BatchResponse batch -> {
                for (SingleResponse item : batch.items()) {
                    pending.add(new PendingRequest(item, line));
                }
            }
        }
    }

    /** A cancellation makes the answer to the newest request of that id optional. */
    private void recordCancellation(JsonTree message) {
        Optional<JsonTree> id = message.findAt("params", "requestId");
        boolean cancel =
                message.member("method")
                        .equals(Optional.of(new JsonTree.Str("notifications/cancelled")));
        if (cancel && id.isPresent()) {
            for (PendingRequest request : pending) {
                request.optional = request.optional || request.ids.contains(id.get());
            }
        }
    }

    private void checkReceived(byte[] line) {
        Optional<JsonTree> message = StrictJson.tryParse(line);
        if (message.isEmpty()) {
            violations.add("Received a line that is not strict JSON: " + Utf8Text.abbreviate(line));
        } else if (message.get() instanceof JsonTree.Arr array) {
            array.items().forEach(this::checkReceivedMessage);
        } else {
            checkReceivedMessage(message.get());
        }
    }

    private void checkReceivedMessage(JsonTree message) {
        if (message.has("method")) {
            checkReceivedCall(message);
            return;
        }
        Optional<String> fault = ExpectedResponse.envelopeError(message);
        fault.ifPresent(violations::add);
        Optional<JsonTree> id = message.member("id");
        if (id.isPresent() && !completePending(id.get())) {
            violations.add(describeUnmatched(id.get(), message));
        }
    }

    private void checkReceivedCall(JsonTree message) {
        if (!(message.at("method") instanceof JsonTree.Str) || message.has("result")) {
            violations.add(
                    "Neither a request nor a notification: "
                            + Utf8Text.abbreviate(message.write()));
        }
        Optional<JsonTree> id = message.member("id");
        if (id.isPresent() && !RequestIds.isLegal(id.get())) {
            violations.add("A request with an illegal id: " + Utf8Text.abbreviate(message.write()));
        } else if (id.isPresent() && !serverRequests.add(id.get())) {
            violations.add("A second request with the id " + id.get());
        }
    }

    /** Settles the oldest thing this id answers; prefers what must be answered. */
    private boolean completePending(JsonTree id) {
        for (boolean optional : List.of(false, true)) {
            for (int i = 0; i < pending.size(); i++) {
                PendingRequest candidate = pending.get(i);
                if (candidate.optional == optional && candidate.ids.contains(id)) {
                    pending.remove(i);
                    return true;
                }
            }
        }
        return false;
    }

    private String describeUnmatched(JsonTree id, JsonTree message) {
        String said = Utf8Text.abbreviate(message.write());
        for (PendingRequest candidate : pending) {
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
