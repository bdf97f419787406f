package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ServerRecording;
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

/** Clients and servers that do not read. */
class NonReadingClientTest {
    private static final long GROWTH_BYTES_MAX = 128L << 20;
    private static final int CALLS_PER_SERVER_MAX = 256;
    private static final int REQUESTS_PER_CLIENT_MAX = 1_024;

    @TempDir private Path folder;

    /** Back-pressure reaches the client, and everything is answered when it reads again. */
    @Test
    void tenThousandCallsAreAnsweredOnceTheClientReads() throws Exception {
        var installation = new TestInstallation(folder);
        ServerScript alpha = installation.script("alpha").tools("echo");
        ServerScript calm = installation.script("calm").tools("echo");
        installation.withServer(alpha).withServer(calm).save();
        try (TestHost host = installation.connect()) {
            host.awaitListed("alpha");
            host.callForText("alpha.echo", "{}");
            long before = host.client().residentBytes();
            host.client().pauseReading();
            var ids = new ArrayList<String>();
            Thread writer = Thread.ofPlatform().start(() -> ids.addAll(send(host, 10_000)));
            boolean all = writer.join(Duration.ofSeconds(4));
            long grown = host.client().residentBytes() - before;
            host.client().resumeReading();
            assertThat(writer.join(TestHost.TIMEOUT)).isTrue();
            assertThat(grown).as("all were written: %b", all).isLessThan(GROWTH_BYTES_MAX);
            for (String id : ids) {
                JsonTree answer = host.client().awaitResponse(id);
                assertThat(answer.has("result") || isOverload(answer)).isTrue();
            }
            assertThat(maxConcurrentCalls(alpha.recording()))
                    .isLessThanOrEqualTo(CALLS_PER_SERVER_MAX);
            assertThat(host.callForText("calm.echo", "{}")).isEqualTo("{}");
            new ReportedStateCheck(host, List.of(alpha, calm)).assertReportsAreTrue();
            assertThat(alpha.recording().startCount() + calm.recording().startCount()).isEqualTo(2);
        }
    }

    private static boolean isOverload(JsonTree answer) {
        return answer.at("error", "data", "reason").asText().equals("OVERLOADED");
    }

    private static List<String> send(TestHost host, int times) {
        var ids = new ArrayList<String>();
        for (int i = 0; i < times; i++) {
            String params = ClientMessages.callParams("alpha.echo", "{\"i\":" + i + "}");
            ids.add(host.client().sendRequest("tools/call", params));
        }
        return ids;
    }

    /** The maximum number of concurrent calls, according to the server's recording. */
    private static int maxConcurrentCalls(ServerRecording record) {
        int now = 0;
        int most = 0;
        for (ServerRecording.Line line : record.lines()) {
            now += line.received() ? 1 : -1;
            most = Math.max(most, now);
        }
        return most;
    }

    /** More than the heap holds: some results are dropped, each with an error. */
    @Test
    void unreadLargeResultsAreBounded() throws Exception {
        var installation = new TestInstallation(folder);
        ServerScript alpha = installation.script("alpha").tools("big=big:bytes=4000000", "echo");
        installation.withServer(alpha).save();
        try (TestHost host = installation.env("PATCHBAY_JAVA_OPTS", "-Xmx128m").connect()) {
            host.awaitListed("alpha");
            host.client().pauseReading();
            var ids = new ArrayList<String>();
            for (int i = 0; i < 60; i++) {
                ids.add(
                        host.client()
                                .sendRequest(
                                        "tools/call", ClientMessages.callParams("alpha.big", "")));
            }
            assertThat(
                            alpha.recording()
                                    .await(
                                            it -> it.callArguments("big").size() == 60,
                                            TestHost.TIMEOUT))
                    .isTrue();
            assertThat(host.client().awaitOutputEnd(Duration.ofSeconds(3)))
                    .as("it ended")
                    .isFalse();
            host.client().resumeReading();
            int whole = 0;
            for (String id : ids) {
                JsonTree answer = host.client().awaitResponse(id);
                if (answer.has("result")) {
                    whole++;
                } else {
                    assertThat(isOverload(answer)).isTrue();
                }
            }
            assertThat(whole).isPositive();
            assertThat(host.callForText("alpha.echo", "{}")).isEqualTo("{}");
        }
    }

    @Test
    void terminatedGatewayEndsDespiteUnreadOutputAndAHangingCall() throws Exception {
        var installation =
                new TestInstallation(folder).settings("\"limits\": {\"shutdownGraceMs\": 1000}");
        ServerScript alpha = installation.script("alpha").tools("big=big:bytes=1000000", "hang");
        installation.withServer(alpha).save();
        TestHost host = installation.connect();
        host.awaitListed("alpha");
        List<Long> below = host.descendants();
        host.client().pauseReading();
        for (int i = 0; i < 20; i++) {
            host.client().sendRequest("tools/call", ClientMessages.callParams("alpha.big", "{}"));
            host.client().sendRequest("tools/call", ClientMessages.callParams("alpha.hang", ""));
        }
        assertThat(
                        alpha.recording()
                                .await(
                                        it -> it.callArguments("hang").size() == 20,
                                        TestHost.TIMEOUT))
                .isTrue();
        host.client().signal("TERM");
        var reported = Stopwatch.start();
        assertThat(host.client().exitCode(TestHost.TIMEOUT)).isZero();
        assertThat(reported.activeTime()).isLessThan(Duration.ofSeconds(8));
        host.assertGone(below);
        host.client().close();
    }

    /** RR16: each of a hundred thousand requests is answered or refused. */
    @Test
    void hundredThousandRequestsAreAnsweredOneByOne() throws Exception {
        var installation =
                new TestInstallation(folder).settings("\"limits\": {\"shutdownGraceMs\": 500}");
        ServerScript alpha = installation.script("alpha").tools("hang", "echo");
        installation.withServer(alpha).save();
        try (TestHost host = installation.connect()) {
            host.awaitListed("alpha");
            var lines = new StringBuilder();
            for (int i = 0; i < 100_000; i++) {
                String params = ClientMessages.callParams("alpha.hang", "{}");
                lines.append(ClientMessages.request("\"m" + i + "\"", "tools/call", params));
                lines.append('\n');
            }
            host.client().send(lines.toString().getBytes(StandardCharsets.UTF_8));
            int refused = 0;
            while (refused < 100_000 - REQUESTS_PER_CLIENT_MAX) {
                JsonTree answer = host.client().awaitMessage(it -> it.has("id"), TestHost.TIMEOUT);
                assertThat(isOverload(answer)).isTrue();
                refused++;
            }
            assertThat(host.client().isAlive()).isTrue();
        }
    }

    /** MI9: a client that reads irregularly gets large and small responses whole. */
    @Test
    void slowReaderGetsFiftyMegabytesWhole() throws Exception {
        var installation = new TestInstallation(folder);
        installation
                .withServer(installation.script("alpha").tools("big=big:bytes=5000000", "echo"))
                .save();
        try (TestHost host = installation.connect()) {
            host.awaitListed("alpha");
            var ids = new ArrayList<String>();
            for (int i = 0; i < 10; i++) {
                String big = ClientMessages.callParams("alpha.big", "{}");
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
                assertThat(host.client().awaitResponse(id).has("result")).isTrue();
            }
            assertThat(host.client().receivedBytes()).isGreaterThan(50_000_000);
        }
    }

    /**
     * The queue of a server is bounded, a call ends at its timeout, and the server is restarted.
     */
    @Test
    void callsToANonReadingServerFailAtTheirTimeout() throws Exception {
        try (var gateway = new GatewayWithFaultyServer(folder)) {
            TestHost host = gateway.host();
            ServerScript deaf = gateway.script("deaf").tools("deafen", "echo");
            gateway.connect(deaf, "\"requestTimeoutMs\": 2000");
            long before = host.client().residentBytes();
            String arguments = "{\"x\":\"" + "x".repeat(500_000) + "\"}";
            try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
                List<String> ids = gateway.sendCalls(1, deaf.name() + ".deafen", "{}");
                assertThat(
                                deaf.recording()
                                        .await(
                                                it -> it.callArguments("deafen").size() == 1,
                                                TestHost.TIMEOUT))
                        .isTrue();
                ids.addAll(gateway.sendCalls(40, deaf.name() + ".echo", arguments));
                for (String id : ids) {
                    JsonTree answer = host.client().awaitResponse(id);
                    assertThat(answer.has("error") || TestHost.isError(answer.at("result")))
                            .isTrue();
                }
                assertThat(host.client().residentBytes() - before).isLessThan(GROWTH_BYTES_MAX);
                assertThat(
                                TestHost.await(
                                        TestHost.TIMEOUT, () -> deaf.recording().startCount() == 2))
                        .isTrue();
                host.awaitStatus(deaf.name(), "connected");
                assertThat(host.callForText(deaf.name() + ".echo", "{}")).isEqualTo("{}");
            }
            gateway.removeFaultyServers();
        }
    }
}
