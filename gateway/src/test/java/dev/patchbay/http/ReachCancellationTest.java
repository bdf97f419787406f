package dev.patchbay.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawHttpServer;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A call to a server over HTTP that nobody waits for any more is given up there too. */
class ReachCancellationTest {
    private static final String CALL = "{\"name\":\"echo\",\"arguments\":{\"a\":1}}";

    @Test
    void modernCallIsCancelledByHangingUp() throws Exception {
        var hungUp = new CountDownLatch(1);
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    if (exchange.request().rpcMethod().equals("tools/list")) {
                                        exchange.result("{}");
                                        return;
                                    }
                                    exchange.stream();
                                    if (exchange.awaitHangUp(60_000)) {
                                        hungUp.countDown();
                                    }
                                });
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            assertResult(reach.modern("tools/list", "{}"), "{}");
            CallOutcome outcome = reach.call("tools/call", Messages.modernParams(CALL), 1_000);
            assertThat(outcome).isInstanceOf(CallOutcome.TimedOut.class);
            var watch = Stopwatch.start();
            assertThat(hungUp.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(watch.net()).isLessThan(Duration.ofSeconds(2));
            assertThat(server.received()).hasSize(2);
        }
    }

    @Test
    void legacyCallIsCancelledByTellingSo() throws Exception {
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    if (exchange.request().rpcMethod().equals("tools/call")) {
                                        exchange.awaitHangUp(60_000);
                                    } else {
                                        exchange.answer(202, "");
                                    }
                                });
                var reach = HttpChannelFixture.to(server.url("/mcp"))) {
            assertThat(reach.call("tools/call", CALL, 1_000))
                    .isInstanceOf(CallOutcome.TimedOut.class);
            Bench.await("told", () -> server.received().size() == 2);
            assertThat(server.received().get(1).body())
                    .contains("notifications/cancelled")
                    .contains("\"requestId\":0");
        }
    }

    private static void assertResult(CallOutcome outcome, String result) {
        assertThat(outcome).isInstanceOf(CallOutcome.Result.class);
        assertThat(((CallOutcome.Result) outcome).value()).hasToString(result);
    }
}
