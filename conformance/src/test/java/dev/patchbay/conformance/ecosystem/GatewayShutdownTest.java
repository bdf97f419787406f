package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Await;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What ends a gateway: its client disconnects or closes the output, or the gateway is terminated or
 * killed. Calls in flight are answered if the client can still read, and no process is left.
 */
class GatewayShutdownTest {
    private static final Duration GRACE = Duration.ofSeconds(6);
    private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(5);

    @TempDir private Path folder;
    private GatewayWithFaultyServer gateway;
    private TestHost host;
    private ServerScript alpha;

    @BeforeEach
    void open() throws Exception {
        String grace = "\"limits\": {\"shutdownGraceMs\": 6000}";
        gateway = new GatewayWithFaultyServer(new TestInstallation(folder).settings(grace));
        host = gateway.host();
        alpha = gateway.connect(gateway.script("alpha").tools("hang", "nap=slow:ms=500"));
    }

    @Test
    void pendingCallsAreAnsweredAfterInputEndsAndThenTheGatewayEnds() throws Exception {
        List<Long> below = host.descendants();
        String hang = send("hang");
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            awaitHangingCalls(1);
        }
        String nap = send("nap");
        var left = Stopwatch.start();
        host.client().closeInput();
        assertThat(text(host.client().awaitResponse(nap))).isEqualTo("slow");
        assertThat(isRefusedBecauseOfShutdown(hang)).isTrue();
        assertEndsWithin(left, below);
    }

    @Test
    void endOfInputWithNothingInFlightEndsTheGatewayImmediately() {
        var left = Stopwatch.start();
        host.close();
        assertThat(left.activeTime()).isLessThan(SHORT_TIMEOUT);
    }

    @Test
    void closedOutputEndsTheGateway() throws Exception {
        List<Long> below = host.descendants();
        host.client().closeOutput();
        var closed = Stopwatch.start();
        // The first answers may be written before the other end of the pipe is closed.
        assertThat(Await.becomesTrue(this::hasEndedAfterPing, TestHost.TIMEOUT)).isTrue();
        assertThat(host.client().exitCode(TestHost.TIMEOUT)).isNotZero();
        assertThat(closed.activeTime()).isLessThan(SHORT_TIMEOUT);
        host.assertGone(below);
    }

    private boolean hasEndedAfterPing() {
        String ping = ClientMessages.request(host.client().uniqueId(), "ping", "") + "\n";
        host.client().trySend(ping.getBytes(StandardCharsets.UTF_8));
        return !host.client().isAlive();
    }

    @Test
    void terminatedGatewayAnswersAHundredCallsFirst() throws Exception {
        List<Long> below = host.descendants();
        var ids = new ArrayList<String>();
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            for (int i = 0; i < 99; i++) {
                ids.add(send("hang"));
            }
            awaitHangingCalls(99);
        }
        String nap = send("nap");
        // A signal may overtake the input.
        assertThat(
                        alpha.recording()
                                .await(it -> it.callArguments("nap").size() == 1, TestHost.TIMEOUT))
                .isTrue();
        var reported = Stopwatch.start();
        host.client().signal("TERM");
        assertThat(text(host.client().awaitResponse(nap))).isEqualTo("slow");
        for (String id : ids) {
            assertThat(isRefusedBecauseOfShutdown(id)).isTrue();
        }
        assertEndsWithin(reported, below);
    }

    @RepeatedTest(3)
    void killedGatewayLeavesNoProcess() throws Exception {
        ServerScript stubborn =
                gateway.script("stubborn").withOption("ignore-term").withOption("ignore-eof");
        gateway.connect(stubborn.withOption("grandchild", "plain"));
        ShellServer.healthy("small").addTo(gateway.installation(), "");
        gateway.installation().save();
        assertThat(TestHost.await(TestHost.TIMEOUT, () -> host.hasServer("small"))).isTrue();
        host.awaitListed("small");
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            assertThat(host.callForText("small.who", "{}")).isEqualTo("small");
        }
        List<Long> below = host.descendants();
        assertThat(below).hasSizeGreaterThanOrEqualTo(4);
        host.checkTraffic();
        host.client().kill();
        var killed = Stopwatch.start();
        host.assertGone(below);
        assertThat(killed.activeTime()).isLessThan(Duration.ofSeconds(3));
        host.client().close();
    }

    private String send(String tool) {
        String params = ClientMessages.callParams(alpha.name() + "." + tool, "{}");
        return host.client().sendRequest("tools/call", params);
    }

    private void awaitHangingCalls(int calls) {
        assertThat(
                        alpha.recording()
                                .await(
                                        it -> it.callArguments("hang").size() == calls,
                                        TestHost.TIMEOUT))
                .isTrue();
    }

    private boolean isRefusedBecauseOfShutdown(String id) throws InterruptedException {
        JsonTree refusal = host.client().awaitResponse(id).at("error");
        return refusal.at("message").asText().toLowerCase(Locale.ROOT).contains("shutting down");
    }

    private void assertEndsWithin(Stopwatch end, List<Long> below) throws InterruptedException {
        assertThat(host.client().exitCode(TestHost.TIMEOUT)).isZero();
        assertThat(end.activeTime()).isLessThan(GRACE.plusSeconds(6));
        host.checkTraffic();
        host.assertGone(below);
        host.client().close();
    }

    private static String text(JsonTree answer) {
        return answer.at("result", "content", 0, "text").asText();
    }
}
