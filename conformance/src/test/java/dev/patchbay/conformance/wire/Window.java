package dev.patchbay.conformance.wire;

import dev.patchbay.testkit.Expectation;
import dev.patchbay.testkit.Expectation.Answer;
import dev.patchbay.testkit.Expectation.Batch;
import dev.patchbay.testkit.Expectation.Silence;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawClient;
import dev.patchbay.testkit.Sample;
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
final class Window {
    private static final int SIZE_MAX = 500;

    private final RawClient client;
    private final List<Case> cases = new ArrayList<>();
    private final Map<Object, Expectation> waiting = new HashMap<>();
    private long answered;
    private long sent;

    /** Lines of the window before whose answers may still be under way. */
    private List<Case> late = List.of();

    /** A line and what must come back for it. */
    static final class Case {
        final byte[] line;
        final Expectation expected;

        Case(byte[] line, Expectation expected) {
            this.line = line;
            this.expected = expected;
        }

        @Override
        public String toString() {
            return expected + " for " + new Sample("line", line);
        }
    }

    Window(Talk talk) {
        this(talk.client());
    }

    Window(RawClient client) {
        this.client = client;
    }

    /** Adds a line; sends the window first if the line does not go with the others. */
    void add(Case one, String note) throws InterruptedException {
        if (cases.size() == SIZE_MAX || !fits(one)) {
            send(note);
        }
        cases.add(one);
        for (Object id : ids(one)) {
            waiting.put(id, one.expected);
        }
    }

    private boolean fits(Case one) {
        return ids(one).stream()
                .allMatch(id -> waiting.getOrDefault(id, one.expected).equals(one.expected));
    }

    /** The ids that an answer may have; without one the answers come in the order of the lines. */
    private static Set<Object> ids(Case one) {
        var ids = new HashSet<String>();
        if (one.expected instanceof Answer answer) {
            ids.addAll(answer.ids());
        } else if (one.expected instanceof Batch batch) {
            batch.items().forEach(item -> ids.addAll(item.ids()));
        }
        ids.remove("null");
        return ids.stream().map(Window::meaning).collect(Collectors.toSet());
    }

    /** What two spellings of one id have in common: 7 and 7.0 cannot both be in flight. */
    private static Object meaning(String rawId) {
        return StrictJson.parse(rawId) instanceof JsonTree.Num(String lexeme)
                ? new BigDecimal(lexeme).stripTrailingZeros()
                : StrictJson.parse(rawId);
    }

    /** How many answers came in all windows. */
    long answered() {
        return answered;
    }

    /** How many lines went out in all windows. */
    long sent() {
        return sent;
    }

    /** Sends what was added, waits for all its answers, and begins anew. */
    void send(String note) throws InterruptedException {
        var whole = new ByteArrayOutputStream();
        List<Case> open = new ArrayList<>();
        var seen = new HashSet<>();
        for (Case one : cases) {
            whole.writeBytes(one.line);
            whole.write('\n');
            if (!(one.expected instanceof Silence)) {
                open.add(new Case(one.line, again(one.expected, seen)));
            }
        }
        sent += cases.size();
        cases.clear();
        waiting.clear();
        JsonTree sentinel = new JsonTree.Str("window " + sent);
        whole.writeBytes(Talk.bytes(Messages.request(sentinel.write(), "ping", "") + "\n"));
        Thread writer = Thread.ofPlatform().start(() -> client.send(whole.toByteArray()));
        collect(open, sentinel, note);
        if (!writer.join(Talk.PATIENCE)) {
            throw new AssertionError("The program does not read, " + note);
        }
    }

    private void collect(List<Case> open, JsonTree sentinel, String note)
            throws InterruptedException {
        var received = new ArrayList<JsonTree>();
        long least = open.stream().filter(Window::mustBeAnswered).count();
        open.addAll(late);
        boolean alive = false;
        while (!alive || received.size() < least || !new Matching(open, received).complete()) {
            Optional<byte[]> line = client.poll(Talk.PATIENCE);
            if (line.isEmpty()) {
                throw new AssertionError(
                        (alive ? "" : "Dead; ")
                                + new Matching(open, received).fault()
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
        answered += received.size();
        var matching = new Matching(open, received);
        if (!matching.fault().isEmpty()) {
            throw new AssertionError(matching.fault() + ", " + note);
        }
        open.removeAll(late);
        late = received.size() < open.size() ? lateOnes(open) : List.of();
    }

    /**
     * The lines that may be answered under either of several ids. An answer without an id, to a
     * line that needed none, may have been taken for theirs.
     */
    private static List<Case> lateOnes(List<Case> open) {
        var late = new ArrayList<Case>();
        for (Case one : open) {
            if (one.expected instanceof Answer(var ids, var codes, var result, _)
                    && ids.size() > 1) {
                late.add(new Case(one.line, new Answer(ids, codes, result, true)));
            }
        }
        return late;
    }

    static boolean mustBeAnswered(Case one) {
        return !(one.expected instanceof Answer answer && answer.silence());
    }

    /** A second request with an id that is still in flight may be refused for that. */
    private static Expectation again(Expectation expected, Set<Object> seen) {
        if (expected instanceof Batch batch) {
            var items = new ArrayList<Answer>();
            for (Answer item : batch.items()) {
                items.add((Answer) again(item, seen));
            }
            return new Batch(items, batch.refusal());
        }
        if (!(expected instanceof Answer answer)) {
            return expected;
        }
        boolean again = false;
        for (String id : answer.ids()) {
            again |= !seen.add(meaning(id)) && !id.equals("null");
        }
        if (!again) {
            return answer;
        }
        var codes = new HashSet<>(answer.codes());
        codes.add(-32600);
        return new Answer(answer.ids(), codes, answer.result(), answer.silence());
    }
}
