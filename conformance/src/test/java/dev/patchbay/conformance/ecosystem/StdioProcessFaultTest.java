package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What servers on stdio do wrong as processes: they are missing, hang, die, flood, refuse to end.
 * Each fault costs the server that has it and nobody else.
 */
class StdioProcessFaultTest {
    private static final long MEMORY_GROWTH_BYTES_MAX = 160L << 20;
    private static final long LOG_BYTES_MAX = 64L << 10;

    @TempDir private static Path folder;
    private static GatewayWithFaultyServer gateway;
    private static TestHost host;

    @BeforeAll
    static void open() throws Exception {
        gateway = new GatewayWithFaultyServer(folder);
        host = gateway.host();
    }

    @AfterEach
    void clear() throws Exception {
        gateway.removeFaultyServers();
    }

    @AfterAll
    static void close() {
        gateway.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing", "not-executable", "ends-with-127"})
    void commandThatCannotBeStartedIsAnErrorThatNamesIt(String kind) throws Exception {
        Path file = folder.resolve(kind);
        if (!kind.equals("missing")) {
            Files.writeString(file, "#!/bin/sh\necho \"$0 is not installed\" >&2\nexit 127\n");
        }
        assertThat(file.toFile().setExecutable(kind.equals("ends-with-127")))
                .isEqualTo(!kind.equals("missing"));
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            gateway.installation()
                    .withServer(
                            kind,
                            "{\"command\": %s, \"maxRetries\": 1}"
                                    .formatted(StrictJson.quote(file.toString())))
                    .save();
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> host.hasServer(kind))).isTrue();
            host.awaitStatus(kind, "error", Duration.ofSeconds(1));
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> attempts(kind) == 2)).isTrue();
            JsonTree server = host.awaitStatus(kind, "error");
            assertThat(server.at("lastError").asText())
                    .startsWith("CONNECTION_FAILED: Server " + kind)
                    .contains(file.toString())
                    .doesNotContain("\tat ", "Exception");
        }
        gateway.installation().withoutServer(kind).save();
    }

    @Test
    void serverThatHangsDuringConnectTimesOutAtEachAttempt() throws Exception {
        ServerScript hung = gateway.script("hung").at("server/discover=hang", "initialize=hang");
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            gateway.add(hung, "\"connectionTimeoutMs\": 3000, \"maxRetries\": 1", "connecting");
            var begun = Stopwatch.start();
            assertThat(host.toolNames()).contains("calm.echo");
            assertThat(begun.activeTime()).isLessThan(Duration.ofSeconds(3));
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> attempts(hung.name()) == 2)).isTrue();
            JsonTree server = host.awaitStatus(hung.name(), "error");
            assertThat(begun.activeTime()).isLessThan(Duration.ofSeconds(12));
            assertThat(server.at("lastError").asText())
                    .startsWith("CONNECTION_TIMEOUT")
                    .contains(hung.name(), "2 attempts", "initialize");
        }
        assertThat(hung.recording().startCount()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tools/list=hang", "tools/list:2=hang"})
    void serverThatHangsDuringListDoesNotBlockOthers(String where) throws Exception {
        ServerScript lister = gateway.script("lister").at(where);
        lister.withOption("tool-count", 50).withOption("page-size", 20);
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            gateway.add(lister, "\"connectionTimeoutMs\": 1500", "connected");
            var begun = Stopwatch.start();
            assertThat(host.toolNames()).contains("calm.echo");
            assertThat(begun.activeTime()).isLessThan(Duration.ofSeconds(4));
            host.awaitError(lister.name(), "DISCOVERY_FAILED: Server " + lister.name());
            assertThat(host.lastError(lister.name())).contains("tools/list");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"crash", "kill9", "signal:name=SEGV"})
    void serverThatDiesFailsFiftyCallsImmediatelyAndIsRestarted(String how) throws Exception {
        ServerScript mortal = gateway.script("mortal").tools("hang", "die=" + how, "echo");
        gateway.connect(mortal);
        long pid = mortal.recording().pids().getFirst();
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            List<String> ids = gateway.sendCalls(50, mortal.name() + ".hang", "{}");
            assertThat(
                            mortal.recording()
                                    .await(
                                            it -> it.callArguments("hang").size() == 50,
                                            TestHost.TIMEOUT))
                    .isTrue();
            ids.addAll(gateway.sendCalls(1, mortal.name() + ".die", "{}"));
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> !ProcessInspector.isAlive(pid)))
                    .isTrue();
            var died = Stopwatch.start();
            for (JsonTree failure : gateway.awaitFailures(ids)) {
                assertThat(failure.at("reason").asText()).isEqualTo("INVOCATION_FAILED");
                assertThat(failure.at("execution").asText()).isEqualTo("unknown");
                assertThat(failure.at("serverId").asText()).isEqualTo(mortal.name());
            }
            assertThat(died.activeTime()).isLessThan(Duration.ofSeconds(2));
            assertThat(host.callForText(mortal.name() + ".echo", "{}")).isEqualTo("{}");
            assertThat(died.activeTime()).isLessThan(Duration.ofSeconds(8));
        }
        assertThat(mortal.recording().callArguments("hang")).as("sent once each").hasSize(50);
        assertThat(mortal.recording().callArguments("die")).hasSize(1);
        assertThat(mortal.recording().startCount()).isEqualTo(2);
    }

    @Test
    void serverInACrashLoopIsStartedABoundedNumberOfTimes() throws Exception {
        ServerScript looping = gateway.script("looping").withOption("die-after", 50);
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            gateway.installation().withServer(looping, "\"maxRetries\": 2").save();
            assertThat(looping.recording().await(it -> it.startCount() == 3, TestHost.TIMEOUT))
                    .isTrue();
            host.awaitError(looping.name(), "too often");
            assertThat(host.status(looping.name())).isEqualTo("error");
            assertThat(attempts(looping.name())).isEqualTo(3);
            assertThat(looping.recording().await(it -> it.startCount() > 3, Duration.ofSeconds(1)))
                    .isFalse();
        }
    }

    @Test
    void floodOfGarbageIsSkippedAndThenStopsTheServer() throws Exception {
        long memory = host.client().residentBytes();
        long log = host.client().stderrBytes();
        ServerScript loud = gateway.script("loud").withOption("flood", Long.toString(1L << 40));
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            gateway.add(loud, "\"maxRetries\": 0", "error");
            assertThat(host.lastError(loud.name())).contains(loud.name());
        }
        assertThat(loud.recording().startCount()).isEqualTo(1);
        assertThat(host.client().residentBytes() - memory).isLessThan(MEMORY_GROWTH_BYTES_MAX);
        assertThat(host.client().stderrBytes() - log).isLessThan(LOG_BYTES_MAX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"banner", "jsonlog", "badutf8", "nul"})
    void textBetweenMessagesIsSkipped(String kind) throws Exception {
        assertAnswersDespiteNoise(
                gateway.script("chatty").withOption("before", kind).withOption("among", kind));
    }

    /** These run into the message behind them, so that one is lost with them. */
    @ParameterizedTest
    @ValueSource(strings = {"bom", "utf16"})
    void bytesOfAnotherEncodingAtTheStartLoseOneMessage(String kind) throws Exception {
        assertAnswersDespiteNoise(gateway.script("foreign").withOption("before", kind));
    }

    private static void assertAnswersDespiteNoise(ServerScript chatty) throws Exception {
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            gateway.connect(chatty);
            String arguments = "{\"said\":\"é 😀\"}";
            for (int i = 0; i < 5; i++) {
                assertThat(host.callForText(chatty.name() + ".echo", arguments))
                        .isEqualTo(arguments);
            }
        }
        assertThat(chatty.recording().startCount()).isEqualTo(1);
    }

    @Test
    void serverThatClosesItsInputFailsPendingCallsAndIsRestarted() throws Exception {
        ServerScript closer = gateway.script("closer").tools("hang", "closeStdin", "echo");
        gateway.connect(closer);
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            List<String> ids = gateway.sendCalls(5, closer.name() + ".hang", "{}");
            ids.addAll(gateway.sendCalls(1, closer.name() + ".closeStdin", "{}"));
            assertThat(
                            closer.recording()
                                    .await(
                                            it -> it.callArguments("closeStdin").size() == 1,
                                            TestHost.TIMEOUT))
                    .isTrue();
            // That it does not listen any more shows when it is spoken to.
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> isRestarted(closer))).isTrue();
            assertThat(gateway.awaitFailures(ids)).hasSize(6);
            assertThat(host.callForText(closer.name() + ".echo", "{}")).isEqualTo("{}");
        }
        assertThat(closer.recording().callArguments("hang")).hasSize(5);
    }

    private static boolean isRestarted(ServerScript script) {
        gateway.sendCalls(1, script.name() + ".echo", "{}");
        return script.recording().startCount() == 2;
    }

    @Test
    void serverThatClosesItsOutputIsRestarted() throws Exception {
        ServerScript closer = gateway.script("closer").tools("hang", "closeStdout", "echo");
        gateway.connect(closer);
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            List<String> ids = gateway.sendCalls(5, closer.name() + ".hang", "{}");
            ids.addAll(gateway.sendCalls(1, closer.name() + ".closeStdout", "{}"));
            var begun = Stopwatch.start();
            assertThat(gateway.awaitFailures(ids)).hasSize(6);
            assertThat(begun.activeTime()).isLessThan(Duration.ofSeconds(4));
            assertThat(host.callForText(closer.name() + ".echo", "{}")).isEqualTo("{}");
        }
    }

    @Test
    void partialLineNeverReachesTheClient() throws Exception {
        ServerScript torn = gateway.script("torn").tools("partialThenExit", "echo");
        gateway.connect(torn);
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            JsonTree result = host.callForResult(torn.name() + ".partialThenExit", "{}");
            assertThat(TestHost.failureDetails(result).at("execution").asText())
                    .isEqualTo("unknown");
            assertThat(result.write()).doesNotContain("FRAGMENT");
            assertThat(host.callForText(torn.name() + ".echo", "{}")).isEqualTo("{}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void floodOfStandardErrorNeitherBlocksTheServerNorFillsTheLog(String lines) throws Exception {
        ServerScript moaner = gateway.script("moaner").tools("stderrFlood", "echo");
        gateway.connect(moaner);
        long memory = host.client().residentBytes();
        long log = host.client().stderrBytes();
        String flood = "{\"bytes\":%d,\"line\":\"%s\"}".formatted(100 << 20, lines);
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            assertThat(host.callForText(moaner.name() + ".stderrFlood", flood))
                    .isEqualTo("flooded");
            assertThat(host.callForText(moaner.name() + ".echo", "{}")).isEqualTo("{}");
        }
        assertThat(host.client().residentBytes() - memory).isLessThan(MEMORY_GROWTH_BYTES_MAX);
        assertThat(host.client().stderrBytes() - log).isLessThan(LOG_BYTES_MAX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "pipes"})
    void serverThatRefusesToStopIsKilledWithItsDescendants(String grandchild) throws Exception {
        ServerScript stubborn = gateway.script("stubborn").withOption("grandchild", grandchild);
        gateway.connect(stubborn.withOption("ignore-term").withOption("ignore-eof"));
        assertThat(stubborn.recording().grandchildPids())
                .hasSize(1)
                .allMatch(ProcessInspector::isAlive);
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            gateway.removeFaultyServers();
        }
    }

    private static long attempts(String id) {
        try {
            return host.server(id).at("attempts").asLong();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
