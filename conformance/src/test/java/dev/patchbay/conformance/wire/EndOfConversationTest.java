package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Launch;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawClient;
import dev.patchbay.testkit.Stopwatch;
import dev.patchbay.testkit.Traffic;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** However a conversation ends, what was asked is answered first, and the program goes. */
class EndOfConversationTest {
    private static final int PIPELINED = 900;

    /** The grace of the program and some for a busy machine. */
    private static final Duration SOON = Duration.ofSeconds(20);

    private static final String LISTEN =
            Messages.modernParams("{\"notifications\":{\"toolsListChanged\":true}}");

    /** RR13: the end of the input is not the end of the output. */
    @ParameterizedTest
    @MethodSource("dev.patchbay.conformance.wire.Cell#gateways")
    void answersEverythingReadBeforeTheEndOfInput(Cell cell) throws Exception {
        try (var talk = Talk.open(cell)) {
            var lines = new StringBuilder();
            for (int i = 0; i < PIPELINED; i++) {
                lines.append(talk.request("\"" + i + "\"", "tools/list", "")).append('\n');
            }
            talk.client().send(Talk.bytes(lines.toString()));
            talk.finish();
            assertThat(answers(talk.client())).isGreaterThanOrEqualTo(PIPELINED);
        }
    }

    /** RR13: a last line needs no line feed. */
    @ParameterizedTest
    @MethodSource("dev.patchbay.conformance.wire.Cell#gateways")
    void answersALastLineWithoutLineFeed(Cell cell) throws Exception {
        try (var talk = Talk.open(cell)) {
            talk.client().send(Talk.bytes(talk.request("\"last\"", "tools/list", "")));
            talk.client().closeInput();
            assertThat(talk.client().awaitAnswer("\"last\"").has("result")).isTrue();
            assertThat(talk.client().exitCode(SOON)).isZero();
            assertLinesFit(talk);
        }
    }

    /** RR13: in the middle of a message. */
    @ParameterizedTest
    @MethodSource("dev.patchbay.conformance.wire.Cell#gateways")
    void endsWellInTheMiddleOfAMessage(Cell cell) throws Exception {
        endsWellAfter(cell, "{\"jsonrpc\":\"2.0\",\"id\":7,\"meth");
    }

    /** RR13. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", " ", "\"\\"})
    void endsWellWhereverTheInputEnds(String last) throws Exception {
        endsWellAfter(Cell.PLAIN, last);
    }

    private static void endsWellAfter(Cell cell, String last) throws InterruptedException {
        try (var talk = Talk.start(cell)) {
            talk.client().send(Talk.bytes(last));
            talk.client().closeInput();
            assertThat(talk.client().exitCode(SOON)).isZero();
            assertThat(talk.client().awaitEnd(SOON)).isTrue();
            assertThat(talk.client().untaken()).isEqualTo(last.isBlank() ? 0 : 1);
            assertLinesFit(talk);
        }
    }

    /** The lines alone: a last line that has no end is in no history. */
    private static void assertLinesFit(Talk talk) {
        assertThat(talk.client().violations()).isEmpty();
    }

    /** A subscription has no end of its own: the end of the conversation is its result. */
    @Test
    void completesSubscriptionsAtTheEndOfInput() throws Exception {
        try (var talk = Talk.open(Cell.MODERN)) {
            talk.client().sendLine(Messages.request("\"l\"", "subscriptions/listen", LISTEN));
            talk.client().awaitMethod("notifications/subscriptions/acknowledged");
            var watch = Stopwatch.start();
            talk.client().closeInput();
            JsonTree answer = talk.client().awaitAnswer("\"l\"");
            assertThat(answer.has("result")).as("%s", answer).isTrue();
            assertThat(talk.client().exitCode(SOON)).isZero();
            assertThat(watch.net()).isLessThan(Duration.ofSeconds(8));
            talk.assertAllWell();
        }
    }

    /** RR14 and MI10: nobody reads any more. */
    @ParameterizedTest
    @MethodSource("dev.patchbay.conformance.wire.Cell#gateways")
    void endsWhenItsOutputIsClosed(Cell cell) throws Exception {
        try (var talk = Talk.open(cell)) {
            RawClient client = talk.client();
            client.closeOutput();
            byte[] ping = Talk.bytes(Messages.request("1", "ping", "") + "\n");
            long deadline = System.nanoTime() + SOON.toNanos();
            while (client.trySend(ping) && client.alive()) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(client.exitCode(SOON)).isNotZero();
            assertThat(client.stderrBytes()).as(client.stderr()).isLessThan(2_000);
        }
    }

    /** Told to end, it answers what it has, and that is no failure. */
    @Test
    void answersBeforeItEndsOnATerminationSignal() throws Exception {
        try (var talk = Talk.open(Cell.MODERN)) {
            RawClient client = talk.client();
            for (int i = 0; i < 100; i++) {
                client.sendLine(
                        Messages.request(
                                Integer.toString(1_000 + i), "subscriptions/listen", LISTEN));
            }
            for (int i = 0; i < 100; i++) {
                client.awaitMethod("notifications/subscriptions/acknowledged");
            }
            client.signal("TERM");
            for (int i = 0; i < 100; i++) {
                client.awaitAnswer(Integer.toString(1_000 + i));
            }
            assertThat(client.exitCode(SOON)).isZero();
            talk.assertAllWell();
        }
    }

    /** A client that is stuck does not keep the program alive. */
    @Test
    void endsOnASignalThoughItsClientDoesNotRead() throws Exception {
        try (var talk = Talk.open(Cell.PLAIN)) {
            RawClient client = talk.client();
            client.pauseReading();
            // 20 MB of answers fit into no pipe and no queue: the sender comes to stand.
            Thread sender =
                    Thread.ofPlatform().daemon().start(() -> sendLongRequests(client, 2_000));
            assertThat(sender.join(Duration.ofSeconds(3))).isFalse();
            client.signal("TERM");
            client.exitCode(SOON);
        }
    }

    @Test
    void endsAtTheEndOfInputThoughItsClientDoesNotRead() throws Exception {
        Path folder = Talk.newFolder();
        Launch launch = Talk.launch(Cell.PLAIN, folder);
        String grace = "{\"patchbay\": {\"limits\": {\"shutdownGraceMs\": 2000}}}";
        Files.writeString(folder.resolve("patchbay.json"), grace);
        try (var talk = Talk.start(Cell.PLAIN, folder, launch).opened()) {
            RawClient client = talk.client();
            client.pauseReading();
            sendLongRequests(client, 600);
            client.closeInput();
            client.exitCode(SOON);
        }
    }

    private static void sendLongRequests(RawClient client, int count) {
        String method = "no/such/" + "x".repeat(10_000);
        for (int i = 0; i < count; i++) {
            client.trySend(Talk.bytes(Messages.request("\"" + i + "\"", method, "") + "\n"));
        }
    }

    @Test
    void endsAtOnceOnASecondSignal() throws Exception {
        try (var talk = Talk.open(Cell.MODERN)) {
            RawClient client = talk.client();
            client.signal("TERM");
            client.signal("TERM");
            assertThat(client.exitCode(SOON)).isIn(0, 128 + 15);
        }
    }

    /** A host that is killed leaves a pipe without a writer: that is the end of input. */
    @Test
    void endsWithoutEverBeingSpokenTo() throws Exception {
        Path folder = Talk.newFolder();
        Launch launch = Talk.launch(Cell.PLAIN, folder);
        try (var talk = Talk.start(Cell.PLAIN, folder, launch)) {
            talk.client().closeInput();
            assertThat(talk.client().exitCode(SOON)).isZero();
            assertThat(talk.client().receivedBytes()).isZero();
        }
    }

    private static long answers(RawClient client) {
        return client.history().stream()
                .filter(traffic -> traffic.direction() == Traffic.Direction.RECEIVED)
                .count();
    }
}
