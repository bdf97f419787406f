package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ProcessLaunch;
import dev.patchbay.testkit.RawStdioClient;
import dev.patchbay.testkit.Stopwatch;
import dev.patchbay.testkit.TrafficLine;

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
            ClientMessages.modernParams("{\"notifications\":{\"toolsListChanged\":true}}");

    /** RR13: the end of the input is not the end of the output. */
    @ParameterizedTest
    @MethodSource("dev.patchbay.conformance.wire.WireMatrixCase#gateways")
    void answersEverythingReadBeforeTheEndOfInput(WireMatrixCase cell) throws Exception {
        try (var talk = CheckedConversation.open(cell)) {
            var lines = new StringBuilder();
            for (int i = 0; i < PIPELINED; i++) {
                lines.append(talk.request("\"" + i + "\"", "tools/list", "")).append('\n');
            }
            talk.client().send(CheckedConversation.bytes(lines.toString()));
            talk.finishAndCheck();
            assertThat(responseCount(talk.client())).isGreaterThanOrEqualTo(PIPELINED);
        }
    }

    /** RR13: a last line needs no line feed. */
    @ParameterizedTest
    @MethodSource("dev.patchbay.conformance.wire.WireMatrixCase#gateways")
    void answersTheLastLineWithoutLineFeed(WireMatrixCase cell) throws Exception {
        try (var talk = CheckedConversation.open(cell)) {
            talk.client()
                    .send(CheckedConversation.bytes(talk.request("\"last\"", "tools/list", "")));
            talk.client().closeInput();
            assertThat(talk.client().awaitResponse("\"last\"").has("result")).isTrue();
            assertThat(talk.client().exitCode(SOON)).isZero();
            assertLinesFit(talk);
        }
    }

    /** RR13: in the middle of a message. */
    @ParameterizedTest
    @MethodSource("dev.patchbay.conformance.wire.WireMatrixCase#gateways")
    void exitsNormallyInTheMiddleOfAMessage(WireMatrixCase cell) throws Exception {
        assertExitsNormallyAfter(cell, "{\"jsonrpc\":\"2.0\",\"id\":7,\"meth");
    }

    /** RR13. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", " ", "\"\\"})
    void exitsNormallyWhereverTheInputEnds(String last) throws Exception {
        assertExitsNormallyAfter(WireMatrixCase.NEWEST_LEGACY_CASE, last);
    }

    private static void assertExitsNormallyAfter(WireMatrixCase cell, String last)
            throws InterruptedException {
        try (var talk = CheckedConversation.start(cell)) {
            talk.client().send(CheckedConversation.bytes(last));
            talk.client().closeInput();
            assertThat(talk.client().exitCode(SOON)).isZero();
            assertThat(talk.client().awaitOutputEnd(SOON)).isTrue();
            assertThat(talk.client().untakenLineCount()).isEqualTo(last.isBlank() ? 0 : 1);
            assertLinesFit(talk);
        }
    }

    /** The lines alone: a last line that has no end is in no history. */
    private static void assertLinesFit(CheckedConversation talk) {
        assertThat(talk.client().violations()).isEmpty();
    }

    /** A subscription has no end of its own: the end of the conversation is its result. */
    @Test
    void completesSubscriptionsAtEndOfInput() throws Exception {
        try (var talk = CheckedConversation.open(WireMatrixCase.MODERN_CASE)) {
            talk.client().sendLine(ClientMessages.request("\"l\"", "subscriptions/listen", LISTEN));
            talk.client().awaitMethod("notifications/subscriptions/acknowledged");
            var watch = Stopwatch.start();
            talk.client().closeInput();
            JsonTree answer = talk.client().awaitResponse("\"l\"");
            assertThat(answer.has("result")).as("%s", answer).isTrue();
            assertThat(talk.client().exitCode(SOON)).isZero();
            assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(8));
            talk.assertAllCorrect();
        }
    }

    /** RR14 and MI10: nobody reads any more. */
    @ParameterizedTest
    @MethodSource("dev.patchbay.conformance.wire.WireMatrixCase#gateways")
    void exitsWhenItsOutputIsClosed(WireMatrixCase cell) throws Exception {
        try (var talk = CheckedConversation.open(cell)) {
            RawStdioClient client = talk.client();
            client.closeOutput();
            byte[] ping = CheckedConversation.bytes(ClientMessages.request("1", "ping", "") + "\n");
            long deadline = System.nanoTime() + SOON.toNanos();
            while (client.trySend(ping) && client.isAlive()) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(client.exitCode(SOON)).isNotZero();
            assertThat(client.stderrBytes()).as(client.stderr()).isLessThan(2_000);
        }
    }

    /** Told to end, it answers what it has, and that is no failure. */
    @Test
    void answersBeforeExitingOnSigterm() throws Exception {
        try (var talk = CheckedConversation.open(WireMatrixCase.MODERN_CASE)) {
            RawStdioClient client = talk.client();
            for (int i = 0; i < 100; i++) {
                client.sendLine(
                        ClientMessages.request(
                                Integer.toString(1_000 + i), "subscriptions/listen", LISTEN));
            }
            for (int i = 0; i < 100; i++) {
                client.awaitMethod("notifications/subscriptions/acknowledged");
            }
            client.signal("TERM");
            for (int i = 0; i < 100; i++) {
                client.awaitResponse(Integer.toString(1_000 + i));
            }
            assertThat(client.exitCode(SOON)).isZero();
            talk.assertAllCorrect();
        }
    }

    /** A client that is stuck does not keep the program alive. */
    @Test
    void exitsOnASignalWhileTheClientDoesNotRead() throws Exception {
        try (var talk = CheckedConversation.open(WireMatrixCase.NEWEST_LEGACY_CASE)) {
            RawStdioClient client = talk.client();
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
    void exitsAtEndOfInputWhileTheClientDoesNotRead() throws Exception {
        Path folder = CheckedConversation.newFolder();
        ProcessLaunch launch =
                CheckedConversation.launchOptions(WireMatrixCase.NEWEST_LEGACY_CASE, folder);
        String grace = "{\"patchbay\": {\"limits\": {\"shutdownGraceMs\": 2000}}}";
        Files.writeString(folder.resolve("patchbay.json"), grace);
        try (var talk =
                CheckedConversation.start(WireMatrixCase.NEWEST_LEGACY_CASE, folder, launch)
                        .initialize()) {
            RawStdioClient client = talk.client();
            client.pauseReading();
            sendLongRequests(client, 600);
            client.closeInput();
            client.exitCode(SOON);
        }
    }

    private static void sendLongRequests(RawStdioClient client, int count) {
        String method = "no/such/" + "x".repeat(10_000);
        for (int i = 0; i < count; i++) {
            client.trySend(
                    CheckedConversation.bytes(
                            ClientMessages.request("\"" + i + "\"", method, "") + "\n"));
        }
    }

    @Test
    void exitsAtOnceOnASecondSignal() throws Exception {
        try (var talk = CheckedConversation.open(WireMatrixCase.MODERN_CASE)) {
            RawStdioClient client = talk.client();
            client.signal("TERM");
            client.signal("TERM");
            assertThat(client.exitCode(SOON)).isIn(0, 128 + 15);
        }
    }

    /** A host that is killed leaves a pipe without a writer: that is the end of input. */
    @Test
    void exitsWithoutReceivingAnything() throws Exception {
        Path folder = CheckedConversation.newFolder();
        ProcessLaunch launch =
                CheckedConversation.launchOptions(WireMatrixCase.NEWEST_LEGACY_CASE, folder);
        try (var talk =
                CheckedConversation.start(WireMatrixCase.NEWEST_LEGACY_CASE, folder, launch)) {
            talk.client().closeInput();
            assertThat(talk.client().exitCode(SOON)).isZero();
            assertThat(talk.client().receivedBytes()).isZero();
        }
    }

    private static long responseCount(RawStdioClient client) {
        return client.history().stream()
                .filter(traffic -> traffic.direction() == TrafficLine.Direction.RECEIVED)
                .count();
    }
}
