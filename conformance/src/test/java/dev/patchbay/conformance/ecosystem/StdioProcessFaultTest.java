package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Process faults of stdio servers: they are missing, hang, die, flood, refuse to stop. Each fault
 * affects only its own server.
 */
class StdioProcessFaultTest {
    private static final long MEMORY_GROWTH_BYTES_MAX = 160L << 20;
    private static final long LOG_BYTES_MAX = 64L << 10;

    @RegisterExtension static final SharedGateway SHARED = new SharedGateway();

    @ParameterizedTest
    @ValueSource(strings = {"missing", "not-executable", "ends-with-127"})
    void commandThatCannotBeStartedIsAnErrorThatNamesIt(String kind) throws Exception {
        Path file = SHARED.folder().resolve(kind);
        if (!kind.equals("missing")) {
            Files.writeString(file, "#!/bin/sh\necho \"$0 is not installed\" >&2\nexit 127\n");
        }
        assertThat(file.toFile().setExecutable(kind.equals("ends-with-127")))
                .isEqualTo(!kind.equals("missing"));
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            SHARED.gateway()
                    .installation()
                    .withServer(
                            kind,
                            "{\"command\": %s, \"maxRetries\": 1}"
                                    .formatted(StrictJson.quote(file.toString())))
                    .save();
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> SHARED.host().hasServer(kind)))
                    .isTrue();
            SHARED.host().awaitStatus(kind, "error", Duration.ofSeconds(1));
            int attemptsExpected = kind.equals("ends-with-127") ? 2 : 1; // others cannot heal
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> attempts(kind) == attemptsExpected))
                    .isTrue();
            JsonTree server = SHARED.host().awaitStatus(kind, "error");
            assertThat(server.at("lastError").asText())
                    .startsWith("CONNECTION_FAILED: Server " + kind)
                    .contains(file.toString())
                    .doesNotContain("\tat ", "Exception");
        }
        SHARED.gateway().installation().withoutServer(kind).save();
    }

    @Test
    void serverThatHangsDuringConnectTimesOutAtEachAttempt() throws Exception {
        ServerScript hung =
                SHARED.gateway().script("hung").at("server/discover=hang", "initialize=hang");
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            SHARED.gateway()
                    .add(hung, "\"connectionTimeoutMs\": 3000, \"maxRetries\": 1", "connecting");
            var begun = Stopwatch.start();
            assertThat(SHARED.host().toolNames()).contains("calm.echo");
            assertThat(begun.activeTime()).isLessThan(Duration.ofSeconds(3));
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> attempts(hung.name()) == 2)).isTrue();
            JsonTree server = SHARED.host().awaitStatus(hung.name(), "error");
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
        ServerScript lister = SHARED.gateway().script("lister").at(where);
        lister.withOption("tool-count", 50).withOption("page-size", 20);
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            SHARED.gateway().add(lister, "\"connectionTimeoutMs\": 1500", "connected");
            var begun = Stopwatch.start();
            assertThat(SHARED.host().toolNames()).contains("calm.echo");
            assertThat(begun.activeTime()).isLessThan(Duration.ofSeconds(4));
            SHARED.host().awaitError(lister.name(), "DISCOVERY_FAILED: Server " + lister.name());
            assertThat(SHARED.host().lastError(lister.name())).contains("tools/list");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"crash", "kill9", "signal:name=SEGV"})
    void serverThatDiesFailsFiftyCallsImmediatelyAndIsRestarted(String how) throws Exception {
        ServerScript mortal = SHARED.gateway().script("mortal").tools("hang", "die=" + how, "echo");
        SHARED.gateway().connect(mortal);
        long pid = mortal.recording().pids().getFirst();
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            List<String> ids = SHARED.gateway().sendCalls(50, mortal.name() + ".hang", "{}");
            assertThat(
                            mortal.recording()
                                    .await(
                                            it -> it.callArguments("hang").size() == 50,
                                            TestHost.TIMEOUT))
                    .isTrue();
            ids.addAll(SHARED.gateway().sendCalls(1, mortal.name() + ".die", "{}"));
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> !ProcessInspector.isAlive(pid)))
                    .isTrue();
            var died = Stopwatch.start();
            for (JsonTree failure : SHARED.gateway().awaitFailures(ids)) {
                assertThat(failure.at("reason").asText()).isEqualTo("INVOCATION_FAILED");
                assertThat(failure.at("execution").asText()).isEqualTo("unknown");
                assertThat(failure.at("serverId").asText()).isEqualTo(mortal.name());
            }
            assertThat(died.activeTime()).isLessThan(Duration.ofSeconds(2));
            assertThat(SHARED.host().callForText(mortal.name() + ".echo", "{}")).isEqualTo("{}");
            assertThat(died.activeTime()).isLessThan(Duration.ofSeconds(8));
        }
        assertThat(mortal.recording().callArguments("hang")).as("sent once each").hasSize(50);
        assertThat(mortal.recording().callArguments("die")).hasSize(1);
        assertThat(mortal.recording().startCount()).isEqualTo(2);
    }

    @Test
    void serverInACrashLoopIsStartedABoundedNumberOfTimes() throws Exception {
        ServerScript looping = SHARED.gateway().script("looping").withOption("die-after", 50);
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            SHARED.gateway().installation().withServer(looping, "\"maxRetries\": 2").save();
            assertThat(looping.recording().await(it -> it.startCount() == 3, TestHost.TIMEOUT))
                    .isTrue();
            SHARED.host().awaitError(looping.name(), "too often");
            assertThat(SHARED.host().status(looping.name())).isEqualTo("error");
            assertThat(attempts(looping.name())).isEqualTo(3);
            assertThat(looping.recording().await(it -> it.startCount() > 3, Duration.ofSeconds(1)))
                    .isFalse();
        }
    }

    @Test
    void floodOfGarbageIsSkippedAndThenStopsTheServer() throws Exception {
        long memory = SHARED.host().client().residentBytes();
        long log = SHARED.host().client().stderrBytes();
        ServerScript loud =
                SHARED.gateway().script("loud").withOption("flood", Long.toString(1L << 40));
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            SHARED.gateway().add(loud, "\"maxRetries\": 0", "error");
            assertThat(SHARED.host().lastError(loud.name())).contains(loud.name());
        }
        assertThat(loud.recording().startCount()).isEqualTo(1);
        assertThat(SHARED.host().client().residentBytes() - memory)
                .isLessThan(MEMORY_GROWTH_BYTES_MAX);
        assertThat(SHARED.host().client().stderrBytes() - log).isLessThan(LOG_BYTES_MAX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"banner", "jsonlog", "badutf8", "nul"})
    void textBetweenMessagesIsSkipped(String kind) throws Exception {
        assertAnswersDespiteNoise(
                SHARED.gateway()
                        .script("chatty")
                        .withOption("before", kind)
                        .withOption("among", kind));
    }

    /** These bytes join the next message, so that message is lost. */
    @ParameterizedTest
    @ValueSource(strings = {"bom", "utf16"})
    void bytesOfAnotherEncodingAtTheStartLoseOneMessage(String kind) throws Exception {
        assertAnswersDespiteNoise(SHARED.gateway().script("foreign").withOption("before", kind));
    }

    private static void assertAnswersDespiteNoise(ServerScript chatty) throws Exception {
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            SHARED.gateway().connect(chatty);
            String arguments = "{\"said\":\"é 😀\"}";
            for (int i = 0; i < 5; i++) {
                assertThat(SHARED.host().callForText(chatty.name() + ".echo", arguments))
                        .isEqualTo(arguments);
            }
        }
        assertThat(chatty.recording().startCount()).isEqualTo(1);
    }

    @Test
    void serverThatClosesItsInputFailsPendingCallsAndIsRestarted() throws Exception {
        ServerScript closer = SHARED.gateway().script("closer").tools("hang", "closeStdin", "echo");
        SHARED.gateway().connect(closer);
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            List<String> ids = SHARED.gateway().sendCalls(5, closer.name() + ".hang", "{}");
            ids.addAll(SHARED.gateway().sendCalls(1, closer.name() + ".closeStdin", "{}"));
            assertThat(
                            closer.recording()
                                    .await(
                                            it -> it.callArguments("closeStdin").size() == 1,
                                            TestHost.TIMEOUT))
                    .isTrue();
            // That it does not listen any more shows when it is spoken to.
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> isRestarted(closer))).isTrue();
            assertThat(SHARED.gateway().awaitFailures(ids)).hasSize(6);
            assertThat(SHARED.host().callForText(closer.name() + ".echo", "{}")).isEqualTo("{}");
        }
        assertThat(closer.recording().callArguments("hang")).hasSize(5);
    }

    private static boolean isRestarted(ServerScript script) {
        SHARED.gateway().sendCalls(1, script.name() + ".echo", "{}");
        return script.recording().startCount() == 2;
    }

    @Test
    void serverThatClosesItsOutputIsRestarted() throws Exception {
        ServerScript closer =
                SHARED.gateway().script("closer").tools("hang", "closeStdout", "echo");
        SHARED.gateway().connect(closer);
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            List<String> ids = SHARED.gateway().sendCalls(5, closer.name() + ".hang", "{}");
            ids.addAll(SHARED.gateway().sendCalls(1, closer.name() + ".closeStdout", "{}"));
            var begun = Stopwatch.start();
            assertThat(SHARED.gateway().awaitFailures(ids)).hasSize(6);
            assertThat(begun.activeTime()).isLessThan(Duration.ofSeconds(4));
            assertThat(SHARED.host().callForText(closer.name() + ".echo", "{}")).isEqualTo("{}");
        }
    }

    @Test
    void partialLineNeverReachesTheClient() throws Exception {
        ServerScript torn = SHARED.gateway().script("torn").tools("partialThenExit", "echo");
        SHARED.gateway().connect(torn);
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            JsonTree result = SHARED.host().callForResult(torn.name() + ".partialThenExit", "{}");
            assertThat(TestHost.failureDetails(result).at("execution").asText())
                    .isEqualTo("unknown");
            assertThat(result.write()).doesNotContain("FRAGMENT");
            assertThat(SHARED.host().callForText(torn.name() + ".echo", "{}")).isEqualTo("{}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void floodOfStandardErrorNeitherBlocksTheServerNorFillsTheLog(String lines) throws Exception {
        ServerScript moaner = SHARED.gateway().script("moaner").tools("stderrFlood", "echo");
        SHARED.gateway().connect(moaner);
        long memory = SHARED.host().client().residentBytes();
        long log = SHARED.host().client().stderrBytes();
        String flood = "{\"bytes\":%d,\"line\":\"%s\"}".formatted(100 << 20, lines);
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            assertThat(SHARED.host().callForText(moaner.name() + ".stderrFlood", flood))
                    .isEqualTo("flooded");
            assertThat(SHARED.host().callForText(moaner.name() + ".echo", "{}")).isEqualTo("{}");
        }
        assertThat(SHARED.host().client().residentBytes() - memory)
                .isLessThan(MEMORY_GROWTH_BYTES_MAX);
        assertThat(SHARED.host().client().stderrBytes() - log).isLessThan(LOG_BYTES_MAX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "pipes"})
    void serverThatRefusesToStopIsKilledWithItsDescendants(String grandchild) throws Exception {
        ServerScript stubborn =
                SHARED.gateway().script("stubborn").withOption("grandchild", grandchild);
        SHARED.gateway().connect(stubborn.withOption("ignore-term").withOption("ignore-eof"));
        assertThat(stubborn.recording().grandchildPids())
                .hasSize(1)
                .allMatch(ProcessInspector::isAlive);
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            SHARED.gateway().removeFaultyServers();
        }
    }

    private static long attempts(String id) {
        try {
            return SHARED.host().server(id).at("attempts").asLong();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
