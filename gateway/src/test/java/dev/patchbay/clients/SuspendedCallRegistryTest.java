package dev.patchbay.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.clients.SuspendedCallRegistry.RequestKey;
import dev.patchbay.gateway.Caller;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.McpMethod;
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
class SuspendedCallRegistryTest {
    private static final Json TARGET = Json.of("\"a.tool\"");
    private static final Json ARGUMENTS = Json.of("{\"n\":1}");
    private static final RequestKey REQUEST_KEY =
            new RequestKey("ann", McpMethod.TOOLS_CALL, TARGET, ARGUMENTS);

    private static final Duration EXPIRY = Duration.ofMinutes(10);

    private final SuspendedCallRegistry calls = new SuspendedCallRegistry();

    @Test
    void stateCanBeUsedOnce() {
        SuspendedCall call = suspendedCall(calls);
        Json params = params(calls.suspend(call));
        assertThat(calls.take(params, REQUEST_KEY)).isSameAs(call);
        assertRejected(calls, params, REQUEST_KEY);
    }

    @Test
    void stateIsValidOnlyForItsOwnRequest() {
        SuspendedCall call = suspendedCall(calls);
        Json params = params(calls.suspend(call));
        assertRejected(
                calls, params, new RequestKey("bob", McpMethod.TOOLS_CALL, TARGET, ARGUMENTS));
        assertRejected(
                calls, params, new RequestKey("ann", McpMethod.PROMPTS_GET, TARGET, ARGUMENTS));
        Json other = Json.of("\"b.tool\"");
        assertRejected(
                calls, params, new RequestKey("ann", McpMethod.TOOLS_CALL, other, ARGUMENTS));
        assertRejected(calls, params, new RequestKey("ann", McpMethod.TOOLS_CALL, TARGET, null));
        assertThat(calls.take(params, REQUEST_KEY)).isSameAs(call);
    }

    @Test
    void modifiedStateIsRejected() {
        String state = calls.suspend(suspendedCall(calls));
        for (int i = 0; i < state.length(); i++) {
            char changed = state.charAt(i) == 'x' ? 'y' : 'x';
            String other = state.substring(0, i) + changed + state.substring(i + 1);
            if (other.startsWith("patchbay-")) {
                assertRejected(calls, params(other), REQUEST_KEY);
            } else {
                assertThat(calls.take(params(other), REQUEST_KEY)).isNull();
            }
        }
    }

    @Test
    void stateExpires() {
        var clock = new AtomicLong();
        var timed = new SuspendedCallRegistry(clock::get);
        SuspendedCall call = suspendedCall(timed);
        clock.addAndGet(EXPIRY.toNanos()); // it was at work for a long time before it asked
        String early = timed.suspend(call);
        clock.addAndGet(EXPIRY.toNanos());
        assertThat(timed.take(params(early), REQUEST_KEY)).isSameAs(call);
        String late = timed.suspend(call);
        clock.addAndGet(EXPIRY.toNanos() + 1);
        assertRejected(timed, params(late), REQUEST_KEY);
    }

    @Test
    void callIsStoppedAndRemovedWhenClientDoesNotReturn() throws Exception {
        var clock = new AtomicLong();
        var timed = new SuspendedCallRegistry(Duration.ofMillis(100), clock::get);
        var stopped = new CountDownLatch(1);
        var told = new LinkedBlockingQueue<Json>();
        var call = new SuspendedCall(timed, REQUEST_KEY, listener(), new QueueingResponder(told));
        call.onCancel(stopped::countDown);
        var failed = new LinkedBlockingQueue<String>();
        Thread server = Thread.ofVirtual().start(() -> failed.add(answerOrError(call)));
        assertThat(told.poll(30, TimeUnit.SECONDS)).isNotNull();
        assertThat(timed.size()).isOne();
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(failed.poll(30, TimeUnit.SECONDS)).contains("did not return an answer");
        assertThat(server.join(Duration.ofSeconds(30))).isTrue();
        assertThat(timed.size()).isZero();
    }

    @Test
    void principalLeavesHalfOfTheSuspendedCallsToOthers() {
        for (int i = 0; i < SuspendedCallRegistry.SUSPENDED_MAX / 2; i++) {
            calls.suspend(suspendedCall(calls, "ann"));
        }
        assertThatThrownBy(() -> calls.suspend(suspendedCall(calls, "ann")))
                .isInstanceOf(RpcException.class);
        SuspendedCall other = suspendedCall(calls, "bob");
        assertThat(calls.suspend(other)).isNotEmpty();
    }

    @Test
    void numberOfSuspendedCallsIsBounded() {
        var clock = new AtomicLong();
        var timed = new SuspendedCallRegistry(EXPIRY, clock::get);
        var stops = new AtomicInteger();
        for (int i = 0; i < SuspendedCallRegistry.SUSPENDED_MAX; i++) {
            SuspendedCall call = suspendedCall(timed, "owner");
            call.onCancel(stops::incrementAndGet);
            timed.suspend(call);
        }
        SuspendedCall tooMany = suspendedCall(timed);
        for (int i = 0; i < 9_000; i++) {
            assertThatThrownBy(() -> timed.suspend(tooMany))
                    .isInstanceOf(RpcException.class)
                    .hasMessageContaining("Too many calls wait");
        }
        assertThat(timed.size()).isEqualTo(SuspendedCallRegistry.SUSPENDED_MAX);
        clock.addAndGet(EXPIRY.toNanos() + 1);
        String state = timed.suspend(tooMany);
        assertThat(timed.size()).isOne();
        assertThat(stops).hasValue(SuspendedCallRegistry.SUSPENDED_MAX);
        assertThat(timed.take(params(state), REQUEST_KEY)).isSameAs(tooMany);
    }

    /**
     * A question that another call may carry too must not wait for a client that has its result.
     */
    @Test
    void questionIsReleasedWhenItsCallHasEnded() throws Exception {
        var told = new LinkedBlockingQueue<Json>();
        var call = new SuspendedCall(calls, REQUEST_KEY, listener(), new QueueingResponder(told));
        var answers = new LinkedBlockingQueue<String>();
        Thread server = Thread.ofVirtual().start(() -> answers.add(answer(call)));
        Json asked = told.poll(30, TimeUnit.SECONDS);
        assertThat(asked).isNotNull();
        call.succeed(Json.of("{\"content\":[]}"));
        SuspendedCall found = calls.take(params(asked.memberText("requestState")), REQUEST_KEY);
        assertThat(found).isSameAs(call);
        call.resume(null, listener(), new QueueingResponder(told));
        assertThat(told.poll(30, TimeUnit.SECONDS)).hasToString("{\"content\":[]}");
        assertThat(answers.poll(30, TimeUnit.SECONDS)).isEqualTo("null");
        assertThat(server.join(Duration.ofSeconds(30))).isTrue();
        assertThat(call.requestInput("roots/list", Json.EMPTY_OBJECT)).isNull();
    }

    @Test
    void stateOfModernServerIsPassedThrough() {
        assertThat(calls.take(params("whatever"), REQUEST_KEY)).isNull();
        assertThat(calls.take(Json.EMPTY_OBJECT, REQUEST_KEY)).isNull();
    }

    @Test
    void callContinuesWithAnswersOfItsClient() throws Exception {
        var told = new LinkedBlockingQueue<Json>();
        var call = new SuspendedCall(calls, REQUEST_KEY, listener(), new QueueingResponder(told));
        var answers = new LinkedBlockingQueue<String>();
        Thread server = Thread.ofVirtual().start(() -> answers.add(answer(call)));
        assertThat(told.poll(30, TimeUnit.SECONDS)).isNotNull();
        call.resume(Json.of("{\"q1\":{\"roots\":[]}}"), listener(), new QueueingResponder(told));
        assertThat(answers.poll(30, TimeUnit.SECONDS)).isEqualTo("{\"roots\":[]}");
        assertThat(server.join(Duration.ofSeconds(30))).isTrue();
        call.succeed(Json.of("{\"content\":[]}"));
        assertThat(told.poll(30, TimeUnit.SECONDS)).hasToString("{\"content\":[]}");
    }

    /** A server may ask again as soon as it has an answer. */
    @Test
    void clientIsAskedEveryQuestionOfServerThatAsksAtOnceAgain() throws Exception {
        int questions = 5_000;
        var told = new LinkedBlockingQueue<Json>();
        var call = new SuspendedCall(calls, REQUEST_KEY, listener(), new QueueingResponder(told));
        var answers = new LinkedBlockingQueue<String>();
        Thread server =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    for (int i = 0; i < questions; i++) {
                                        answers.add(answer(call));
                                    }
                                });
        for (int i = 1; i <= questions; i++) {
            Json asked = told.poll(30, TimeUnit.SECONDS);
            assertThat(asked).as("Question %s", i).isNotNull();
            assertThat(calls.take(params(asked.memberText("requestState")), REQUEST_KEY))
                    .isSameAs(call);
            Json answer = Json.of("{\"q" + i + "\":{\"roots\":[]}}");
            call.resume(answer, listener(), new QueueingResponder(told));
        }
        assertThat(server.join(Duration.ofSeconds(30))).isTrue();
        assertThat(answers).hasSize(questions);
    }

    private static String answer(SuspendedCall call) {
        try {
            return String.valueOf(call.requestInput("roots/list", Json.EMPTY_OBJECT));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String answerOrError(SuspendedCall call) {
        try {
            return answer(call);
        } catch (RpcException e) {
            return e.getMessage();
        }
    }

    private static ClientCallListener listener() {
        var client = new Implementation("asker", "1");
        var caller =
                new ClientContext(
                        "ann",
                        new ClientContext.StatelessClient("ann", client),
                        "connection",
                        ProtocolVersion.V2026_07_28,
                        client,
                        Json.of("{\"roots\":{}}"),
                        null,
                        null,
                        Caller.GATEWAY);
        return new ClientCallListener(caller, Json.EMPTY_OBJECT);
    }

    private static void assertRejected(
            SuspendedCallRegistry calls, Json params, RequestKey origin) {
        assertThatThrownBy(() -> calls.take(params, origin))
                .isInstanceOfSatisfying(
                        RpcException.class,
                        e -> assertThat(e.error().code()).isEqualTo(RpcError.INVALID_PARAMS));
    }

    private static Json params(String state) {
        return Json.of("{\"requestState\":\"" + state + "\"}");
    }

    private static SuspendedCall suspendedCall(SuspendedCallRegistry calls) {
        return suspendedCall(calls, REQUEST_KEY.principal());
    }

    private static SuspendedCall suspendedCall(SuspendedCallRegistry calls, String principal) {
        var key = new RequestKey(principal, McpMethod.TOOLS_CALL, TARGET, ARGUMENTS);
        return new SuspendedCall(
                calls, key, listener(), new QueueingResponder(new LinkedBlockingQueue<>()));
    }

    /** Tells what a request is completed with. */
    private record QueueingResponder(BlockingQueue<Json> results) implements Responder {
        @Override
        public void succeed(Json result) {
            results.add(result);
        }

        @Override
        public void fail(RpcError error) {}

        @Override
        public void fork(BlockingWork work) {}

        @Override
        public void onCancel(Runnable action) {}

        @Override
        public RequestContext context() {
            throw new AssertionError("There is no peer");
        }
    }
}
