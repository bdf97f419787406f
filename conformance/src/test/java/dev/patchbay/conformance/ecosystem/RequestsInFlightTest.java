package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.WireMatrixCase;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.MessageGenerator;
import dev.patchbay.testkit.RawStdioClient;
import dev.patchbay.testkit.ServerRecording;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The four protocol guarantees while servers are active, in every protocol version and locale, with
 * one gateway for each.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.patchbay.conformance.wire.WireMatrixCase#gatewaysInBrief")
class RequestsInFlightTest {
    private static final int SENDERS = 10;
    private static final int REQUESTS_EACH = 50;
    private static final int RESULT_COUNT = 1_000;
    private static final int FIVE_MEGABYTES = 5_000_000;
    private static final int BURST_REQUESTS = 1_500;
    private static final int CONCURRENT_REQUESTS_MAX = 1_024;

    @TempDir private static Path folder;
    private static LoadedGateway gateway;
    private static RawStdioClient client;
    private static ServerScript alpha;

    @Parameter private WireMatrixCase cell;

    @BeforeParameterizedClassInvocation
    static void open(WireMatrixCase cell) throws Exception {
        gateway = LoadedGateway.open(cell, Files.createTempDirectory(folder, "gateway"));
        client = gateway.client();
        alpha = gateway.alpha();
    }

    @AfterParameterizedClassInvocation
    static void close() {
        gateway.close();
    }

    /** Cancellations of an earlier test must not be mistaken for those of this one. */
    @AfterEach
    void awaitIdle() {
        gateway.awaitHangingCallsCancelled();
    }

    /** RR6: hanging calls do not delay later calls of other threads. */
    @Test
    void answersQuickCallsOfManyThreadsWhileOthersHang() throws Exception {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < SENDERS; i++) {
            int sender = i;
            threads.add(Thread.ofPlatform().start(() -> sendFrom(sender)));
        }
        for (Thread thread : threads) {
            assertThat(thread.join(TestHost.TIMEOUT)).isTrue();
        }
        for (int i = 0; i < SENDERS; i++) {
            for (int j = 1; j < REQUESTS_EACH; j++) {
                JsonTree answer = client.awaitResponse("\"" + i + "/" + j + "\"");
                assertThat(LoadedGateway.text(answer))
                        .isEqualTo("{\"i\":%d,\"j\":%d}".formatted(i, j));
            }
        }
        for (int i = 0; i < SENDERS; i++) {
            client.sendLine(ClientMessages.cancelled("\"" + i + "/0\""));
        }
    }

    private static void sendFrom(int sender) {
        client.sendLine(gateway.line("\"" + sender + "/0\"", "alpha.hang", "{}"));
        for (int j = 1; j < REQUESTS_EACH; j++) {
            String arguments = "{\"i\":%d,\"j\":%d}".formatted(sender, j);
            client.sendLine(gateway.line("\"" + sender + "/" + j + "\"", "alpha.echo", arguments));
        }
    }

    /** RR7. */
    @Test
    void refusesASecondRequestWithAnIdInUse() throws Exception {
        int before = alpha.recording().callArguments("hang").size();
        client.sendLine(gateway.line("7007", "alpha.hang", "{}"));
        client.sendLine(gateway.line("7007", "alpha.echo", "{}"));
        client.sendLine(gateway.line("\"7007\"", "alpha.echo", "{}"));
        assertThat(LoadedGateway.text(client.awaitResponse("\"7007\""))).isEqualTo("{}");
        assertThat(client.awaitResponse("7007").at("error", "code").asLong()).isEqualTo(-32600);
        gateway.awaitCalls("hang", before + 1);
        client.sendLine(ClientMessages.cancelled("7007"));
        client.sendLine(gateway.line("7007", "alpha.echo", "{\"again\":1}"));
        assertThat(LoadedGateway.text(client.awaitResponse("7007"))).isEqualTo("{\"again\":1}");
    }

    /** RR10: a cancelled call is forwarded to the server and gets no response. */
    @Test
    void forwardsACancellationAndSendsNoAnswer() throws Exception {
        int calls = alpha.recording().callArguments("late").size();
        int cancels = alpha.recording().cancelledIds().size();
        client.sendLine(gateway.line("8001", "alpha.late", "{}"));
        gateway.awaitCalls("late", calls + 1);
        client.sendLine(ClientMessages.cancelled("8001"));
        client.sendLine(ClientMessages.cancelled("8001"));
        assertThat(
                        alpha.recording()
                                .await(it -> it.cancelledIds().size() > cancels, TestHost.TIMEOUT))
                .isTrue();
        assertThat(
                        alpha.recording()
                                .await(RequestsInFlightTest::isLateCallAnswered, TestHost.TIMEOUT))
                .as("the server answers in vain")
                .isTrue();
        assertNoFurtherAnswer("8001");
        assertThat(alpha.recording().cancelledIds()).hasSize(cancels + 1);
    }

    /** Whether the server answered every call of the late tool. */
    private static boolean isLateCallAnswered(ServerRecording record) {
        var late = Optional.of(new JsonTree.Str("late"));
        long answers =
                record.lines().stream()
                        .filter(line -> !line.received())
                        .flatMap(line -> line.message().stream())
                        .filter(it -> it.findAt("result", "content", 0, "text").equals(late))
                        .count();
        return answers >= record.callArguments("late").size();
    }

    /** A later call is answered, and until then nothing was received for this id. */
    private static void assertNoFurtherAnswer(String id) throws InterruptedException {
        client.awaitResponse(gateway.call("alpha.echo", "{}"));
        assertThat(client.poll(it -> isAnswer(it, id), Duration.ZERO)).isEmpty();
    }

    /** RR10: a cancellation of another type, too early, too late or malformed changes nothing. */
    @Test
    void ignoresAMeaninglessCancellation() throws Exception {
        int cancels = alpha.recording().cancelledIds().size();
        client.sendLine(ClientMessages.cancelled("8100"));
        client.sendLine(gateway.line("8100", "alpha.nap", "{}"));
        for (String params :
                List.of(
                        "{\"requestId\":\"8100\"}",
                        "{\"requestId\":81}",
                        "{\"requestId\":[8100]}",
                        "{\"requestId\":null}",
                        "{}",
                        "[8100]",
                        "")) {
            client.sendLine(ClientMessages.notification("notifications/cancelled", params));
        }
        assertThat(LoadedGateway.text(client.awaitResponse("8100"))).isEqualTo("slow");
        client.sendLine(ClientMessages.cancelled("8100"));
        assertNoFurtherAnswer("8100");
        assertThat(alpha.recording().cancelledIds()).hasSize(cancels);
    }

    /** RR11: a call gets one response if its server sends an invalid answer. */
    @Test
    void answersOnceWhateverTheServerAnswers() throws Exception {
        // First, because it must not wait for the slowest invalid answer.
        String twice = gateway.call("liar.twice", "{}");
        var ids = new ArrayList<String>();
        for (String lie : LoadedGateway.INVALID_ANSWERS) {
            String tool = "liar." + lie.replaceFirst("=.*", "");
            ids.add(gateway.call(tool, "{}"));
        }
        assertThat(LoadedGateway.text(client.awaitResponse(twice))).isEqualTo("once");
        for (String id : ids) {
            assertThat(isFailure(client.awaitResponse(id))).as("%s of %s", id, ids).isTrue();
        }
        assertThat(
                        gateway.lyingServer()
                                .recording()
                                .await(RequestsInFlightTest::isLateCallAnswered, TestHost.TIMEOUT))
                .isTrue();
        String echo = gateway.call("liar.echo", "{\"still\":1}");
        assertThat(LoadedGateway.text(client.awaitResponse(echo))).isEqualTo("{\"still\":1}");
        assertThat(gateway.lyingServer().recording().startCount()).isEqualTo(1);
    }

    /** RR11: a call gets one response if its server ends, and the server restarts. */
    @Test
    void answersOnceHoweverTheServerEnds() throws Exception {
        Map<String, String> calls = new HashMap<>();
        for (String end : LoadedGateway.SERVER_ENDINGS) {
            calls.put(end, gateway.call("mortal-" + end + "." + end, "{}"));
        }
        for (String end : LoadedGateway.SERVER_ENDINGS) {
            assertThat(isFailure(client.awaitResponse(calls.get(end)))).as(end).isTrue();
        }
        for (String end : LoadedGateway.SERVER_ENDINGS) {
            // That it does not listen any more shows when it is spoken to, at most once.
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> isRestarted(end)))
                    .as("after %s", end)
                    .isTrue();
        }
    }

    private static boolean isRestarted(String end) {
        try {
            String echo = gateway.call("mortal-" + end + ".echo", "{}");
            return !isFailure(client.awaitResponse(echo));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** RR16: each excess request is refused, and none is lost. */
    @Test
    void refusesExcessRequestsOneByOne() throws Exception {
        var lines = new StringBuilder();
        for (int i = 0; i < BURST_REQUESTS; i++) {
            lines.append(gateway.line("\"m" + i + "\"", "alpha.hang", "{}")).append('\n');
        }
        client.send(lines.toString().getBytes(StandardCharsets.UTF_8));
        var refused = new HashSet<JsonTree>();
        while (refused.size() < BURST_REQUESTS - CONCURRENT_REQUESTS_MAX) {
            JsonTree answer =
                    client.awaitMessage(it -> it.findAt("id").isPresent(), TestHost.TIMEOUT);
            assertThat(answer.at("error", "data", "reason").asText()).isEqualTo("OVERLOADED");
            assertThat(refused.add(answer.at("id"))).as("once: %s", answer).isTrue();
        }
        for (int i = 0; i < BURST_REQUESTS; i++) {
            client.sendLine(ClientMessages.cancelled("\"m" + i + "\""));
        }
        assertThat(LoadedGateway.text(client.awaitResponse(gateway.call("alpha.echo", "{}"))))
                .isEqualTo("{}");
    }

    /** PC9: an unknown result type of a modern server is an error. */
    @Test
    void treatsAnUnknownResultTypeAsAnError() throws Exception {
        String riddle = "{\"result\":{\"resultType\":\"riddle\",\"content\":[]}}";
        JsonTree answer = client.awaitResponse(gateway.call("sphinx.reply", riddle));
        assertThat(isFailure(answer)).as("%s", answer).isTrue();
        assertThat(answer.write()).contains("riddle");
    }

    private static boolean isFailure(JsonTree answer) {
        return answer.has("error") || TestHost.isError(answer.at("result"));
    }

    private static boolean isAnswer(JsonTree message, String id) {
        return message.member("id").equals(Optional.of(StrictJson.parse(id)));
    }

    /** MI1, MI2: any result of a tool arrives complete, on one line. */
    @Test
    void forwardsAThousandDifficultResultsOnOneLineEach() throws Exception {
        var random = MessageGenerator.seeded();
        Map<String, String> texts = new HashMap<>();
        for (int i = 0; i < RESULT_COUNT; i++) {
            String text = random.trickyString() + i;
            texts.put(gateway.call(replyWith(random.stringLiteral(text))), text);
        }
        String big = ClientMessages.callParams("alpha.big", "{\"bytes\":" + FIVE_MEGABYTES + "}");
        String large = gateway.call(big);
        for (var entry : texts.entrySet()) {
            assertThat(
                            LoadedGateway.text(client.awaitResponse(entry.getKey()))
                                    .equals(entry.getValue()))
                    .as("%s: %s, %s", cell, entry.getKey(), random.seedNote())
                    .isTrue();
        }
        assertThat(LoadedGateway.text(client.awaitResponse(large)).length())
                .isEqualTo(FIVE_MEGABYTES);
        assertThat(client.violations()).isEmpty();
    }

    /** The writer accepts everything that the reader accepts: nesting, digits, long names. */
    @Test
    void forwardsWhatOtherJsonWritersRefuse() throws Exception {
        String deep = gateway.call("alpha.deep", "{}");
        JsonTree nested = client.awaitResponse(deep).at("result", "structuredContent");
        assertThat(nested.write()).isEqualTo("{\"v\":" + "[".repeat(490) + "]".repeat(490) + "}");
        String wide =
                "{\"n\":1%s,\"f\":0.1000,\"%s\":1e2}"
                        .formatted("0".repeat(900), "k".repeat(60_000));
        String echo = gateway.call("alpha.echo", wide);
        JsonTree back = client.awaitResponse(echo).at("result", "structuredContent");
        assertThat(back.write()).isEqualTo(wide);
    }

    private static String replyWith(String literal) {
        String result = "{\"content\":[{\"type\":\"text\",\"text\":" + literal + "}]}";
        return ClientMessages.callParams("alpha.reply", "{\"result\":" + result + "}");
    }

    /** MI3: responses, progress and notifications from many threads, and every line is whole. */
    @Test
    void keepsLinesWholeWithManyConcurrentWriters() throws Exception {
        var ids = new ArrayList<String>();
        for (int i = 0; i < 64; i++) {
            String call = ClientMessages.callParams("busy.progress", "{\"n\":20}");
            String token = "\"t" + i + "\"";
            String params =
                    call.substring(0, call.length() - 1)
                            + ",\"_meta\":{\"progressToken\":"
                            + token
                            + "}}";
            ids.add(gateway.call(params));
            ids.add(gateway.call("busy.changed", "{}"));
            ids.add(gateway.call("busy.log", "{}"));
            ids.add(gateway.call("alpha.echo", "{}"));
        }
        for (String id : ids) {
            assertThat(LoadedGateway.text(client.awaitResponse(id))).isNotEmpty();
        }
        for (int i = 0; i < 64; i++) {
            String token = "t" + i;
            int count = 0;
            while (client.poll(it -> isProgress(it, token), Duration.ZERO).isPresent()) {
                count++;
            }
            assertThat(count).as("of call %d", i).isEqualTo(20);
        }
        assertThat(client.violations()).isEmpty();
    }

    /** MI9: a client that reads irregularly gets large and small responses whole. */
    @Test
    void slowReaderGetsEveryAnswerWhole() throws Exception {
        var ids = new ArrayList<String>();
        for (int i = 0; i < 2; i++) {
            ids.add(gateway.call("alpha.big", "{\"bytes\":" + FIVE_MEGABYTES + "}"));
            ids.add(gateway.call("alpha.echo", "{}"));
        }
        for (int i = 0; i < 25; i++) {
            client.pauseReading();
            LockSupport.parkNanos(1_000_000);
            client.resumeReading();
            LockSupport.parkNanos(1_000_000);
        }
        for (String id : ids) {
            assertThat(LoadedGateway.text(client.awaitResponse(id))).isNotEmpty();
        }
        assertThat(client.violations()).isEmpty();
    }

    private static boolean isProgress(JsonTree message, String token) {
        return message.findAt("params", "progressToken")
                .equals(Optional.of(new JsonTree.Str(token)));
    }

    /**
     * MI5, MI6: servers do not inherit the client's pipes, so they can neither read nor write them.
     */
    @Test
    void serversDoNotInheritTheClientsPipes() throws Exception {
        List<Long> below = gateway.host().descendants();
        assertThat(below).hasSizeGreaterThanOrEqualTo(2);
        for (int number : List.of(0, 1)) {
            Path ours = descriptorTarget(client.pid(), number);
            for (long pid : below) {
                for (int other : List.of(0, 1, 2)) {
                    assertThat(descriptorTarget(pid, other))
                            .as("%d of %d", other, pid)
                            .isNotEqualTo(ours);
                }
            }
        }
    }

    private static Path descriptorTarget(long pid, int number) throws Exception {
        return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "fd", "" + number));
    }
}
