package dev.patchbay.conformance.wire;

import dev.patchbay.testkit.Expectation;
import dev.patchbay.testkit.Expectation.Answer;
import dev.patchbay.testkit.Expectation.Silence;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawClient;
import dev.patchbay.testkit.Sample;
import dev.patchbay.testkit.StrictJson;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Lines that are sent in one write, and the answers that come back to them, in any order. Each
 * answer must be what one of the lines waits for, and no line that must be answered may be left.
 */
final class Window {
    private final RawClient client;
    private final List<Case> cases = new ArrayList<>();
    private long answered;
    private long sent;

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

    void add(Case one) {
        cases.add(one);
    }

    int size() {
        return cases.size();
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
        var seen = new HashSet<String>();
        for (Case one : cases) {
            whole.writeBytes(one.line);
            whole.write('\n');
            if (!(one.expected instanceof Silence)) {
                open.add(new Case(one.line, again(one.expected, seen)));
            }
        }
        sent += cases.size();
        cases.clear();
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
        boolean alive = false;
        while (!alive || open.stream().anyMatch(Window::mustBeAnswered)) {
            Optional<byte[]> line = client.poll(Talk.PATIENCE);
            if (line.isEmpty()) {
                throw new AssertionError(
                        "Never answered (alive: " + alive + "): " + open + ", " + note);
            }
            JsonTree message = StrictJson.parse(line.get());
            if (message.member("id").equals(Optional.of(sentinel))) {
                alive = true;
            } else if (!message.has("method")) {
                answered++;
                settle(open, message, note);
            }
        }
    }

    private static void settle(List<Case> open, JsonTree message, String note) {
        for (int i = 0; i < open.size(); i++) {
            if (open.get(i).expected.complaint(List.of(message)).isEmpty()) {
                open.remove(i);
                return;
            }
        }
        throw new AssertionError("No line waits for " + message + " of " + open + ", " + note);
    }

    private static boolean mustBeAnswered(Case one) {
        return !(one.expected instanceof Answer answer && answer.silence());
    }

    /** A second request with an id that is still in flight may be refused for that. */
    private static Expectation again(Expectation expected, Set<String> seen) {
        if (!(expected instanceof Answer answer)) {
            return expected;
        }
        boolean again = false;
        for (String id : answer.ids()) {
            again |= !seen.add(id) && !id.equals("null");
        }
        if (!again) {
            return answer;
        }
        var codes = new HashSet<>(answer.codes());
        codes.add(-32600);
        return new Answer(answer.ids(), codes, answer.result(), answer.silence());
    }
}
