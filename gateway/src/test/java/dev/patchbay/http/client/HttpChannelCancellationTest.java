package dev.patchbay.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.http.server.HttpServerFixture;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.RawHttpServer;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A call to a server over HTTP that nobody waits for any more is given up there too. */
class HttpChannelCancellationTest {
    private static final String CALL = "{\"name\":\"echo\",\"arguments\":{\"a\":1}}";

    @Test
    void modernCallIsCancelledByDisconnecting() throws Exception {
        var hungUp = new CountDownLatch(1);
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    if (exchange.request().rpcMethod().equals("tools/list")) {
                                        exchange.respondWithResult("{}");
                                        return;
                                    }
                                    exchange.startEventStream();
                                    if (exchange.awaitDisconnect(60_000)) {
                                        hungUp.countDown();
                                    }
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            assertResult(reach.callModern("tools/list", "{}"), "{}");
            CallOutcome outcome =
                    reach.call("tools/call", ClientMessages.modernParams(CALL), 1_000);
            assertThat(outcome).isInstanceOf(CallOutcome.TimedOut.class);
            var watch = Stopwatch.start();
            assertThat(hungUp.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(2));
            assertThat(server.receivedRequests()).hasSize(2);
        }
    }

    @Test
    void legacyCallIsCancelledByNotification() throws Exception {
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    if (exchange.request().rpcMethod().equals("tools/call")) {
                                        exchange.awaitDisconnect(60_000);
                                    } else {
                                        exchange.respond(202, "");
                                    }
                                });
                var reach = HttpChannelFixture.open(server.url("/mcp"))) {
            assertThat(reach.call("tools/call", CALL, 1_000))
                    .isInstanceOf(CallOutcome.TimedOut.class);
            HttpServerFixture.awaitTrue("told", () -> server.receivedRequests().size() == 2);
            assertThat(server.receivedRequests().get(1).body())
                    .contains("notifications/cancelled")
                    .contains("\"requestId\":0");
        }
    }

    private static void assertResult(CallOutcome outcome, String result) {
        assertThat(outcome).isInstanceOf(CallOutcome.Result.class);
        assertThat(((CallOutcome.Result) outcome).value()).hasToString(result);
    }
}
