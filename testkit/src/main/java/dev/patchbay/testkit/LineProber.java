package dev.patchbay.testkit;

import dev.patchbay.testkit.ExpectedResponse.NoResponse;
import dev.patchbay.testkit.ExpectedResponse.SingleResponse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Sends one line at a time and says what was wrong with what came back. A ping follows each line; a
 * line is over when the ping is answered and the line itself has got the answer it must get.
 */
public final class LineProber {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final RawStdioClient client;
    private final LineOracle oracle;
    private long pings;

    public LineProber(RawStdioClient client, LineOracle oracle) {
        this.client = client;
        this.oracle = oracle;
    }

    /** What is wrong with the answer to this line, or nothing if it is right. */
    public Optional<String> probe(byte[] line) throws InterruptedException {
        ExpectedResponse expected = oracle.expect(line);
        List<JsonTree> received = exchange(line, expected);
        return expected.mismatch(received)
                .map(complaint -> complaint + ", after the line " + Utf8Text.abbreviate(line));
    }

    /**
     * Whether something is wrong with the answer to this line; a dead or deaf process is wrong too,
     * so a line that kills must be shrunk with a new process for each attempt.
     */
    public boolean fails(byte[] line) {
        try {
            return probe(line).isPresent();
        } catch (AssertionError e) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private List<JsonTree> exchange(byte[] line, ExpectedResponse expected)
            throws InterruptedException {
        pings++;
        JsonTree ping = new JsonTree.Str("ping after line " + pings);
        client.sendLine(line);
        client.sendLine(ClientMessages.request(ping.write(), "ping", ""));
        boolean answerDue = !(expected instanceof NoResponse) && !mayBeAbsent(expected);
        boolean pingDue = true;
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        var received = new ArrayList<JsonTree>();
        while (pingDue || (answerDue && received.isEmpty())) {
            Duration left = Duration.ofNanos(deadline - System.nanoTime());
            Optional<JsonTree> message = client.poll(LineProber::isResponse, left);
            if (message.isEmpty()) {
                return onTimeout(received, pingDue);
            }
            if (message.get().member("id").equals(Optional.of(ping))) {
                pingDue = false;
            } else {
                received.add(message.get());
            }
        }
        return received;
    }

    private List<JsonTree> onTimeout(List<JsonTree> received, boolean pingDue) {
        if (pingDue) {
            throw new AssertionError(
                    "The ping after the line was not answered; the process "
                            + (client.isAlive() ? "runs" : "is gone")
                            + ", stderr: "
                            + Utf8Text.abbreviate(client.stderr()));
        }
        return received;
    }

    private static boolean isResponse(JsonTree message) {
        return !message.has("method");
    }

    private static boolean mayBeAbsent(ExpectedResponse expected) {
        return expected instanceof SingleResponse answer && answer.mayBeAbsent();
    }
}
