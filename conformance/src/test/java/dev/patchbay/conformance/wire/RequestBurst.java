package dev.patchbay.conformance.wire;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.ExpectedResponse;
import dev.patchbay.testkit.ExpectedResponse.BatchResponse;
import dev.patchbay.testkit.ExpectedResponse.NoResponse;
import dev.patchbay.testkit.ExpectedResponse.SingleResponse;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.RawStdioClient;
import dev.patchbay.testkit.SampleLine;
import dev.patchbay.testkit.StrictJson;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Lines that are sent in one write, and the answers that come back to them, in any order. Each
 * answer must be what one of the lines waits for, and no line that must be answered may be left.
 * Two lines of one window that wait for an answer under one id wait for the same.
 */
final class RequestBurst {
    private static final int SIZE_MAX = 500;

    private final RawStdioClient client;
    private final List<ExpectedLine> lines = new ArrayList<>();
    private final Map<Object, ExpectedResponse> waiting = new HashMap<>();
    private long answeredCount;
    private long sentCount;

    /** Lines of the window before whose answers may still be under way. */
    private List<ExpectedLine> possiblyLate = List.of();

    /** A line and what must come back for it. */
    static final class ExpectedLine {
        final byte[] line;
        final ExpectedResponse expected;

        ExpectedLine(byte[] line, ExpectedResponse expected) {
            this.line = line;
            this.expected = expected;
        }

        @Override
        public String toString() {
            return expected + " for " + new SampleLine("line", line);
        }
    }

    RequestBurst(CheckedConversation talk) {
        this(talk.client());
    }

    RequestBurst(RawStdioClient client) {
        this.client = client;
    }

    /** Adds a line; sends the window first if the line does not go with the others. */
    void add(ExpectedLine one, String note) throws InterruptedException {
        if (lines.size() == SIZE_MAX || !isCompatible(one)) {
            send(note);
        }
        lines.add(one);
        for (Object id : ids(one)) {
            waiting.put(id, one.expected);
        }
    }

    private boolean isCompatible(ExpectedLine one) {
        return ids(one).stream()
                .allMatch(id -> waiting.getOrDefault(id, one.expected).equals(one.expected));
    }

    /** The ids that an answer may have; without one the answers come in the order of the lines. */
    private static Set<Object> ids(ExpectedLine one) {
        var ids = new HashSet<String>();
        if (one.expected instanceof SingleResponse answer) {
            ids.addAll(answer.ids());
        } else if (one.expected instanceof BatchResponse batch) {
            batch.items().forEach(item -> ids.addAll(item.ids()));
        }
        ids.remove("null");
        return ids.stream().map(RequestBurst::canonicalId).collect(Collectors.toSet());
    }

    /** What two spellings of one id have in common: 7 and 7.0 cannot both be in flight. */
    private static Object canonicalId(String rawId) {
        return StrictJson.parse(rawId) instanceof JsonTree.Num(String lexeme)
                ? new BigDecimal(lexeme).stripTrailingZeros()
                : StrictJson.parse(rawId);
    }

    /** How many answers came in all windows. */
    long answeredCount() {
        return answeredCount;
    }

    /** How many lines went out in all windows. */
    long sentCount() {
        return sentCount;
    }

    /** Sends what was added, waits for all its answers, and begins anew. */
    void send(String note) throws InterruptedException {
        var whole = new ByteArrayOutputStream();
        List<ExpectedLine> open = new ArrayList<>();
        var seen = new HashSet<>();
        for (ExpectedLine one : lines) {
            whole.writeBytes(one.line);
            whole.write('\n');
            if (!(one.expected instanceof NoResponse)) {
                open.add(new ExpectedLine(one.line, allowingDuplicateId(one.expected, seen)));
            }
        }
        sentCount += lines.size();
        lines.clear();
        waiting.clear();
        JsonTree sentinel = new JsonTree.Str("window " + sentCount);
        whole.writeBytes(
                CheckedConversation.bytes(
                        ClientMessages.request(sentinel.write(), "ping", "") + "\n"));
        Thread writer = Thread.ofPlatform().start(() -> client.send(whole.toByteArray()));
        collectResponses(open, sentinel, note);
        if (!writer.join(CheckedConversation.TIMEOUT)) {
            throw new AssertionError("The program does not read, " + note);
        }
    }

    private void collectResponses(List<ExpectedLine> open, JsonTree sentinel, String note)
            throws InterruptedException {
        var received = new ArrayList<JsonTree>();
        long least = open.stream().filter(RequestBurst::mustBeAnswered).count();
        open.addAll(possiblyLate);
        boolean alive = false;
        while (!alive
                || received.size() < least
                || !new ResponseMatching(open, received).isComplete()) {
            Optional<byte[]> line = client.poll(CheckedConversation.TIMEOUT);
            if (line.isEmpty()) {
                throw new AssertionError(
                        (alive ? "" : "Dead; ")
                                + new ResponseMatching(open, received).mismatch()
                                + ", "
                                + note);
            }
            JsonTree message = StrictJson.parse(line.get());
            if (message.member("id").equals(Optional.of(sentinel))) {
                alive = true;
            } else if (!message.has("method")) {
                received.add(message);
            }
        }
        answeredCount += received.size();
        var matching = new ResponseMatching(open, received);
        if (!matching.mismatch().isEmpty()) {
            throw new AssertionError(matching.mismatch() + ", " + note);
        }
        open.removeAll(possiblyLate);
        possiblyLate = received.size() < open.size() ? findPossiblyLate(open) : List.of();
    }

    /**
     * The lines that may be answered under either of several ids. An answer without an id, to a
     * line that needed none, may have been taken for theirs.
     */
    private static List<ExpectedLine> findPossiblyLate(List<ExpectedLine> open) {
        var late = new ArrayList<ExpectedLine>();
        for (ExpectedLine one : open) {
            if (one.expected instanceof SingleResponse(var ids, var codes, var result, _)
                    && ids.size() > 1) {
                late.add(new ExpectedLine(one.line, new SingleResponse(ids, codes, result, true)));
            }
        }
        return late;
    }

    static boolean mustBeAnswered(ExpectedLine one) {
        return !(one.expected instanceof SingleResponse answer && answer.mayBeAbsent());
    }

    /** A second request with an id that is still in flight may be refused for that. */
    private static ExpectedResponse allowingDuplicateId(
            ExpectedResponse expected, Set<Object> seen) {
        if (expected instanceof BatchResponse batch) {
            var items = new ArrayList<SingleResponse>();
            for (SingleResponse item : batch.items()) {
                items.add((SingleResponse) allowingDuplicateId(item, seen));
            }
            return new BatchResponse(items, batch.mayBeRejected());
        }
        if (!(expected instanceof SingleResponse answer)) {
            return expected;
        }
        boolean again = false;
        for (String id : answer.ids()) {
            again |= !seen.add(canonicalId(id)) && !id.equals("null");
        }
        if (!again) {
            return answer;
        }
        var codes = new HashSet<>(answer.codes());
        codes.add(-32600);
        return new SingleResponse(answer.ids(), codes, answer.mayBeResult(), answer.mayBeAbsent());
    }
}
