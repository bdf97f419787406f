package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Processes;
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
class StdioFaultTest {
    private static final long MEMORY_GROWTH_BYTES_MAX = 160L << 20;
    private static final long LOG_BYTES_MAX = 64L << 10;

    @TempDir private static Path folder;
    private static Neighbourhood around;
    private static Host host;

    @BeforeAll
    static void open() throws Exception {
        around = new Neighbourhood(folder);
        host = around.host();
    }

    @AfterEach
    void clear() throws Exception {
        around.clear();
    }

    @AfterAll
    static void close() {
        around.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing", "not-executable", "ends-with-127"})
    void aCommandThatCannotBeStartedIsAnErrorThatNamesIt(String kind) throws Exception {
        Path file = folder.resolve(kind);
        if (!kind.equals("missing")) {
            Files.writeString(file, "#!/bin/sh\necho \"$0 is not installed\" >&2\nexit 127\n");
        }
        assertThat(file.toFile().setExecutable(kind.equals("ends-with-127")))
                .isEqualTo(!kind.equals("missing"));
        try (Watch _ = around.watch()) {
            around.bench()
                    .with(
                            kind,
                            "{\"command\": %s, \"maxRetries\": 1}"
                                    .formatted(StrictJson.quote(file.toString())))
                    .save();
            assertThat(Host.await(Host.PATIENCE, () -> host.knows(kind))).isTrue();
            host.awaitStatus(kind, "error", Duration.ofSeconds(1));
            assertThat(Host.await(Host.PATIENCE, () -> attempts(kind) == 2)).isTrue();
            JsonTree server = host.awaitStatus(kind, "error");
            assertThat(server.at("lastError").text())
                    .startsWith("CONNECTION_FAILED: Server " + kind)
                    .contains(file.toString())
                    .doesNotContain("\tat ", "Exception");
        }
        around.bench().without(kind).save();
    }

    @Test
    void aServerThatHangsAtConnectTimesOutAtEachAttempt() throws Exception {
        ServerScript hung = around.script("hung").at("server/discover=hang", "initialize=hang");
        try (Watch _ = around.watch()) {
            around.join(hung, "\"connectionTimeoutMs\": 3000, \"maxRetries\": 1", "connecting");
            var begun = Stopwatch.start();
            assertThat(host.toolNames()).contains("calm.echo");
            assertThat(begun.net()).isLessThan(Duration.ofSeconds(3));
            assertThat(Host.await(Host.PATIENCE, () -> attempts(hung.name()) == 2)).isTrue();
            JsonTree server = host.awaitStatus(hung.name(), "error");
            assertThat(begun.net()).isLessThan(Duration.ofSeconds(12));
            assertThat(server.at("lastError").text())
                    .startsWith("CONNECTION_TIMEOUT")
                    .contains(hung.name(), "2 attempts", "initialize");
        }
        assertThat(hung.record().starts()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tools/list=hang", "tools/list:2=hang"})
    void aServerThatHangsAtItsListKeepsNobodyFromTheOthers(String where) throws Exception {
        ServerScript lister = around.script("lister").at(where);
        lister.with("tool-count", 50).with("page-size", 20);
        try (Watch _ = around.watch()) {
            around.join(lister, "\"connectionTimeoutMs\": 1500", "connected");
            var begun = Stopwatch.start();
            assertThat(host.toolNames()).contains("calm.echo");
            assertThat(begun.net()).isLessThan(Duration.ofSeconds(4));
            host.awaitError(lister.name(), "DISCOVERY_FAILED: Server " + lister.name());
            assertThat(host.lastError(lister.name())).contains("tools/list");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"crash", "kill9", "signal:name=SEGV"})
    void aServerThatDiesInFiftyCallsFailsThemAtOnceAndComesBack(String how) throws Exception {
        ServerScript mortal = around.script("mortal").tools("hang", "die=" + how, "echo");
        around.connect(mortal);
        long pid = mortal.record().pids().getFirst();
        try (Watch _ = around.watch()) {
            List<String> ids = around.send(50, mortal.name() + ".hang", "{}");
            assertThat(mortal.record().await(it -> it.calls("hang").size() == 50, Host.PATIENCE))
                    .isTrue();
            ids.addAll(around.send(1, mortal.name() + ".die", "{}"));
            assertThat(Host.await(Host.PATIENCE, () -> !Processes.alive(pid))).isTrue();
            var died = Stopwatch.start();
            for (JsonTree failure : around.failures(ids)) {
                assertThat(failure.at("reason").text()).isEqualTo("INVOCATION_FAILED");
                assertThat(failure.at("execution").text()).isEqualTo("unknown");
                assertThat(failure.at("serverId").text()).isEqualTo(mortal.name());
            }
            assertThat(died.net()).isLessThan(Duration.ofSeconds(2));
            assertThat(host.text(mortal.name() + ".echo", "{}")).isEqualTo("{}");
            assertThat(died.net()).isLessThan(Duration.ofSeconds(8));
        }
        assertThat(mortal.record().calls("hang")).as("sent once each").hasSize(50);
        assertThat(mortal.record().calls("die")).hasSize(1);
        assertThat(mortal.record().starts()).isEqualTo(2);
    }

    @Test
    void aServerInACrashLoopIsStartedABoundedNumberOfTimes() throws Exception {
        ServerScript looping = around.script("looping").with("die-after", 50);
        try (Watch _ = around.watch()) {
            around.bench().with(looping, "\"maxRetries\": 2").save();
            assertThat(looping.record().await(it -> it.starts() == 3, Host.PATIENCE)).isTrue();
            host.awaitError(looping.name(), "too often");
            assertThat(host.status(looping.name())).isEqualTo("error");
            assertThat(attempts(looping.name())).isEqualTo(3);
            assertThat(looping.record().await(it -> it.starts() > 3, Duration.ofSeconds(1)))
                    .isFalse();
        }
    }

    @Test
    void aFloodOfGarbageIsPassedOverAndThenEndsTheServer() throws Exception {
        long memory = host.client().residentBytes();
        long log = host.client().stderrBytes();
        ServerScript loud = around.script("loud").with("flood", Long.toString(1L << 40));
        try (Watch _ = around.watch()) {
            around.join(loud, "\"maxRetries\": 0", "error");
            assertThat(host.lastError(loud.name())).contains(loud.name());
        }
        assertThat(loud.record().starts()).isEqualTo(1);
        assertThat(host.client().residentBytes() - memory).isLessThan(MEMORY_GROWTH_BYTES_MAX);
        assertThat(host.client().stderrBytes() - log).isLessThan(LOG_BYTES_MAX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"banner", "jsonlog", "badutf8", "nul"})
    void textAmongTheMessagesIsPassedOver(String kind) throws Exception {
        answersThroughNoise(around.script("chatty").with("before", kind).with("among", kind));
    }

    /** These run into the message behind them, so that one is lost with them. */
    @ParameterizedTest
    @ValueSource(strings = {"bom", "utf16"})
    void bytesOfAnotherEncodingAtTheStartCostOneMessage(String kind) throws Exception {
        answersThroughNoise(around.script("foreign").with("before", kind));
    }

    private static void answersThroughNoise(ServerScript chatty) throws Exception {
        try (Watch _ = around.watch()) {
            around.connect(chatty);
            String arguments = "{\"said\":\"é 😀\"}";
            for (int i = 0; i < 5; i++) {
                assertThat(host.text(chatty.name() + ".echo", arguments)).isEqualTo(arguments);
            }
        }
        assertThat(chatty.record().starts()).isEqualTo(1);
    }

    @Test
    void aServerThatClosesItsInputFailsWhatIsPendingAndIsStartedAgain() throws Exception {
        ServerScript closer = around.script("closer").tools("hang", "closeStdin", "echo");
        around.connect(closer);
        try (Watch _ = around.watch()) {
            List<String> ids = around.send(5, closer.name() + ".hang", "{}");
            ids.addAll(around.send(1, closer.name() + ".closeStdin", "{}"));
            assertThat(
                            closer.record()
                                    .await(it -> it.calls("closeStdin").size() == 1, Host.PATIENCE))
                    .isTrue();
            // That it does not listen any more shows when it is spoken to.
            assertThat(Host.await(Host.PATIENCE, () -> restarted(closer))).isTrue();
            assertThat(around.failures(ids)).hasSize(6);
            assertThat(host.text(closer.name() + ".echo", "{}")).isEqualTo("{}");
        }
        assertThat(closer.record().calls("hang")).hasSize(5);
    }

    private static boolean restarted(ServerScript script) {
        around.send(1, script.name() + ".echo", "{}");
        return script.record().starts() == 2;
    }

    @Test
    void aServerThatClosesItsOutputIsStartedAgain() throws Exception {
        ServerScript closer = around.script("closer").tools("hang", "closeStdout", "echo");
        around.connect(closer);
        try (Watch _ = around.watch()) {
            List<String> ids = around.send(5, closer.name() + ".hang", "{}");
            ids.addAll(around.send(1, closer.name() + ".closeStdout", "{}"));
            var begun = Stopwatch.start();
            assertThat(around.failures(ids)).hasSize(6);
            assertThat(begun.net()).isLessThan(Duration.ofSeconds(4));
            assertThat(host.text(closer.name() + ".echo", "{}")).isEqualTo("{}");
        }
    }

    @Test
    void nothingOfALineThatWasBegunReachesTheClient() throws Exception {
        ServerScript torn = around.script("torn").tools("partialThenExit", "echo");
        around.connect(torn);
        try (Watch _ = around.watch()) {
            JsonTree result = host.result(torn.name() + ".partialThenExit", "{}");
            assertThat(Host.failure(result).at("execution").text()).isEqualTo("unknown");
            assertThat(result.write()).doesNotContain("FRAGMENT");
            assertThat(host.text(torn.name() + ".echo", "{}")).isEqualTo("{}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void aFloodOfStandardErrorNeitherBlocksTheServerNorFillsTheLog(String lines) throws Exception {
        ServerScript moaner = around.script("moaner").tools("stderrFlood", "echo");
        around.connect(moaner);
        long memory = host.client().residentBytes();
        long log = host.client().stderrBytes();
        String flood = "{\"bytes\":%d,\"line\":\"%s\"}".formatted(100 << 20, lines);
        try (Watch _ = around.watch()) {
            assertThat(host.text(moaner.name() + ".stderrFlood", flood)).isEqualTo("flooded");
            assertThat(host.text(moaner.name() + ".echo", "{}")).isEqualTo("{}");
        }
        assertThat(host.client().residentBytes() - memory).isLessThan(MEMORY_GROWTH_BYTES_MAX);
        assertThat(host.client().stderrBytes() - log).isLessThan(LOG_BYTES_MAX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "pipes"})
    void aServerThatRefusesToEndIsEndedWithAllThatItStarted(String grandchild) throws Exception {
        ServerScript stubborn = around.script("stubborn").with("grandchild", grandchild);
        around.connect(stubborn.with("ignore-term").with("ignore-eof"));
        assertThat(stubborn.record().grandchildren()).hasSize(1).allMatch(Processes::alive);
        try (Watch _ = around.watch()) {
            around.clear();
        }
    }

    private static long attempts(String id) {
        try {
            return host.server(id).at("attempts").integer();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
