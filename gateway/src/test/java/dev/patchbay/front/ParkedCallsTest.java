package dev.patchbay.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.front.ParkedCalls.Origin;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Completion;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.Method;
import dev.patchbay.mcp.ProtocolVersion;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A call that waits for its client is found by that client, with that request, once, in time. */
class ParkedCallsTest {
    private static final Json TARGET = Json.of("\"a.tool\"");
    private static final Json ARGUMENTS = Json.of("{\"n\":1}");
    private static final Origin ORIGIN = new Origin("ann", Method.TOOLS_CALL, TARGET, ARGUMENTS);

    private static final Duration KEPT = Duration.ofMinutes(10);

    private final ParkedCalls calls = new ParkedCalls();

    @Test
    void aStateIsGoodForOneUse() {
        Parked call = parked(calls);
        Json params = params(calls.park(call));
        assertThat(calls.take(params, ORIGIN)).isSameAs(call);
        assertRefused(calls, params, ORIGIN);
    }

    @Test
    void aStateIsGoodForItsOwnRequestAlone() {
        Parked call = parked(calls);
        Json params = params(calls.park(call));
        assertRefused(calls, params, new Origin("bob", Method.TOOLS_CALL, TARGET, ARGUMENTS));
        assertRefused(calls, params, new Origin("ann", Method.PROMPTS_GET, TARGET, ARGUMENTS));
        Json other = Json.of("\"b.tool\"");
        assertRefused(calls, params, new Origin("ann", Method.TOOLS_CALL, other, ARGUMENTS));
        assertRefused(calls, params, new Origin("ann", Method.TOOLS_CALL, TARGET, null));
        assertThat(calls.take(params, ORIGIN)).isSameAs(call);
    }

    @Test
    void aStateThatWasChangedIsNobodys() {
        String state = calls.park(parked(calls));
        for (int i = 0; i < state.length(); i++) {
            char changed = state.charAt(i) == 'x' ? 'y' : 'x';
            String other = state.substring(0, i) + changed + state.substring(i + 1);
            if (other.startsWith("patchbay-")) {
                assertRefused(calls, params(other), ORIGIN);
            } else {
                assertThat(calls.take(params(other), ORIGIN)).isNull();
            }
        }
    }

    @Test
    void aStateEndsWithItsTime() {
        var clock = new AtomicLong();
        var timed = new ParkedCalls(clock::get);
        Parked call = parked(timed);
        clock.addAndGet(KEPT.toNanos()); // it was at work for a long time before it asked
        String early = timed.park(call);
        clock.addAndGet(KEPT.toNanos());
        assertThat(timed.take(params(early), ORIGIN)).isSameAs(call);
        String late = timed.park(call);
        clock.addAndGet(KEPT.toNanos() + 1);
        assertRefused(timed, params(late), ORIGIN);
    }

    @Test
    void aCallWhoseClientDoesNotComeBackIsGivenUpAndForgotten() throws Exception {
        var clock = new AtomicLong();
        var timed = new ParkedCalls(Duration.ofMillis(100), clock::get);
        var stopped = new CountDownLatch(1);
        var told = new LinkedBlockingQueue<Json>();
        var call = new Parked(timed, ORIGIN, asker(), new Telling(told));
        call.stopWith(stopped::countDown);
        var failed = new LinkedBlockingQueue<String>();
        Thread server = Thread.ofVirtual().start(() -> failed.add(refusal(call)));
        assertThat(told.poll(30, TimeUnit.SECONDS)).isNotNull();
        assertThat(timed.size()).isOne();
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(failed.poll(30, TimeUnit.SECONDS)).contains("did not come back");
        assertThat(server.join(Duration.ofSeconds(30))).isTrue();
        assertThat(timed.size()).isZero();
    }

    @Test
    void onlySoManyCallsWaitForTheirClients() {
        var clock = new AtomicLong();
        var timed = new ParkedCalls(KEPT, clock::get);
        var stops = new AtomicInteger();
        for (int i = 0; i < ParkedCalls.PARKED_MAX; i++) {
            Parked call = parked(timed);
            call.stopWith(stops::incrementAndGet);
            timed.park(call);
        }
        Parked tooMany = parked(timed);
        for (int i = 0; i < 9_000; i++) {
            assertThatThrownBy(() -> timed.park(tooMany))
                    .isInstanceOf(RpcException.class)
                    .hasMessageContaining("Too many calls wait");
        }
        assertThat(timed.size()).isEqualTo(ParkedCalls.PARKED_MAX);
        clock.addAndGet(KEPT.toNanos() + 1);
        String state = timed.park(tooMany);
        assertThat(timed.size()).isOne();
        assertThat(stops).hasValue(ParkedCalls.PARKED_MAX);
        assertThat(timed.take(params(state), ORIGIN)).isSameAs(tooMany);
    }

    /**
     * A question that another call may carry too must not wait for a client that has its result.
     */
    @Test
    void aQuestionLeavesACallThatIsOver() throws Exception {
        var told = new LinkedBlockingQueue<Json>();
        var call = new Parked(calls, ORIGIN, asker(), new Telling(told));
        var answers = new LinkedBlockingQueue<String>();
        Thread server = Thread.ofVirtual().start(() -> answers.add(answer(call)));
        Json asked = told.poll(30, TimeUnit.SECONDS);
        assertThat(asked).isNotNull();
        call.end(Json.of("{\"content\":[]}"), null);
        Parked found = calls.take(params(asked.memberText("requestState")), ORIGIN);
        assertThat(found).isSameAs(call);
        call.goOn(null, asker(), new Telling(told));
        assertThat(told.poll(30, TimeUnit.SECONDS)).hasToString("{\"content\":[]}");
        assertThat(answers.poll(30, TimeUnit.SECONDS)).isEqualTo("null");
        assertThat(server.join(Duration.ofSeconds(30))).isTrue();
        assertThat(call.ask("roots/list", Json.EMPTY_OBJECT)).isNull();
    }

    @Test
    void theStateOfAModernServerIsItsOwnAffair() {
        assertThat(calls.take(params("whatever"), ORIGIN)).isNull();
        assertThat(calls.take(Json.EMPTY_OBJECT, ORIGIN)).isNull();
    }

    @Test
    void aCallGoesOnWithTheAnswersOfItsClient() throws Exception {
        var told = new LinkedBlockingQueue<Json>();
        var call = new Parked(calls, ORIGIN, asker(), new Telling(told));
        var answers = new LinkedBlockingQueue<String>();
        Thread server = Thread.ofVirtual().start(() -> answers.add(answer(call)));
        assertThat(told.poll(30, TimeUnit.SECONDS)).isNotNull();
        call.goOn(Json.of("{\"q1\":{\"roots\":[]}}"), asker(), new Telling(told));
        assertThat(answers.poll(30, TimeUnit.SECONDS)).isEqualTo("{\"roots\":[]}");
        assertThat(server.join(Duration.ofSeconds(30))).isTrue();
        call.end(Json.of("{\"content\":[]}"), null);
        assertThat(told.poll(30, TimeUnit.SECONDS)).hasToString("{\"content\":[]}");
    }

    private static String answer(Parked call) {
        try {
            return String.valueOf(call.ask("roots/list", Json.EMPTY_OBJECT));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String refusal(Parked call) {
        try {
            return answer(call);
        } catch (RpcException e) {
            return e.getMessage();
        }
    }

    private static ClientEar asker() {
        var client = new Implementation("asker", "1");
        var caller =
                new Caller(
                        "ann",
                        new Caller.Visitor("ann", client),
                        ProtocolVersion.V2026_07_28,
                        client,
                        Json.of("{\"roots\":{}}"),
                        null,
                        null);
        return new ClientEar(caller, Json.EMPTY_OBJECT);
    }

    private static void assertRefused(ParkedCalls calls, Json params, Origin origin) {
        assertThatThrownBy(() -> calls.take(params, origin))
                .isInstanceOfSatisfying(
                        RpcException.class,
                        e -> assertThat(e.error().code()).isEqualTo(RpcError.INVALID_PARAMS));
    }

    private static Json params(String state) {
        return Json.of("{\"requestState\":\"" + state + "\"}");
    }

    private static Parked parked(ParkedCalls calls) {
        return new Parked(calls, ORIGIN, null, new Telling(new LinkedBlockingQueue<>()));
    }

    /** Tells what a request is completed with. */
    private record Telling(BlockingQueue<Json> told) implements Completion {
        @Override
        public void complete(Json result) {
            told.add(result);
        }

        @Override
        public void fail(RpcError error) {}

        @Override
        public void resume(Work work) {}

        @Override
        public void onCancel(Runnable action) {}
    }
}
