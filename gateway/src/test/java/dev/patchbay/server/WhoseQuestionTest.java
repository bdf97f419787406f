package dev.patchbay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Message;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A legacy server over stdio asks something and does not say for which of its calls. The question
 * reaches the client it is for, or nobody.
 */
class WhoseQuestionTest {
    private static final CallOptions OWN = CallOptions.own(Duration.ofSeconds(30));
    private static final Json PARAMS = Json.of("{\"name\":\"t\"}");

    /** A call of a client of some principal, which answers when it is let. */
    private static final class Caller implements CallListener {
        final List<String> asked = new CopyOnWriteArrayList<>();
        final CountDownLatch answers = new CountDownLatch(1);
        private final String client;
        private final String principal;
        private final boolean able;

        Caller(String client, String principal, boolean able) {
            this.client = client;
            this.principal = principal;
            this.able = able;
        }

        static Caller of(String client) {
            return new Caller(client, "ann", true);
        }

        /** The same, and it has all the answers. */
        Caller ready() {
            answers.countDown();
            return this;
        }

        @Override
        public Object client() {
            return client;
        }

        @Override
        public String principal() {
            return principal;
        }

        @Override
        public boolean takes(String method, Json params) {
            return able;
        }

        @Override
        public Json ask(String method, Json params) throws InterruptedException {
            asked.add(params.toString());
            answers.await();
            return Json.of("{\"by\":\"" + client + "\"}");
        }
    }

    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private FakeServer server = new FakeServer(FakeServer.LEGACY);

    @AfterEach
    void endEverything() {
        server.end();
        callers.shutdownNow();
    }

    @Test
    void aClientWithSeveralCallsIsAsked() throws Exception {
        LiveLink link = link(256);
        Caller one = Caller.of("c").ready();
        Caller two = Caller.of("c").ready();
        var _ = call(link, one, 1);
        var _ = call(link, two, 2);
        ask(5);
        assertThat(answerTo(5)).contains("Success", "\"by\":\"c\"");
        assertThat(one.asked).hasSize(1);
        assertThat(two.asked).isEmpty();
    }

    @Test
    void theTimeOfAllCallsThatMayHaveAskedStandsStill() throws Exception {
        LiveLink link = link(256);
        var one = call(link, Caller.of("c"), 1, 3_000);
        var two = call(link, Caller.of("c"), 2, 3_000);
        ask(5);
        assertThat(link.call("ping", PARAMS, CallOptions.own(Duration.ofMillis(3_500))))
                .isInstanceOf(CallOutcome.TimedOut.class);
        answer(1);
        answer(2);
        assertThat(one.get()).isInstanceOf(CallOutcome.Result.class);
        assertThat(two.get()).isInstanceOf(CallOutcome.Result.class);
    }

    @Test
    void aQuestionOutlivesTheCallThatCarriesItButNotAllThatItMayBeFor() throws Exception {
        LiveLink link = link(256);
        Caller one = Caller.of("c");
        var first = call(link, one, 1);
        var second = call(link, Caller.of("c"), 2);
        ask(5);
        assertThat(comesTrue(() -> !one.asked.isEmpty())).isTrue();
        answer(1);
        assertThat(first.get()).isInstanceOf(CallOutcome.Result.class);
        ask(6);
        assertThat(isAnswered(5)).isFalse();
        answer(2);
        assertThat(second.get()).isInstanceOf(CallOutcome.Result.class);
        assertThat(answerTo(5)).contains("Failure");
        assertThat(answerTo(6)).contains("Failure");
    }

    @Test
    void eachCallOfAClientCarriesOneQuestionBeforeAnyCarriesTwo() throws Exception {
        LiveLink link = link(256);
        Caller one = Caller.of("c");
        Caller two = Caller.of("c");
        var _ = call(link, one, 1);
        var _ = call(link, two, 2);
        ask(5);
        assertThat(comesTrue(() -> one.asked.size() == 1)).isTrue();
        ask(6);
        assertThat(comesTrue(() -> two.asked.size() == 1)).isTrue();
        ask(7);
        assertThat(comesTrue(() -> two.asked.size() == 2)).isTrue();
        one.ready();
        two.ready();
        for (int id : new int[] {5, 6, 7}) {
            assertThat(answerTo(id)).contains("Success");
        }
    }

    @Test
    void theCallThatCanBeAskedCarriesTheQuestion() throws Exception {
        LiveLink link = link(256);
        var unable = new Caller("c", "ann", false);
        Caller able = Caller.of("c").ready();
        var _ = call(link, unable, 1);
        var _ = call(link, able, 2);
        ask(5);
        assertThat(answerTo(5)).contains("Success");
        assertThat(unable.asked).isEmpty();
    }

    @Test
    void aClientThatIsAskedAlreadyIsNotTakenForTheOneToAskNext() throws Exception {
        LiveLink link = link(256);
        Caller waiting = Caller.of("c");
        var _ = call(link, waiting, 1);
        ask(5);
        assertThat(comesTrue(() -> !waiting.asked.isEmpty())).isTrue();
        Caller next = Caller.of("d").ready();
        var _ = call(link, next, 2);
        ask(6);
        assertThat(answerTo(6)).contains("Success", "\"by\":\"d\"");
        assertThat(waiting.asked).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noQuestionGoesToAnotherPrincipal(boolean asked) throws Exception {
        LiveLink link = link(256);
        Caller ann = Caller.of("c");
        var bob = new Caller("d", "bob", true);
        var _ = call(link, ann, 1);
        if (asked) {
            ask(5);
            assertThat(comesTrue(() -> !ann.asked.isEmpty())).isTrue();
        }
        var _ = call(link, bob, 2);
        ask(6);
        assertThat(answerTo(6)).contains("-32603", "Calls of 2 clients are in flight");
        assertThat(ann.asked).hasSize(asked ? 1 : 0);
        assertThat(bob.asked).isEmpty();
    }

    @Test
    void clientsTakeTurnsAtAServerThatHasAsked() throws Exception {
        LiveLink link = link(256);
        Caller one = Caller.of("c").ready();
        var first = call(link, one, 1);
        ask(5);
        assertThat(answerTo(5)).contains("Success");
        Caller other = Caller.of("d").ready();
        var options = new CallOptions(Duration.ofSeconds(30), other, Json.EMPTY_OBJECT, null);
        assertThat(link.pass("tools/call", PARAMS, options, _ -> {})).isNull();
        assertThat(requests()).hasSize(1);
        var second = callers.submit(() -> link.call("tools/call", PARAMS, options));
        answer(1);
        assertThat(first.get()).isInstanceOf(CallOutcome.Result.class);
        assertThat(comesTrue(() -> requests().size() == 2)).isTrue();
        ask(7);
        assertThat(answerTo(7)).contains("\"by\":\"d\"");
        answer(2);
        assertThat(second.get()).isInstanceOf(CallOutcome.Result.class);
    }

    /** Else both would be at work at once, and their next questions anybody's. */
    @Test
    void anAnswerWaitsForTheTurnOfItsClient() throws Exception {
        LiveLink link = link(256);
        Caller one = Caller.of("c");
        var _ = call(link, one, 1);
        ask(5);
        assertThat(comesTrue(() -> !one.asked.isEmpty())).isTrue();
        var second = call(link, Caller.of("d").ready(), 2);
        one.ready();
        ask(6);
        assertThat(answerTo(6)).contains("\"by\":\"d\"");
        answer(2);
        assertThat(second.get()).isInstanceOf(CallOutcome.Result.class);
        assertThat(answerTo(5)).contains("\"by\":\"c\"");
    }

    @Test
    void aTurnIsNotWaitedForWithoutEnd() throws Exception {
        LiveLink link = link(256);
        var _ = call(link, Caller.of("c").ready(), 1);
        ask(5);
        assertThat(answerTo(5)).contains("Success");
        var watch = Stopwatch.start();
        var second = call(link, Caller.of("d"), 2);
        assertThat(watch.elapsed()).isGreaterThan(Duration.ofMillis(4_900));
        assertThat(watch.net()).isLessThan(Duration.ofSeconds(7));
        answer(2);
        assertThat(second.get()).isInstanceOf(CallOutcome.Result.class);
    }

    /** People take minutes to answer; the server has other work meanwhile. */
    @Test
    void aCallWhoseClientIsAskedTakesNoPlaceAndNoTurn() throws Exception {
        LiveLink link = link(1);
        Caller one = Caller.of("c");
        var first = call(link, one, 1);
        ask(5);
        assertThat(comesTrue(() -> !one.asked.isEmpty())).isTrue();
        var passed = new CountDownLatch(1);
        var options =
                new CallOptions(Duration.ofSeconds(30), Caller.of("d"), Json.EMPTY_OBJECT, null);
        assertThat(link.pass("tools/call", PARAMS, options, _ -> passed.countDown())).isNotNull();
        assertThat(comesTrue(() -> requests().size() == 2)).isTrue();
        assertThat(link.inFlight()).isEqualTo(2);
        answer(2);
        assertThat(passed.await(30, TimeUnit.SECONDS)).isTrue();
        one.ready();
        assertThat(answerTo(5)).contains("Success");
        answer(1);
        assertThat(first.get()).isInstanceOf(CallOutcome.Result.class);
        assertThat(link.inFlight()).isZero();
        var last = callers.submit(() -> link.call("tools/call", PARAMS, OWN));
        answer(3);
        assertThat(last.get()).isInstanceOf(CallOutcome.Result.class);
    }

    private LiveLink link(int callsMax) throws Exception {
        server =
                new FakeServer(
                        (method, params) ->
                                method.equals("tools/call") || method.equals("ping")
                                        ? FakeServer.SILENCE
                                        : FakeServer.LEGACY.apply(method, params));
        LiveLink link =
                LiveLink.over(new ServerId("a"), server, new LinkListener() {}, callsMax, _ -> {});
        new Handshake(EraChoice.LEGACY, new Implementation("p", "1"), new EraMemory())
                .agree(link, Duration.ofSeconds(30), false);
        return link;
    }

    private Future<CallOutcome> call(LiveLink link, CallListener caller, int nth) {
        return call(link, caller, nth, 30_000);
    }

    /** Calls, and waits until the server has heard of it. */
    private Future<CallOutcome> call(LiveLink link, CallListener caller, int nth, long timeoutMs) {
        var options =
                new CallOptions(Duration.ofMillis(timeoutMs), caller, Json.EMPTY_OBJECT, null);
        var called = callers.submit(() -> link.call("tools/call", PARAMS, options));
        assertThat(comesTrue(() -> requests().size() >= nth)).isTrue();
        return called;
    }

    private List<Request> requests() {
        return server.heard.stream()
                .filter(Request.class::isInstance)
                .map(Request.class::cast)
                .filter(request -> request.method().equals("tools/call"))
                .toList();
    }

    private void ask(int id) {
        server.say(
                "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"roots/list\",\"params\":{\"n\":%d}}"
                        .formatted(id, id));
    }

    /** Answers the nth call. */
    private void answer(int nth) {
        assertThat(comesTrue(() -> requests().size() >= nth)).isTrue();
        server.say(
                "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}"
                        .formatted(requests().get(nth - 1).id()));
    }

    private boolean isAnswered(int id) {
        return server.heard.stream().anyMatch(message -> isAnswerTo(message, id));
    }

    private String answerTo(int id) {
        assertThat(comesTrue(() -> isAnswered(id))).isTrue();
        return server.heard.stream()
                .filter(message -> isAnswerTo(message, id))
                .toList()
                .getFirst()
                .toString();
    }

    private static boolean isAnswerTo(Message message, int id) {
        return message instanceof Message.Response response
                && response.id().toString().equals(Integer.toString(id));
    }

    private static boolean comesTrue(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }
}
