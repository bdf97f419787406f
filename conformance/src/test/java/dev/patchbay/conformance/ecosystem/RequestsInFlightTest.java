package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.Cell;
import dev.patchbay.testkit.Generators;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawClient;
import dev.patchbay.testkit.ServerRecord;
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
 * The four properties of the wire while real servers are at work behind it: in every version of the
 * protocol and every locale, with one gateway for each.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.patchbay.conformance.wire.Cell#gateways")
class RequestsInFlightTest {
    private static final int SENDERS = 10;
    private static final int REQUESTS_EACH = 50;
    private static final int RESULTS = 1_000;
    private static final int FIVE_MEGABYTES = 5_000_000;
    private static final int CROWD = 1_500;
    private static final int AT_WORK_MAX = 1_024;

    @TempDir private static Path folder;
    private static Flight flight;
    private static RawClient client;
    private static ServerScript alpha;

    @Parameter private Cell cell;

    @BeforeParameterizedClassInvocation
    static void open(Cell cell) throws Exception {
        flight = Flight.open(cell, Files.createTempDirectory(folder, "bench"));
        client = flight.client();
        alpha = flight.alpha();
    }

    @AfterParameterizedClassInvocation
    static void close() {
        flight.close();
    }

    /** What a test before gave up must not be taken for what this one gives up. */
    @AfterEach
    void settle() {
        flight.awaitNothingHangs();
    }

    private static String call(String params) {
        return flight.call(params);
    }

    private static String line(String id, String tool, String arguments) {
        return flight.line(id, tool, arguments);
    }

    /** RR6: calls that hang hold up none of those that other threads send behind them. */
    @Test
    void answersQuickCallsOfManyThreadsWhileOthersHang() throws Exception {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < SENDERS; i++) {
            int sender = i;
            threads.add(Thread.ofPlatform().start(() -> sendFrom(sender)));
        }
        for (Thread thread : threads) {
            assertThat(thread.join(Host.PATIENCE)).isTrue();
        }
        for (int i = 0; i < SENDERS; i++) {
            for (int j = 1; j < REQUESTS_EACH; j++) {
                JsonTree answer = client.awaitAnswer("\"" + i + "/" + j + "\"");
                assertThat(Flight.text(answer)).isEqualTo("{\"i\":%d,\"j\":%d}".formatted(i, j));
            }
        }
        for (int i = 0; i < SENDERS; i++) {
            client.sendLine(Messages.cancelled("\"" + i + "/0\""));
        }
    }

    private static void sendFrom(int sender) {
        client.sendLine(line("\"" + sender + "/0\"", "alpha.hang", "{}"));
        for (int j = 1; j < REQUESTS_EACH; j++) {
            String arguments = "{\"i\":%d,\"j\":%d}".formatted(sender, j);
            client.sendLine(line("\"" + sender + "/" + j + "\"", "alpha.echo", arguments));
        }
    }

    /** RR7. */
    @Test
    void refusesASecondRequestUnderAnIdAtWork() throws Exception {
        int before = alpha.record().calls("hang").size();
        client.sendLine(line("7007", "alpha.hang", "{}"));
        client.sendLine(line("7007", "alpha.echo", "{}"));
        client.sendLine(line("\"7007\"", "alpha.echo", "{}"));
        assertThat(Flight.text(client.awaitAnswer("\"7007\""))).isEqualTo("{}");
        assertThat(client.awaitAnswer("7007").at("error", "code").integer()).isEqualTo(-32600);
        flight.awaitCalls("hang", before + 1);
        client.sendLine(Messages.cancelled("7007"));
        client.sendLine(line("7007", "alpha.echo", "{\"again\":1}"));
        assertThat(Flight.text(client.awaitAnswer("7007"))).isEqualTo("{\"again\":1}");
    }

    /** RR10: what is cancelled in flight is told to the server and gets no answer. */
    @Test
    void passesACancellationOnAndAnswersNothing() throws Exception {
        int calls = alpha.record().calls("late").size();
        int cancels = alpha.record().cancels().size();
        client.sendLine(line("8001", "alpha.late", "{}"));
        flight.awaitCalls("late", calls + 1);
        client.sendLine(Messages.cancelled("8001"));
        client.sendLine(Messages.cancelled("8001"));
        assertThat(alpha.record().await(it -> it.cancels().size() > cancels, Host.PATIENCE))
                .isTrue();
        assertThat(alpha.record().await(RequestsInFlightTest::lateIsAnswered, Host.PATIENCE))
                .as("the server answers, to nobody")
                .isTrue();
        assertNothingMoreFor("8001");
        assertThat(alpha.record().cancels()).hasSize(cancels + 1);
    }

    /** Whether the server answered every call of the tool that is late. */
    private static boolean lateIsAnswered(ServerRecord record) {
        var late = Optional.of(new JsonTree.Str("late"));
        long answers =
                record.lines().stream()
                        .filter(line -> !line.received())
                        .flatMap(line -> line.message().stream())
                        .filter(it -> it.find("result", "content", 0, "text").equals(late))
                        .count();
        return answers >= record.calls("late").size();
    }

    /** What the server says next is answered, and by then nothing came under this id. */
    private static void assertNothingMoreFor(String id) throws InterruptedException {
        client.awaitAnswer(call(Messages.callParams("alpha.echo", "{}")));
        assertThat(client.poll(it -> isAnswer(it, id), Duration.ZERO)).isEmpty();
    }

    /** RR10: a cancellation of another type, too early, too late or malformed changes nothing. */
    @Test
    void passesOverACancellationThatMeansNothing() throws Exception {
        int cancels = alpha.record().cancels().size();
        client.sendLine(Messages.cancelled("8100"));
        client.sendLine(line("8100", "alpha.nap", "{}"));
        for (String params :
                List.of(
                        "{\"requestId\":\"8100\"}",
                        "{\"requestId\":81}",
                        "{\"requestId\":[8100]}",
                        "{\"requestId\":null}",
                        "{}",
                        "[8100]",
                        "")) {
            client.sendLine(Messages.notification("notifications/cancelled", params));
        }
        assertThat(Flight.text(client.awaitAnswer("8100"))).isEqualTo("slow");
        client.sendLine(Messages.cancelled("8100"));
        assertNothingMoreFor("8100");
        assertThat(alpha.record().cancels()).hasSize(cancels);
    }

    /** RR11: of a call to a server that answers what is no answer, the client hears once. */
    @Test
    void answersOnceWhateverAServerAnswers() throws Exception {
        // First, as it must not wait for the time that the longest of the lies takes.
        String twice = call(Messages.callParams("liar.twice", "{}"));
        var ids = new ArrayList<String>();
        for (String lie : Flight.LIES) {
            String tool = "liar." + lie.replaceFirst("=.*", "");
            ids.add(call(Messages.callParams(tool, "{}")));
        }
        assertThat(Flight.text(client.awaitAnswer(twice))).isEqualTo("once");
        for (String id : ids) {
            assertThat(isFailure(client.awaitAnswer(id))).as("%s of %s", id, ids).isTrue();
        }
        assertThat(
                        flight.liar()
                                .record()
                                .await(RequestsInFlightTest::lateIsAnswered, Host.PATIENCE))
                .isTrue();
        String echo = call(Messages.callParams("liar.echo", "{\"still\":1}"));
        assertThat(Flight.text(client.awaitAnswer(echo))).isEqualTo("{\"still\":1}");
        assertThat(flight.liar().record().starts()).isEqualTo(1);
    }

    /** RR11: of a call to a server that ends instead, the client hears once, and it comes back. */
    @Test
    void answersOnceHoweverAServerEnds() throws Exception {
        Map<String, String> calls = new HashMap<>();
        for (String end : Flight.ENDS) {
            calls.put(end, call(Messages.callParams("mortal-" + end + "." + end, "{}")));
        }
        for (String end : Flight.ENDS) {
            assertThat(isFailure(client.awaitAnswer(calls.get(end)))).as(end).isTrue();
        }
        for (String end : Flight.ENDS) {
            // That it does not listen any more shows when it is spoken to, at most once.
            assertThat(Host.await(Host.PATIENCE, () -> isBack(end))).as("after %s", end).isTrue();
        }
    }

    private static boolean isBack(String end) {
        try {
            String echo = call(Messages.callParams("mortal-" + end + ".echo", "{}"));
            return !isFailure(client.awaitAnswer(echo));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** RR16: more requests than are taken at once are refused, each of them, and none is lost. */
    @Test
    void refusesWhatIsTooMuchOneByOne() throws Exception {
        var lines = new StringBuilder();
        for (int i = 0; i < CROWD; i++) {
            lines.append(line("\"m" + i + "\"", "alpha.hang", "{}")).append('\n');
        }
        client.send(lines.toString().getBytes(StandardCharsets.UTF_8));
        var refused = new HashSet<JsonTree>();
        while (refused.size() < CROWD - AT_WORK_MAX) {
            JsonTree answer = client.await(it -> it.find("id").isPresent(), Host.PATIENCE);
            assertThat(answer.at("error", "data", "reason").text()).isEqualTo("OVERLOADED");
            assertThat(refused.add(answer.at("id"))).as("once: %s", answer).isTrue();
        }
        for (int i = 0; i < CROWD; i++) {
            client.sendLine(Messages.cancelled("\"m" + i + "\""));
        }
        assertThat(Flight.text(client.awaitAnswer(call(Messages.callParams("alpha.echo", "{}")))))
                .isEqualTo("{}");
    }

    /** PC9: what a modern server answers in a way that nobody knows is an error. */
    @Test
    void takesAResultOfAnUnknownTypeForAnError() throws Exception {
        String riddle = "{\"result\":{\"resultType\":\"riddle\",\"content\":[]}}";
        JsonTree answer = client.awaitAnswer(call(Messages.callParams("sphinx.reply", riddle)));
        assertThat(isFailure(answer)).as("%s", answer).isTrue();
        assertThat(answer.write()).contains("riddle");
    }

    private static boolean isFailure(JsonTree answer) {
        return answer.has("error") || Host.isError(answer.at("result"));
    }

    private static boolean isAnswer(JsonTree message, String id) {
        return message.member("id").equals(Optional.of(StrictJson.parse(id)));
    }

    /** MI1, MI2: what a tool says comes through whole, one line each, whatever it is. */
    @Test
    void passesAThousandNastyResultsOnOneLineEach() throws Exception {
        var random = Generators.seeded();
        Map<String, String> texts = new HashMap<>();
        for (int i = 0; i < RESULTS; i++) {
            String text = random.nastyString() + i;
            texts.put(call(replyWith(random.literal(text))), text);
        }
        String big = Messages.callParams("alpha.big", "{\"bytes\":" + FIVE_MEGABYTES + "}");
        String large = call(big);
        for (var entry : texts.entrySet()) {
            assertThat(Flight.text(client.awaitAnswer(entry.getKey())).equals(entry.getValue()))
                    .as("%s: %s, %s", cell, entry.getKey(), random.note())
                    .isTrue();
        }
        assertThat(Flight.text(client.awaitAnswer(large)).length()).isEqualTo(FIVE_MEGABYTES);
        assertThat(client.violations()).isEmpty();
    }

    /** What a reader takes the writer must not refuse: nesting, digits, names without measure. */
    @Test
    void passesOnWhatOtherWritersRefuse() throws Exception {
        String deep = call(Messages.callParams("alpha.deep", "{}"));
        JsonTree nested = client.awaitAnswer(deep).at("result", "structuredContent");
        assertThat(nested.write()).isEqualTo("{\"v\":" + "[".repeat(490) + "]".repeat(490) + "}");
        String wide =
                "{\"n\":1%s,\"f\":0.1000,\"%s\":1e2}"
                        .formatted("0".repeat(900), "k".repeat(60_000));
        String echo = call(Messages.callParams("alpha.echo", wide));
        JsonTree back = client.awaitAnswer(echo).at("result", "structuredContent");
        assertThat(back.write()).isEqualTo(wide);
    }

    private static String replyWith(String literal) {
        String result = "{\"content\":[{\"type\":\"text\",\"text\":" + literal + "}]}";
        return Messages.callParams("alpha.reply", "{\"result\":" + result + "}");
    }

    /** MI3: answers, progress and announcements from many threads, and no line is torn. */
    @Test
    void tearsNoLineWhereManyWriteAtOnce() throws Exception {
        var ids = new ArrayList<String>();
        for (int i = 0; i < 64; i++) {
            String call = Messages.callParams("busy.progress", "{\"n\":20}");
            String token = "\"t" + i + "\"";
            String params =
                    call.substring(0, call.length() - 1)
                            + ",\"_meta\":{\"progressToken\":"
                            + token
                            + "}}";
            ids.add(call(params));
            ids.add(call(Messages.callParams("busy.changed", "{}")));
            ids.add(call(Messages.callParams("busy.log", "{}")));
            ids.add(call(Messages.callParams("alpha.echo", "{}")));
        }
        for (String id : ids) {
            assertThat(Flight.text(client.awaitAnswer(id))).isNotEmpty();
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

    /** MI9: large and small answers come whole to a client that reads in fits and starts. */
    @Test
    void comesWholeToASlowReader() throws Exception {
        var ids = new ArrayList<String>();
        for (int i = 0; i < 2; i++) {
            ids.add(call(Messages.callParams("alpha.big", "{\"bytes\":" + FIVE_MEGABYTES + "}")));
            ids.add(call(Messages.callParams("alpha.echo", "{}")));
        }
        for (int i = 0; i < 25; i++) {
            client.pauseReading();
            LockSupport.parkNanos(1_000_000);
            client.resumeReading();
            LockSupport.parkNanos(1_000_000);
        }
        for (String id : ids) {
            assertThat(Flight.text(client.awaitAnswer(id))).isNotEmpty();
        }
        assertThat(client.violations()).isEmpty();
    }

    private static boolean isProgress(JsonTree message, String token) {
        return message.find("params", "progressToken").equals(Optional.of(new JsonTree.Str(token)));
    }

    /** MI5, MI6: no server has the client's end of anything, so it can neither steal nor print. */
    @Test
    void leavesTheClientsPipesToNoServer() throws Exception {
        List<Long> below = flight.host().descendants();
        assertThat(below).hasSizeGreaterThanOrEqualTo(2);
        for (int number : List.of(0, 1)) {
            Path ours = descriptor(client.pid(), number);
            for (long pid : below) {
                for (int other : List.of(0, 1, 2)) {
                    assertThat(descriptor(pid, other))
                            .as("%d of %d", other, pid)
                            .isNotEqualTo(ours);
                }
            }
        }
    }

    private static Path descriptor(long pid, int number) throws Exception {
        return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "fd", "" + number));
    }
}
