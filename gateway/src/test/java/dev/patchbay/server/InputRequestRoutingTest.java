package dev.patchbay.server;

import static dev.patchbay.testkit.Await.becomesTrue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.SendResult;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.time.FakeTicker;
import dev.patchbay.time.Ticker;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A legacy server over stdio asks something and does not say for which of its calls. The question
 * reaches the client it is for, or nobody.
 */
@Tag("slow")
class InputRequestRoutingTest {
    private static final CallOptions INTERNAL = CallOptions.internal(Duration.ofSeconds(30));
    private static final Json PARAMS = Json.of("{\"name\":\"t\"}");

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final FakeTicker ticker = new FakeTicker();
    private FakeServer server = new FakeServer(FakeServer.LEGACY);

    @AfterEach
    void stopServer() {
        server.terminate();
        executor.shutdownNow();
    }

    @Test
    void newestCallOfTheClientCarriesTheRequest() throws Exception {
        JsonRpcServerSession link = openSession(256);
        AnsweringCallListener one = AnsweringCallListener.of("c").answering();
        AnsweringCallListener two = AnsweringCallListener.of("c").answering();
        var _ = call(link, one, 1);
        var _ = call(link, two, 2);
        sendInputRequest(5);
        assertThat(responseTo(5)).contains("Success", "\"by\":\"c\"");
        assertThat(two.inputRequests).hasSize(1);
        assertThat(one.inputRequests).isEmpty();
    }

    @Test
    void timeoutOfAllCandidateCallsIsPaused() throws Exception {
        JsonRpcServerSession link = openSession(256);
        var one = call(link, AnsweringCallListener.of("c"), 1, 3_000);
        AnsweringCallListener asked = AnsweringCallListener.of("c");
        var two = call(link, asked, 2, 3_000);
        var three = executor.submit(() -> link.call("ping", PARAMS, INTERNAL));
        assertThat(becomesTrue(() -> pings().size() == 1)).isTrue();
        sendInputRequest(5);
        assertThat(becomesTrue(() -> !asked.inputRequests.isEmpty())).isTrue();
        ticker.advance(Duration.ofSeconds(31));
        assertThat(three.get()).isInstanceOf(CallOutcome.TimedOut.class);
        answerCall(1);
        answerCall(2);
        assertThat(one.get()).isInstanceOf(CallOutcome.Result.class);
        assertThat(two.get()).isInstanceOf(CallOutcome.Result.class);
    }

    @Test
    void inputRequestSurvivesItsCarrierButNotTheLastCandidate() throws Exception {
        JsonRpcServerSession link = openSession(256);
        AnsweringCallListener two = AnsweringCallListener.of("c");
        var first = call(link, AnsweringCallListener.of("c"), 1);
        var second = call(link, two, 2);
        sendInputRequest(5);
        assertThat(becomesTrue(() -> !two.inputRequests.isEmpty())).isTrue();
        answerCall(2);
        assertThat(second.get()).isInstanceOf(CallOutcome.Result.class);
        sendInputRequest(6);
        assertThat(hasResponse(5)).isFalse();
        answerCall(1);
        assertThat(first.get()).isInstanceOf(CallOutcome.Result.class);
        assertThat(responseTo(5)).contains("Failure");
        assertThat(responseTo(6)).contains("Failure");
    }

    @Test
    void eachCallCarriesOneInputRequestBeforeAnyCarriesTwo() throws Exception {
        JsonRpcServerSession link = openSession(256);
        AnsweringCallListener one = AnsweringCallListener.of("c");
        AnsweringCallListener two = AnsweringCallListener.of("c");
        var _ = call(link, one, 1);
        var _ = call(link, two, 2);
        sendInputRequest(5);
        assertThat(becomesTrue(() -> two.inputRequests.size() == 1)).isTrue();
        sendInputRequest(6);
        assertThat(becomesTrue(() -> one.inputRequests.size() == 1)).isTrue();
        sendInputRequest(7);
        assertThat(becomesTrue(() -> one.inputRequests.size() == 2)).isTrue();
        one.answering();
        two.answering();
        for (int id : new int[] {5, 6, 7}) {
            assertThat(responseTo(id)).contains("Success");
        }
    }

    @Test
    void inputRequestUsesACallWhoseClientAcceptsIt() throws Exception {
        JsonRpcServerSession link = openSession(256);
        var unable = new AnsweringCallListener("c", "ann", false);
        AnsweringCallListener able = AnsweringCallListener.of("c").answering();
        var _ = call(link, able, 1);
        var _ = call(link, unable, 2);
        sendInputRequest(5);
        assertThat(responseTo(5)).contains("Success");
        assertThat(unable.inputRequests).isEmpty();
    }

    @Test
    void nextInputRequestGoesToTheClientThatIsNotAnsweringOne() throws Exception {
        JsonRpcServerSession link = openSession(256);
        AnsweringCallListener waiting = AnsweringCallListener.of("c");
        var _ = call(link, waiting, 1);
        sendInputRequest(5);
        assertThat(becomesTrue(() -> !waiting.inputRequests.isEmpty())).isTrue();
        AnsweringCallListener next = AnsweringCallListener.of("d").answering();
        var _ = call(link, next, 2);
        sendInputRequest(6);
        assertThat(responseTo(6)).contains("Success", "\"by\":\"d\"");
        assertThat(waiting.inputRequests).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void inputRequestNeverReachesAnotherPrincipal(boolean asked) throws Exception {
        JsonRpcServerSession link = openSession(256);
        AnsweringCallListener ann = AnsweringCallListener.of("c");
        var bob = new AnsweringCallListener("d", "bob", true);
        var _ = call(link, ann, 1);
        if (asked) {
            sendInputRequest(5);
            assertThat(becomesTrue(() -> !ann.inputRequests.isEmpty())).isTrue();
        }
        var _ = call(link, bob, 2);
        sendInputRequest(6);
        if (!asked) { // one of the calls may end, and then it is about the other
            ticker.awaitWaiting(1);
            assertThat(hasResponse(6)).isFalse();
            ticker.advance(InputRequestRouter.DECISION_WAIT_MAX);
        }
        assertThat(responseTo(6)).contains("-32603", "Calls of 2 clients are in progress");
        assertThat(ann.inputRequests).hasSize(asked ? 1 : 0);
        assertThat(bob.inputRequests).isEmpty();
    }

    @Test
    void clientsTakeTurnsAfterTheFirstInputRequest() throws Exception {
        JsonRpcServerSession link = openSession(256);
        AnsweringCallListener one = AnsweringCallListener.of("c").answering();
        var first = call(link, one, 1);
        sendInputRequest(5);
        assertThat(responseTo(5)).contains("Success");
        AnsweringCallListener other = AnsweringCallListener.of("d").answering();
        var options = new CallOptions(Duration.ofSeconds(30), other, Json.EMPTY_OBJECT, null);
        assertThat(link.send("tools/call", PARAMS, options, Duration.ZERO, _ -> {}))
                .isInstanceOf(SendResult.NotSent.class);
        assertThat(requests()).hasSize(1);
        var second = executor.submit(() -> link.call("tools/call", PARAMS, options));
        answerCall(1);
        assertThat(first.get()).isInstanceOf(CallOutcome.Result.class);
        assertThat(becomesTrue(() -> requests().size() == 2)).isTrue();
        sendInputRequest(7);
        assertThat(responseTo(7)).contains("\"by\":\"d\"");
        answerCall(2);
        assertThat(second.get()).isInstanceOf(CallOutcome.Result.class);
    }

    /** Else both would be at work at once, and their next questions anybody's. */
    @Test
    void responseWaitsForTheTurnOfItsClient() throws Exception {
        JsonRpcServerSession link = openSession(256);
        AnsweringCallListener one = AnsweringCallListener.of("c");
        var _ = call(link, one, 1);
        sendInputRequest(5);
        assertThat(becomesTrue(() -> !one.inputRequests.isEmpty())).isTrue();
        var second = call(link, AnsweringCallListener.of("d").answering(), 2);
        one.answering();
        ticker.awaitWaiting(1);
        assertThat(hasResponse(5)).isFalse();
        answerCall(2);
        assertThat(second.get()).isInstanceOf(CallOutcome.Result.class);
        assertThat(responseTo(5)).contains("\"by\":\"c\"");
    }

    @Test
    void waitForATurnIsBounded() throws Exception {
        JsonRpcServerSession link = openSession(256);
        var _ = call(link, AnsweringCallListener.of("c").answering(), 1);
        sendInputRequest(5);
        assertThat(responseTo(5)).contains("Success");
        var second = executor.submit(() -> link.call("tools/call", PARAMS, options("d")));
        ticker.awaitWaiting(1);
        assertThat(requests()).hasSize(1);
        ticker.advance(InputRequestRouter.TURN_WAIT_MAX);
        answerCall(2);
        assertThat(second.get()).isInstanceOf(CallOutcome.Result.class);
    }

    @Test
    void callOfAToolThatDoesNotAskNeverWaits() throws Exception {
        JsonRpcServerSession link = openSession(256);
        var _ = call(link, AnsweringCallListener.of("c").answering(), 1);
        sendInputRequest(5);
        assertThat(responseTo(5)).contains("Success");
        Json quiet = Json.of("{\"name\":\"quiet\"}");
        assertThat(link.send("tools/call", quiet, options("d"), Duration.ZERO, _ -> {}))
                .isInstanceOf(SendResult.Sent.class);
    }

    /** The question waits, and not the calls of other clients. */
    @Test
    void inputRequestWaitsUntilTheCallsOfOtherClientsHaveEnded() throws Exception {
        JsonRpcServerSession link = openSession(256);
        AnsweringCallListener one = AnsweringCallListener.of("c").answering();
        AnsweringCallListener two = AnsweringCallListener.of("d").answering();
        var _ = call(link, one, 1);
        var second = call(link, two, 2);
        sendInputRequest(5);
        ticker.awaitWaiting(1);
        assertThat(hasResponse(5)).isFalse();
        answerCall(2);
        assertThat(second.get()).isInstanceOf(CallOutcome.Result.class);
        assertThat(responseTo(5)).contains("\"by\":\"c\"");
        assertThat(two.inputRequests).isEmpty();
    }

    /** The server may have asked before it read that the call was cancelled. */
    @Test
    void inputRequestOfACancelledCallReachesNoOtherClient() throws Exception {
        JsonRpcServerSession link = openSession(256);
        var first = call(link, AnsweringCallListener.of("c").answering(), 1);
        sendInputRequest(5);
        assertThat(responseTo(5)).contains("Success");
        first.cancel(true);
        assertThat(becomesTrue(() -> !pings().isEmpty())).isTrue();
        AnsweringCallListener other = AnsweringCallListener.of("d").answering();
        var _ = call(link, other, 2);
        sendInputRequest(6);
        assertThat(responseTo(6)).contains("-32603", "Calls of 2 clients are in progress");
        server.sendMessage(
                "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}".formatted(pings().getFirst().id()));
        sendInputRequest(7);
        assertThat(responseTo(7)).contains("\"by\":\"d\"");
        assertThat(other.inputRequests).hasSize(1);
    }

    /** Neither for the call that carries the question, nor for another that may have asked it. */
    @Test
    void noOtherClientWaitsForAPersonsAnswer() throws Exception {
        JsonRpcServerSession link = openSession(256);
        AnsweringCallListener one = AnsweringCallListener.of("c");
        AnsweringCallListener two = AnsweringCallListener.of("c");
        var _ = call(link, one, 1);
        var _ = call(link, two, 2);
        sendInputRequest(5);
        sendInputRequest(6);
        assertThat(becomesTrue(() -> !one.inputRequests.isEmpty() && !two.inputRequests.isEmpty()))
                .isTrue();
        AnsweringCallListener other = AnsweringCallListener.of("d").answering();
        var options = new CallOptions(Duration.ofSeconds(30), other, Json.EMPTY_OBJECT, null);
        assertThat(link.send("tools/call", PARAMS, options, Duration.ZERO, _ -> {}))
                .isInstanceOf(SendResult.Sent.class);
        assertThat(becomesTrue(() -> requests().size() == 3)).isTrue();
        sendInputRequest(7);
        assertThat(responseTo(7)).contains("\"by\":\"d\"");
    }

    private static CallOptions options(String client) {
        return new CallOptions(
                Duration.ofSeconds(30), AnsweringCallListener.of(client), Json.EMPTY_OBJECT, null);
    }

    /** People take minutes to answer; the server has other work meanwhile. */
    @Test
    void callWaitingForItsClientHoldsNeitherPermitNorTurn() throws Exception {
        JsonRpcServerSession link = openSession(1);
        AnsweringCallListener one = AnsweringCallListener.of("c");
        var first = call(link, one, 1);
        sendInputRequest(5);
        assertThat(becomesTrue(() -> !one.inputRequests.isEmpty())).isTrue();
        var passed = new CountDownLatch(1);
        var options =
                new CallOptions(
                        Duration.ofSeconds(30),
                        AnsweringCallListener.of("d"),
                        Json.EMPTY_OBJECT,
                        null);
        assertThat(link.send("tools/call", PARAMS, options, Duration.ZERO, _ -> passed.countDown()))
                .isInstanceOf(SendResult.Sent.class);
        assertThat(becomesTrue(() -> requests().size() == 2)).isTrue();
        assertThat(link.inFlightCount()).isEqualTo(2);
        answerCall(2);
        assertThat(passed.await(30, TimeUnit.SECONDS)).isTrue();
        one.answering();
        assertThat(responseTo(5)).contains("Success");
        answerCall(1);
        assertThat(first.get()).isInstanceOf(CallOutcome.Result.class);
        assertThat(link.inFlightCount()).isZero();
        var last = executor.submit(() -> link.call("tools/call", PARAMS, INTERNAL));
        answerCall(3);
        assertThat(last.get()).isInstanceOf(CallOutcome.Result.class);
    }

    private JsonRpcServerSession openSession(int callsMax) throws Exception {
        server =
                new FakeServer(
                        (method, params) ->
                                method.equals("tools/call") || method.equals("ping")
                                        ? FakeServer.NO_RESPONSE
                                        : FakeServer.LEGACY.apply(method, params));
        JsonRpcServerSession link =
                JsonRpcServerSession.start(
                        new ServerId("a"),
                        server,
                        new SessionOptions(
                                new ServerEventListener() {},
                                new QuestionPolicy(new ServerId("s"), false),
                                callsMax,
                                ticker),
                        _ -> {});
        new Handshake(
                        EraChoice.LEGACY,
                        new Implementation("p", "1"),
                        new EraCache(Ticker.system()),
                        Ticker.system())
                .perform(link, Duration.ofSeconds(30), false);
        return link;
    }

    private Future<CallOutcome> call(JsonRpcServerSession link, CallListener caller, int nth) {
        return call(link, caller, nth, 30_000);
    }

    /** Calls, and waits until the server has heard of it. */
    private Future<CallOutcome> call(
            JsonRpcServerSession link, CallListener caller, int nth, long timeoutMs) {
        var options =
                new CallOptions(Duration.ofMillis(timeoutMs), caller, Json.EMPTY_OBJECT, null);
        var called = executor.submit(() -> link.call("tools/call", PARAMS, options));
        assertThat(becomesTrue(() -> requests().size() >= nth)).isTrue();
        return called;
    }

    private List<Request> requests() {
        return server.requests("tools/call");
    }

    private List<Request> pings() {
        return server.requests("ping");
    }

    private void sendInputRequest(int id) {
        server.sendMessage(
                "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"roots/list\",\"params\":{\"n\":%d}}"
                        .formatted(id, id));
    }

    /** Answers the nth call. */
    private void answerCall(int nth) {
        assertThat(becomesTrue(() -> requests().size() >= nth)).isTrue();
        server.sendMessage(
                "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}"
                        .formatted(requests().get(nth - 1).id()));
    }

    private boolean hasResponse(int id) {
        return !server.responses(id).isEmpty();
    }

    private String responseTo(int id) {
        assertThat(becomesTrue(() -> hasResponse(id))).isTrue();
        return server.responses(id).getFirst().toString();
    }
}
