package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What clients, operators and the machine do to a gateway: they leave, stop listening, cancel,
 * kill, or write half a configuration.
 */
@Tag("faults")
class ClientAndMachineFaultTest {
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration SHORTLY = Duration.ofSeconds(5);

    @TempDir private Path folder;
    private Workbench bench;
    private ServerScript alpha;

    @BeforeEach
    void set() {
        bench = new Workbench(folder);
        alpha = bench.script("alpha").tools("echo", "hang", "nap=slow:ms=500");
        bench.with(alpha).save();
    }

    @Test
    void aClientThatLeavesIsStillAnsweredAndThenAllEnds() throws Exception {
        Host host = bench.open();
        host.awaitListed("alpha");
        List<Long> below = host.descendants();
        String nap = send(host, "alpha.nap");
        String hang = send(host, "alpha.hang");
        long left = System.nanoTime();
        host.client().closeInput();
        assertThat(text(host.client().awaitAnswer(nap))).isEqualTo("slow");
        JsonTree refusal = host.client().awaitAnswer(hang).at("error");
        assertThat(refusal.at("message").text()).containsIgnoringCase("shutting down");
        assertThat(host.client().exitCode(SHORTLY)).isZero();
        assertThat(since(left)).isLessThan(GRACE.plusSeconds(6));
        host.checkTraffic();
        host.assertGone(below);
    }

    @Test
    void aClientWithNothingInFlightEndsTheGatewayAtOnce() throws Exception {
        Host host = bench.open();
        host.awaitListed("alpha");
        long left = System.nanoTime();
        host.close();
        assertThat(since(left)).isLessThan(SHORTLY);
    }

    @Test
    void cancellationsReachTheServerOrNobody() throws Exception {
        try (Host host = bench.open()) {
            host.awaitListed("alpha");
            String hang = send(host, "alpha.hang");
            assertThat(alpha.record().await(it -> it.calls("hang").size() == 1, Host.PATIENCE))
                    .isTrue();
            for (String line :
                    List.of(
                            Messages.cancelled(hang),
                            Messages.cancelled(hang),
                            Messages.cancelled("424242"),
                            Messages.cancelled("\"" + hang + "\""),
                            Messages.notification("notifications/cancelled", "{}"),
                            Messages.notification("notifications/cancelled", "[]"),
                            Messages.notification("notifications/cancelled", ""))) {
                host.client().sendLine(line);
            }
            assertThat(alpha.record().await(it -> it.cancels().size() == 1, Host.PATIENCE))
                    .isTrue();
            String done = send(host, "alpha.echo");
            assertThat(text(host.client().awaitAnswer(done))).isEqualTo("{}");
            host.client().sendLine(Messages.cancelled(done));
            assertThat(host.text("alpha.echo", "{\"after\":1}")).isEqualTo("{\"after\":1}");
            assertThat(host.client().untaken()).as("nothing came for what was cancelled").isZero();
            assertThat(alpha.record().cancels()).hasSize(1);
        }
    }

    @Test
    void anIdInUseIsRefusedAndOneOfAnotherTypeIsAnother() throws Exception {
        try (Host host = bench.open()) {
            host.awaitListed("alpha");
            String nap = Messages.callParams("alpha.nap", "{}");
            String echo = Messages.callParams("alpha.echo", "{}");
            host.client().sendLine(Messages.request("7007", "tools/call", nap));
            host.client().sendLine(Messages.request("7007", "tools/call", echo));
            host.client().sendLine(Messages.request("\"7007\"", "tools/call", echo));
            assertThat(text(host.client().awaitAnswer("\"7007\""))).isEqualTo("{}");
            JsonTree first = host.client().awaitAnswer("7007");
            JsonTree second = host.client().awaitAnswer("7007");
            assertThat(first.at("error", "code").integer()).isEqualTo(-32600);
            assertThat(text(second)).isEqualTo("slow");
            host.client().sendLine(Messages.request("7007", "tools/call", echo));
            assertThat(text(host.client().awaitAnswer("7007"))).isEqualTo("{}");
        }
    }

    @Test
    void aClientThatClosesItsEndOfTheOutputEndsTheGateway() throws Exception {
        Host host = bench.open();
        host.awaitListed("alpha");
        List<Long> below = host.descendants();
        host.client().closeOutput();
        host.client().sendRequest("ping", "");
        host.client().sendRequest("ping", "");
        assertThat(host.client().exitCode(SHORTLY)).isNotZero();
        host.assertGone(below);
    }

    @Test
    void toldToEndTheGatewayAnswersAHundredCallsFirst() throws Exception {
        Host host = bench.open();
        host.awaitListed("alpha");
        List<Long> below = host.descendants();
        String nap = send(host, "alpha.nap");
        var ids = new ArrayList<String>();
        for (int i = 0; i < 99; i++) {
            ids.add(send(host, "alpha.hang"));
        }
        assertThat(alpha.record().await(it -> it.calls("hang").size() == 99, Host.PATIENCE))
                .isTrue();
        long told = System.nanoTime();
        host.client().signal("TERM");
        assertThat(text(host.client().awaitAnswer(nap))).isEqualTo("slow");
        for (String id : ids) {
            assertThat(host.client().awaitAnswer(id).at("error", "message").text())
                    .containsIgnoringCase("shutting down");
        }
        assertThat(host.client().exitCode(SHORTLY)).isZero();
        assertThat(since(told)).isLessThan(GRACE.plusSeconds(6));
        host.checkTraffic();
        host.assertGone(below);
    }

    @RepeatedTest(5)
    void nothingSurvivesAGatewayThatIsKilled() throws Exception {
        ServerScript stubborn = bench.script("stubborn").with("ignore-term").with("ignore-eof");
        bench.with(stubborn.with("grandchild", "plain"));
        SmallServer.healthy("small").into(bench, "");
        bench.save();
        Host host = bench.open();
        host.awaitListed("stubborn");
        host.awaitListed("small");
        List<Long> below = host.descendants();
        assertThat(below).hasSizeGreaterThanOrEqualTo(4);
        host.client().kill();
        long killed = System.nanoTime();
        host.assertGone(below);
        assertThat(since(killed)).isLessThan(Duration.ofSeconds(3));
        host.client().close();
    }

    @Test
    void aBrokenConfigurationLeavesTheOldOneInForce() throws Exception {
        String good = bench.text();
        var random = new Random(42);
        try (Host host = bench.open()) {
            host.awaitListed("alpha");
            for (int i = 0; i < 50; i++) {
                bench.save(good.substring(0, random.nextInt(good.length() - 3)));
                assertThat(host.text("alpha.echo", "{\"i\":" + i + "}")).contains("" + i);
            }
            bench.save("{\"mcpServers\": {\n  \"alpha\": {\"command\": 5}}}");
            assertThat(Host.await(SHORTLY, () -> host.client().stderr().contains("2:24"))).isTrue();
            Files.delete(bench.file());
            assertThat(host.text("alpha.echo", "{}")).isEqualTo("{}");
            Path other = folder.resolve("other.json");
            Files.writeString(other, "[");
            Files.createSymbolicLink(bench.file(), other);
            assertThat(host.text("alpha.echo", "{}")).isEqualTo("{}");
            assertThat(host.servers()).hasSize(1);
            assertThat(alpha.record().starts()).isEqualTo(1);
            assertThat(alpha.record().count("initialize")).isEqualTo(1);

            SmallServer.healthy("late").into(bench, "");
            Files.writeString(other, bench.text());
            assertThat(Host.await(SHORTLY, () -> host.knows("late"))).isTrue();
            assertThat(host.text("late.who", "{}")).isEqualTo("late");
            assertThat(alpha.record().starts()).as("untouched by all of it").isEqualTo(1);
        }
    }

    private static String send(Host host, String tool) {
        return host.client().sendRequest("tools/call", Messages.callParams(tool, "{}"));
    }

    private static String text(JsonTree answer) {
        return answer.at("result", "content", 0, "text").text();
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
