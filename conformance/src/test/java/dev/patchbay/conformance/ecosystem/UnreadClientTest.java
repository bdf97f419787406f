package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.ServerRecord;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Clients that ask and ask and do not read, and servers that do not read either. */
class UnreadClientTest {
    private static final long GROWTH_BYTES_MAX = 128L << 20;
    private static final int CALLS_PER_SERVER_MAX = 256;
    private static final int REQUESTS_PER_CLIENT_MAX = 1_024;

    @TempDir private Path folder;

    /** The back-pressure reaches the client, and everything is answered when it reads again. */
    @Test
    void tenThousandCallsOfAClientThatDoesNotReadAreAnsweredWhenItDoes() throws Exception {
        var bench = new Workbench(folder);
        ServerScript alpha = bench.script("alpha").tools("echo");
        ServerScript calm = bench.script("calm").tools("echo");
        bench.with(alpha).with(calm).save();
        try (Host host = bench.open()) {
            host.awaitListed("alpha");
            host.text("alpha.echo", "{}");
            long before = host.client().residentBytes();
            host.client().pauseReading();
            var ids = new ArrayList<String>();
            Thread writer = Thread.ofPlatform().start(() -> ids.addAll(send(host, 10_000)));
            boolean all = writer.join(Duration.ofSeconds(4));
            long grown = host.client().residentBytes() - before;
            host.client().resumeReading();
            assertThat(writer.join(Host.PATIENCE)).isTrue();
            assertThat(grown).as("all were written: %b", all).isLessThan(GROWTH_BYTES_MAX);
            for (String id : ids) {
                JsonTree answer = host.client().awaitAnswer(id);
                assertThat(answer.has("result") || isOverload(answer)).isTrue();
            }
            assertThat(atWorkAtOnce(alpha.record())).isLessThanOrEqualTo(CALLS_PER_SERVER_MAX);
            assertThat(host.text("calm.echo", "{}")).isEqualTo("{}");
            new Truth(host, List.of(alpha, calm)).assertHolds();
            assertThat(alpha.record().starts() + calm.record().starts()).isEqualTo(2);
        }
    }

    private static boolean isOverload(JsonTree answer) {
        return answer.at("error", "data", "reason").text().equals("OVERLOADED");
    }

    private static List<String> send(Host host, int times) {
        var ids = new ArrayList<String>();
        for (int i = 0; i < times; i++) {
            String params = Messages.callParams("alpha.echo", "{\"i\":" + i + "}");
            ids.add(host.client().sendRequest("tools/call", params));
        }
        return ids;
    }

    /** How many calls the server had at once, by what it noted. */
    private static int atWorkAtOnce(ServerRecord record) {
        int now = 0;
        int most = 0;
        for (ServerRecord.Line line : record.lines()) {
            now += line.received() ? 1 : -1;
            most = Math.max(most, now);
        }
        return most;
    }

    /** More than the heap holds: some are dropped, each with a word, and nothing breaks. */
    @Test
    void largeResultsThatNobodyReadsAreBounded() throws Exception {
        var bench = new Workbench(folder);
        ServerScript alpha = bench.script("alpha").tools("big=big:bytes=4000000", "echo");
        bench.with(alpha).save();
        try (Host host = bench.env("PATCHBAY_JAVA_OPTS", "-Xmx128m").open()) {
            host.awaitListed("alpha");
            host.client().pauseReading();
            var ids = new ArrayList<String>();
            for (int i = 0; i < 60; i++) {
                ids.add(
                        host.client()
                                .sendRequest("tools/call", Messages.callParams("alpha.big", "")));
            }
            assertThat(alpha.record().await(it -> it.calls("big").size() == 60, Host.PATIENCE))
                    .isTrue();
            assertThat(host.client().awaitEnd(Duration.ofSeconds(3))).as("it ended").isFalse();
            host.client().resumeReading();
            int whole = 0;
            for (String id : ids) {
                JsonTree answer = host.client().awaitAnswer(id);
                if (answer.has("result")) {
                    whole++;
                } else {
                    assertThat(isOverload(answer)).isTrue();
                }
            }
            assertThat(whole).isPositive();
            assertThat(host.text("alpha.echo", "{}")).isEqualTo("{}");
        }
    }

    @Test
    void toldToEndTheGatewayEndsThoughNobodyReadsAndACallHangs() throws Exception {
        var bench = new Workbench(folder).settings("\"limits\": {\"shutdownGraceMs\": 1000}");
        ServerScript alpha = bench.script("alpha").tools("big=big:bytes=1000000", "hang");
        bench.with(alpha).save();
        Host host = bench.open();
        host.awaitListed("alpha");
        List<Long> below = host.descendants();
        host.client().pauseReading();
        for (int i = 0; i < 20; i++) {
            host.client().sendRequest("tools/call", Messages.callParams("alpha.big", "{}"));
            host.client().sendRequest("tools/call", Messages.callParams("alpha.hang", ""));
        }
        assertThat(alpha.record().await(it -> it.calls("hang").size() == 20, Host.PATIENCE))
                .isTrue();
        host.client().signal("TERM");
        var told = Stopwatch.start();
        assertThat(host.client().exitCode(Host.PATIENCE)).isZero();
        assertThat(told.net()).isLessThan(Duration.ofSeconds(8));
        host.assertGone(below);
        host.client().close();
    }

    /** RR16: each of a hundred thousand at once is answered: refused, or when its time comes. */
    @Test
    void aHundredThousandRequestsAtOnceAreAnsweredOneByOne() throws Exception {
        var bench = new Workbench(folder).settings("\"limits\": {\"shutdownGraceMs\": 500}");
        ServerScript alpha = bench.script("alpha").tools("hang", "echo");
        bench.with(alpha).save();
        try (Host host = bench.open()) {
            host.awaitListed("alpha");
            var lines = new StringBuilder();
            for (int i = 0; i < 100_000; i++) {
                String params = Messages.callParams("alpha.hang", "{}");
                lines.append(Messages.request("\"m" + i + "\"", "tools/call", params));
                lines.append('\n');
            }
            host.client().send(lines.toString().getBytes(StandardCharsets.UTF_8));
            int refused = 0;
            while (refused < 100_000 - REQUESTS_PER_CLIENT_MAX) {
                JsonTree answer = host.client().await(it -> it.has("id"), Host.PATIENCE);
                assertThat(isOverload(answer)).isTrue();
                refused++;
            }
            assertThat(host.client().alive()).isTrue();
        }
    }

    /** MI9: large and small answers come whole to a client that reads in fits and starts. */
    @Test
    void fiftyMegabytesComeWholeToASlowReader() throws Exception {
        var bench = new Workbench(folder);
        bench.with(bench.script("alpha").tools("big=big:bytes=5000000", "echo")).save();
        try (Host host = bench.open()) {
            host.awaitListed("alpha");
            var ids = new ArrayList<String>();
            for (int i = 0; i < 10; i++) {
                String big = Messages.callParams("alpha.big", "{}");
                ids.add(host.client().sendRequest("tools/call", big));
                ids.add(host.client().sendRequest("ping", ""));
            }
            for (int i = 0; i < 100; i++) {
                host.client().pauseReading();
                LockSupport.parkNanos(1_000_000);
                host.client().resumeReading();
                LockSupport.parkNanos(1_000_000);
            }
            for (String id : ids) {
                assertThat(host.client().awaitAnswer(id).has("result")).isTrue();
            }
            assertThat(host.client().receivedBytes()).isGreaterThan(50_000_000);
        }
    }

    /** What waits for a server is bounded, a call is over when its time is, and it starts anew. */
    @Test
    void callsToAServerThatNeverReadsFailInTheirTime() throws Exception {
        try (var around = new Neighbourhood(folder)) {
            Host host = around.host();
            ServerScript deaf = around.script("deaf").tools("deafen", "echo");
            around.connect(deaf, "\"requestTimeoutMs\": 2000");
            long before = host.client().residentBytes();
            String arguments = "{\"x\":\"" + "x".repeat(500_000) + "\"}";
            try (Watch _ = around.watch()) {
                List<String> ids = around.send(1, deaf.name() + ".deafen", "{}");
                assertThat(deaf.record().await(it -> it.calls("deafen").size() == 1, Host.PATIENCE))
                        .isTrue();
                ids.addAll(around.send(40, deaf.name() + ".echo", arguments));
                for (String id : ids) {
                    JsonTree answer = host.client().awaitAnswer(id);
                    assertThat(answer.has("error") || Host.isError(answer.at("result"))).isTrue();
                }
                assertThat(host.client().residentBytes() - before).isLessThan(GROWTH_BYTES_MAX);
                assertThat(Host.await(Host.PATIENCE, () -> deaf.record().starts() == 2)).isTrue();
                host.awaitStatus(deaf.name(), "connected");
                assertThat(host.text(deaf.name() + ".echo", "{}")).isEqualTo("{}");
            }
            around.clear();
        }
    }
}
