package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.ExpectedResponse;
import dev.patchbay.testkit.ExpectedResponse.SingleResponse;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.RawStdioClient;
import dev.patchbay.testkit.SampleLines;
import dev.patchbay.testkit.Stopwatch;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Input that is meant to hurt, one after the other through one process with a heap of 128 MB: each
 * is answered or refused, the memory stays bounded, and the program lives.
 */
class HostileInputTest {
    private static final int MEGABYTE = 1_000_000;
    private static final int LARGE_REQUESTS = 60;

    /** The heap, and what a JVM needs besides it. */
    private static final long RESIDENT_BYTES_MAX = 300L << 20;

    private static final Pattern PEAK_MEMORY = Pattern.compile("(?m)^VmHWM:\\s+(\\d+) kB");

    private static CheckedConversation conversation;

    @BeforeAll
    static void open() throws InterruptedException {
        conversation = open(WireMatrixCase.NEWEST_LEGACY_CASE);
    }

    private static CheckedConversation open(WireMatrixCase cell) throws InterruptedException {
        Path folder = CheckedConversation.newFolder();
        var launch = CheckedConversation.launchOptions(cell, folder, "-Xmx128m").withoutHistory();
        return CheckedConversation.start(cell, folder, launch).initialize();
    }

    @AfterAll
    static void finish() throws Exception {
        assertThat(peakBytes(conversation)).isLessThan(RESIDENT_BYTES_MAX);
        conversation.finishAndCheck();
    }

    /** Each at its full size, in all that an era or a locale may change. */
    @ParameterizedTest
    @MethodSource("dev.patchbay.conformance.wire.WireMatrixCase#corners")
    void survivesTheLargestInputInCornerCases(WireMatrixCase cell) throws Exception {
        try (CheckedConversation other = open(cell)) {
            checkLineOfAHundredMegabytes(other);
            checkTenMillionOpenBrackets(other);
            other.expectResult(other.request("7", "tools/list", "{}"), "7");
            assertThat(peakBytes(other)).isLessThan(RESIDENT_BYTES_MAX);
            other.finishAndCheck();
        }
    }

    @Test
    void rejectsALineOfAHundredMegabytes() throws Exception {
        checkLineOfAHundredMegabytes(conversation);
    }

    private static void checkLineOfAHundredMegabytes(CheckedConversation talk) throws Exception {
        talk.expectError(SampleLines.requestOfLength("100", 100 * MEGABYTE), -32600, "100");
        byte[] garbage = new byte[100 * MEGABYTE];
        Arrays.fill(garbage, (byte) 0xff);
        talk.expect(garbage, error(Set.of(-32600, -32700), "null"));
    }

    /** As much as a test has time for: whoever bounds 200 MB bounds all. */
    @Test
    void skipsAnEndlessLine() throws Exception {
        RawStdioClient client = conversation.client();
        byte[] piece = new byte[MEGABYTE];
        Arrays.fill(piece, (byte) 'x');
        client.send(
                CheckedConversation.bytes("{\"jsonrpc\":\"2.0\",\"id\":\"endless\",\"method\":\""));
        for (int i = 0; i < 200; i++) {
            client.send(piece);
        }
        assertThat(client.residentBytes()).isLessThan(RESIDENT_BYTES_MAX);
        conversation.expectError("\"}", -32600, "\"endless\"");
    }

    @Test
    void readsTenMillionOpenBrackets() throws Exception {
        checkTenMillionOpenBrackets(conversation);
    }

    private static void checkTenMillionOpenBrackets(CheckedConversation talk) throws Exception {
        byte[] open = new byte[10 * MEGABYTE];
        Arrays.fill(open, (byte) '[');
        talk.expectError(open, -32700, "null");
        byte[] closed = new byte[10 * MEGABYTE];
        Arrays.fill(closed, 0, closed.length / 2, (byte) '[');
        Arrays.fill(closed, closed.length / 2, closed.length, (byte) ']');
        talk.expectError(closed, -32600, "null");
        String deep = "{\"a\":".repeat(MEGABYTE) + "1" + "}".repeat(MEGABYTE);
        talk.expectError(ClientMessages.request("7", "ping", deep), -32600, "7");
    }

    @Test
    void readsNumbersWithoutExpandingThem() throws Exception {
        String digits = "9".repeat(MEGABYTE);
        conversation.expectError(
                ClientMessages.request("7", "ping", "{\"n\":" + digits + "}"), -32600, "7");
        conversation.expectError(
                ClientMessages.request("7", "ping", "{\"n\":0." + digits + "}"), -32600, "7");
        conversation.expectError(
                ClientMessages.request("7", "ping", "{\"n\":1e" + digits + "}"), -32600, "7");
        for (String id :
                List.of(digits, digits + ".0", "1." + "0".repeat(MEGABYTE), "1e" + digits)) {
            var either = new SingleResponse(Set.of("null", id), Set.of(-32600), true, false);
            conversation.expect(ClientMessages.request(id, "ping", ""), either);
        }
        for (String number :
                List.of("1e999999999", "-1e999999999", "1e-999999999", "0e99999999999")) {
            conversation.expectResult(
                    ClientMessages.request("7", "ping", "{\"n\":" + number + "}"), "7");
        }
        conversation.expectError(ClientMessages.request("1e999999999", "ping", ""), -32600, "null");
    }

    @Test
    void readsObjectsOfAnySize() throws Exception {
        String name = "k".repeat(MEGABYTE);
        conversation.expectResult(ClientMessages.request("7", "ping", "{\"" + name + "\":1}"), "7");
        var many = new StringBuilder("{");
        for (int i = 0; i < MEGABYTE; i++) {
            many.append(i == 0 ? "" : ",")
                    .append('"')
                    .append(Integer.toString(i, 36))
                    .append("\":1");
        }
        conversation.expectResult(ClientMessages.request("7", "ping", many + "}"), "7");
        conversation.expectError(
                ClientMessages.request("7", "ping", many + ",\"0\":1}"), -32600, "7");
    }

    /** Names whose hash codes are equal in Java: "Aa" and "BB", sixteen times. */
    @Test
    void isNotSlowedDownByCollidingNames() throws Exception {
        var colliding = new StringBuilder("{");
        for (int i = 0; i < 1 << 16; i++) {
            colliding.append(i == 0 ? "\"" : ",\"");
            for (int bit = 0; bit < 16; bit++) {
                colliding.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            colliding.append("\":1");
        }
        var watch = Stopwatch.start();
        conversation.expectResult(ClientMessages.request("7", "ping", colliding + "}"), "7");
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void assemblesMessagesFromSingleBytes() throws Exception {
        byte[] line =
                CheckedConversation.bytes(
                        ClientMessages.request("\"é😀\"", "tools/list", "") + "\r\n");
        for (int i = 0; i < 20; i++) {
            for (byte b : line) {
                conversation.client().send(new byte[] {b});
            }
            assertThat(conversation.client().awaitResponse("\"é😀\"").has("result")).isTrue();
        }
    }

    @Test
    void answersTenThousandMessagesInOneWrite() throws Exception {
        var window = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            window.append(ClientMessages.request("\"w" + i + "\"", "tools/list", "")).append('\n');
        }
        Thread writer =
                Thread.ofPlatform()
                        .start(
                                () ->
                                        conversation
                                                .client()
                                                .send(
                                                        CheckedConversation.bytes(
                                                                window.toString())));
        assertThat(distinctResults(10_000)).isEqualTo(10_000);
        assertThat(writer.join(CheckedConversation.TIMEOUT)).isTrue();
    }

    /** The answers are 40 MB, five times what the program keeps for a client that does not read. */
    @Test
    void appliesBackpressureWhileTheClientDoesNotRead() throws Exception {
        RawStdioClient client = conversation.client();
        client.pauseReading();
        String method = "no/such/" + "x".repeat(4_000);
        Thread writer =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    for (int i = 0; i < 10_000; i++) {
                                        client.sendLine(
                                                ClientMessages.request(
                                                        "\"u" + i + "\"", method, ""));
                                    }
                                });
        assertThat(writer.join(Duration.ofSeconds(3))).isFalse();
        assertThat(client.residentBytes()).isLessThan(RESIDENT_BYTES_MAX);
        client.resumeReading();
        var ids = new HashSet<JsonTree>();
        for (int i = 0; i < 10_000; i++) {
            JsonTree answer = StrictJson.parse(client.nextLine(CheckedConversation.TIMEOUT));
            assertThat(answer.at("error", "code").asLong()).isEqualTo(-32601);
            ids.add(answer.at("id"));
        }
        assertThat(ids).hasSize(10_000);
        assertThat(writer.join(CheckedConversation.TIMEOUT)).isTrue();
    }

    /** Requests that last and are large: what does not fit into the memory is refused. */
    @Test
    void boundsTheMemoryOfRunningRequests() throws Exception {
        String padding = "x".repeat(5 * MEGABYTE);
        String params =
                ClientMessages.modernParams(
                        "{\"notifications\":{},\"padding\":\"" + padding + "\"}");
        for (int i = 0; i < LARGE_REQUESTS; i++) {
            String id = "\"large " + i + "\"";
            conversation
                    .client()
                    .sendLine(ClientMessages.request(id, "subscriptions/listen", params));
        }
        List<byte[]> refused =
                conversation.responsesTo(
                        CheckedConversation.bytes(ClientMessages.cancelled("1")), 0);
        assertThat(refused).hasSizeBetween(LARGE_REQUESTS / 2, LARGE_REQUESTS - 1);
        for (byte[] answer : refused) {
            assertThat(StrictJson.parse(answer).at("error", "data", "reason").asText())
                    .isEqualTo("OVERLOADED");
        }
        for (int i = 0; i < LARGE_REQUESTS; i++) {
            conversation.expectNoResponse(ClientMessages.cancelled("\"large " + i + "\""));
        }
        conversation.expectResult(ClientMessages.request("7", "tools/list", ""), "7");
    }

    private static int distinctResults(int count) throws InterruptedException {
        var ids = new HashSet<JsonTree>();
        for (int i = 0; i < count; i++) {
            JsonTree answer =
                    StrictJson.parse(conversation.client().nextLine(CheckedConversation.TIMEOUT));
            assertThat(answer.has("result")).as("%s", answer).isTrue();
            ids.add(answer.at("id"));
        }
        return ids.size();
    }

    private static ExpectedResponse error(Set<Integer> codes, String id) {
        return new SingleResponse(Set.of(id), codes, false, false);
    }

    private static long peakBytes(CheckedConversation talk) throws IOException {
        Path status = Path.of("/proc", Long.toString(talk.client().pid()), "status");
        var found = PEAK_MEMORY.matcher(Files.readString(status));
        assertThat(found.find()).isTrue();
        long peak = Long.parseLong(found.group(1)) * 1024;
        System.out.printf("hostile input: peak memory %,d bytes with -Xmx128m%n", peak);
        return peak;
    }
}
