package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
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
 * What ends a gateway: its client leaves or stops listening, or it is told to end, or killed. Until
 * then others are served and what is told is so; then what is in flight is answered, where anybody
 * can still hear it, and no process is left.
 */
class EndOfGatewayTest {
    private static final Duration GRACE = Duration.ofSeconds(6);
    private static final Duration SHORTLY = Duration.ofSeconds(5);

    @TempDir private Path folder;
    private Neighbourhood around;
    private Host host;
    private ServerScript alpha;

    @BeforeEach
    void open() throws Exception {
        String grace = "\"limits\": {\"shutdownGraceMs\": 6000}";
        around = new Neighbourhood(new Workbench(folder).settings(grace));
        host = around.host();
        alpha = around.connect(around.script("alpha").tools("hang", "nap=slow:ms=500"));
    }

    @Test
    void aClientThatLeavesIsStillAnsweredAndThenAllEnds() throws Exception {
        List<Long> below = host.descendants();
        String hang = send("hang");
        try (Watch _ = around.watch()) {
            awaitHanging(1);
        }
        String nap = send("nap");
        var left = Stopwatch.start();
        host.client().closeInput();
        assertThat(text(host.client().awaitAnswer(nap))).isEqualTo("slow");
        assertThat(isRefusedAsEnding(hang)).isTrue();
        assertEndsWithin(left, below);
    }

    @Test
    void aClientWithNothingInFlightEndsTheGatewayAtOnce() {
        var left = Stopwatch.start();
        host.close();
        assertThat(left.net()).isLessThan(SHORTLY);
    }

    @Test
    void aClientThatClosesItsEndOfTheOutputEndsTheGateway() throws Exception {
        List<Long> below = host.descendants();
        host.client().closeOutput();
        // The answer to the first may have ended it before the second comes.
        host.client().sendRequest("ping", "");
        String second = Messages.request(host.client().freshId(), "ping", "") + "\n";
        host.client().trySend(second.getBytes(StandardCharsets.UTF_8));
        var closed = Stopwatch.start();
        assertThat(host.client().exitCode(Host.PATIENCE)).isNotZero();
        assertThat(closed.net()).isLessThan(SHORTLY);
        host.assertGone(below);
    }

    @Test
    void toldToEndTheGatewayAnswersAHundredCallsFirst() throws Exception {
        List<Long> below = host.descendants();
        var ids = new ArrayList<String>();
        try (Watch _ = around.watch()) {
            for (int i = 0; i < 99; i++) {
                ids.add(send("hang"));
            }
            awaitHanging(99);
        }
        String nap = send("nap");
        // What it is told by a signal may overtake what it is sent.
        assertThat(alpha.record().await(it -> it.calls("nap").size() == 1, Host.PATIENCE)).isTrue();
        var told = Stopwatch.start();
        host.client().signal("TERM");
        assertThat(text(host.client().awaitAnswer(nap))).isEqualTo("slow");
        for (String id : ids) {
            assertThat(isRefusedAsEnding(id)).isTrue();
        }
        assertEndsWithin(told, below);
    }

    @RepeatedTest(3)
    void nothingSurvivesAGatewayThatIsKilled() throws Exception {
        ServerScript stubborn = around.script("stubborn").with("ignore-term").with("ignore-eof");
        around.connect(stubborn.with("grandchild", "plain"));
        SmallServer.healthy("small").into(around.bench(), "");
        around.bench().save();
        assertThat(Host.await(Host.PATIENCE, () -> host.knows("small"))).isTrue();
        host.awaitListed("small");
        try (Watch _ = around.watch()) {
            assertThat(host.text("small.who", "{}")).isEqualTo("small");
        }
        List<Long> below = host.descendants();
        assertThat(below).hasSizeGreaterThanOrEqualTo(4);
        host.checkTraffic();
        host.client().kill();
        var killed = Stopwatch.start();
        host.assertGone(below);
        assertThat(killed.net()).isLessThan(Duration.ofSeconds(3));
        host.client().close();
    }

    private String send(String tool) {
        String params = Messages.callParams(alpha.name() + "." + tool, "{}");
        return host.client().sendRequest("tools/call", params);
    }

    private void awaitHanging(int calls) {
        assertThat(alpha.record().await(it -> it.calls("hang").size() == calls, Host.PATIENCE))
                .isTrue();
    }

    private boolean isRefusedAsEnding(String id) throws InterruptedException {
        JsonTree refusal = host.client().awaitAnswer(id).at("error");
        return refusal.at("message").text().toLowerCase(Locale.ROOT).contains("shutting down");
    }

    private void assertEndsWithin(Stopwatch end, List<Long> below) throws InterruptedException {
        assertThat(host.client().exitCode(Host.PATIENCE)).isZero();
        assertThat(end.net()).isLessThan(GRACE.plusSeconds(6));
        host.checkTraffic();
        host.assertGone(below);
        host.client().close();
    }

    private static String text(JsonTree answer) {
        return answer.at("result", "content", 0, "text").text();
    }
}
