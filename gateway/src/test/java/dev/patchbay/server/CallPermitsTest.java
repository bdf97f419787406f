package dev.patchbay.server;

import static dev.patchbay.testkit.Await.becomesTrue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.SendResult;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.time.Ticker;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A server that is busy with as many calls as it may have: the next one is that which came first.
 */
class CallPermitsTest {
    private static final CallOptions OPTIONS = CallOptions.internal(Duration.ofSeconds(30));
    private static final Json PARAMS = Json.of("{\"name\":\"t\"}");

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final FakeServer server =
            new FakeServer(
                    (method, params) ->
                            method.equals("tools/call")
                                    ? FakeServer.NO_RESPONSE
                                    : FakeServer.LEGACY.apply(method, params));

    @AfterEach
    void stopServer() {
        server.terminate();
        executor.shutdownNow();
    }

    /** Else one that waits would do so for as long as others come. */
    @Test
    void nonBlockingCallDoesNotOvertakeAWaitingCall() throws Exception {
        JsonRpcServerSession link = sessionWithOnePermit();
        var overtakes = new CompletableFuture<Boolean>();
        assertThat(
                        link.send(
                                "tools/call",
                                PARAMS,
                                OPTIONS,
                                Duration.ZERO,
                                _ -> overtakes.complete(isCallSent(link))))
                .isInstanceOf(SendResult.Sent.class);
        var waiter = new CompletableFuture<Thread>();
        var waiting =
                executor.submit(
                        () -> {
                            waiter.complete(Thread.currentThread());
                            return link.call("tools/call", PARAMS, OPTIONS);
                        });
        Thread thread = waiter.get(30, TimeUnit.SECONDS);
        assertThat(becomesTrue(() -> thread.getState() == Thread.State.TIMED_WAITING)).isTrue();
        answer(0, "{}");
        assertThat(overtakes.get(30, TimeUnit.SECONDS)).isFalse();
        answer(1, "{\"waited\":1}");
        assertThat(waiting.get()).isEqualTo(new CallOutcome.Result(Json.of("{\"waited\":1}")));
        assertThat(isCallSent(link)).isTrue();
    }

    private static boolean isCallSent(JsonRpcServerSession link) {
        try {
            return link.send("tools/call", PARAMS, OPTIONS, Duration.ZERO, _ -> {})
                    instanceof SendResult.Sent;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private JsonRpcServerSession sessionWithOnePermit() throws Exception {
        JsonRpcServerSession link =
                JsonRpcServerSession.start(
                        new ServerId("a"),
                        server,
                        new SessionOptions(
                                new ServerEventListener() {},
                                new QuestionPolicy(new ServerId("s"), false),
                                1,
                                Ticker.system()),
                        _ -> {});
        new Handshake(
                        EraChoice.LEGACY,
                        new Implementation("p", "1"),
                        new EraCache(Ticker.system()),
                        Ticker.system())
                .perform(link, Duration.ofSeconds(30), false);
        return link;
    }

    /** Answers a call, once it has been heard. */
    private void answer(int index, String result) {
        assertThat(becomesTrue(() -> calls().size() > index)).isTrue();
        server.sendMessage(
                "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}"
                        .formatted(calls().get(index).id(), result));
    }

    private List<Request> calls() {
        return server.received.stream()
                .filter(Request.class::isInstance)
                .map(Request.class::cast)
                .filter(request -> request.method().equals("tools/call"))
                .toList();
    }
}
