package dev.patchbay.embedding;

import static dev.patchbay.embedding.SupervisorFixture.TIMEOUT;
import static dev.patchbay.embedding.SupervisorFixture.becomesTrue;
import static dev.patchbay.embedding.SupervisorFixture.hasStatus;
import static dev.patchbay.embedding.SupervisorFixture.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.server.CallOptions;
import dev.patchbay.server.ServerEventListener;
import dev.patchbay.server.ServerSession;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.ServerUnavailableException;
import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Connecting real processes: eras, timeouts, retries. */
@Tag("slow")
class ServerConnectionTest {
    @TempDir Path folder;
    private final SupervisorFixture fixture = new SupervisorFixture();

    @AfterEach
    void endEverything() {
        fixture.close();
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void connectsLegacyServerAndCallsTool() throws Exception {
        var script = ServerScript.named("alpha", folder);
        var supervisor = fixture.supervise(script, limits(10_000, 0));
        ServerSession link = supervisor.session(TIMEOUT);
        assertThat(link.handshakeResult().version()).isEqualTo(ProtocolVersion.V2025_11_25);
        assertThat(link.handshakeResult().hasCapability("tools")).isTrue();
        var outcome = call(link, "echo", "{\"n\":0.1000,\"big\":12345678901234567890}");
        assertThat(outcome).isInstanceOf(CallOutcome.Result.class);
        assertThat(script.recording().callArguments("echo"))
                .containsExactly("{\"n\":0.1000,\"big\":12345678901234567890}");
        fixture.assertStatuses(Status.CONNECTING, Status.CONNECTED);
        assertThat(supervisor.state().lastConnectedAt()).isNotNull();
        assertThat(script.recording().violations()).isEmpty();
    }

    @Test
    void usesModernEraWhenServerSupportsIt() throws Exception {
        var script = ServerScript.named("alpha", folder).era("dual");
        ServerSession link = fixture.supervise(script, limits(10_000, 1)).session(TIMEOUT);
        assertThat(link.handshakeResult().version()).isEqualTo(ProtocolVersion.V2026_07_28);
        assertThat(link.handshakeResult().serverInfo().name()).isEqualTo("alpha");
        assertThat(call(link, "echo", "{}")).isInstanceOf(CallOutcome.Result.class);
        assertThat(script.recording().received("tools/call").getFirst().write())
                .contains("\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"")
                .contains("\"io.modelcontextprotocol/clientCapabilities\":{}");
        assertThat(script.recording().receivedCount("initialize")).isZero();
    }

    @Test
    void restartsWithoutProbeWhenServerExitsOnProbe() throws Exception {
        fixture.withoutPauses();
        var script = ServerScript.named("alpha", folder).at("server/discover=crash:1");
        var supervisor = fixture.supervise(script, limits(10_000, 3));
        assertThat(supervisor.session(TIMEOUT).handshakeResult().version())
                .isEqualTo(ProtocolVersion.V2025_11_25);
        assertThat(script.recording().startCount()).isEqualTo(2);
        assertThat(fixture.pauses).isEmpty();
    }

    @Test
    void initializesFirstWhenRetriesAreDisabled() throws Exception {
        var script = ServerScript.named("alpha", folder).at("server/discover=crash:1");
        ServerSession link = fixture.supervise(script, limits(10_000, 0)).session(TIMEOUT);
        assertThat(link.handshakeResult().version()).isEqualTo(ProtocolVersion.V2025_11_25);
        assertThat(script.recording().startCount()).isEqualTo(1);
        assertThat(script.recording().receivedCount("server/discover")).isZero();
    }

    @Test
    void connectsModernServerWhenRetriesAreDisabled() throws Exception {
        var script = ServerScript.named("alpha", folder).era("modern");
        ServerSession link = fixture.supervise(script, limits(10_000, 0)).session(TIMEOUT);
        assertThat(link.handshakeResult().version()).isEqualTo(ProtocolVersion.V2026_07_28);
        assertThat(script.recording().startCount()).isEqualTo(1);
    }

    @Test
    void probesUnresponsiveServerOnceAndRemembersEra() throws Exception {
        var script = ServerScript.named("alpha", folder).at("server/discover=hang");
        var supervisor = fixture.supervise(script, limits(6_000, 1));
        supervisor.session(TIMEOUT);
        supervisor.reconnect();
        supervisor.session(TIMEOUT);
        assertThat(script.recording().startCount()).isEqualTo(2);
        assertThat(script.recording().receivedCount("server/discover")).isEqualTo(1);
        assertThat(script.recording().receivedCount("initialize")).isEqualTo(2);
        assertThat(script.recording().cancelledIds()).isEmpty();
    }

    @Test
    void connectsModernServerThatWasTooSlowForProbe() throws Exception {
        var script =
                ServerScript.named("alpha", folder).era("modern").withOption("start-delay", 2_500);
        ServerSession link = fixture.supervise(script, limits(8_000, 0)).session(TIMEOUT);
        assertThat(link.handshakeResult().version()).isEqualTo(ProtocolVersion.V2026_07_28);
        assertThat(call(link, "echo", "{}")).isInstanceOf(CallOutcome.Result.class);
    }

    @Test
    @Tag("INV-MCP-ECO-100")
    void abandonsServerThatHangsDuringHandshakeAtTimeout() throws Exception {
        var script =
                ServerScript.named("alpha", folder)
                        .at("initialize=hang")
                        .withOption("ignore-eof")
                        .withOption("ignore-term")
                        .withOption("grandchild", "plain");
        var supervisor = fixture.supervise(script, limits(3_000, 0));
        var watch = Stopwatch.start();
        var failure =
                catchThrowableOfType(
                        ServerUnavailableException.class, () -> supervisor.session(TIMEOUT));
        assertThat(watch.activeTime()).isLessThan(Duration.ofMillis(3_300));
        assertThat(watch.elapsed()).isGreaterThan(Duration.ofMillis(2_800));
        assertThat(failure.failure().reason()).isEqualTo(ErrorReason.CONNECTION_TIMEOUT);
        assertThat(failure.failure().execution()).isEqualTo(ExecutionStatus.NOT_SENT);
        assertThat(failure.failure().operation()).isEqualTo("connect");
        assertThat(failure.failure().message()).contains("alpha", "initialize");
        fixture.assertStatuses(Status.CONNECTING, Status.ERROR);
        var record = script.recording();
        assertThat(becomesTrue(() -> record.pids().stream().noneMatch(ProcessInspector::isAlive)))
                .isTrue();
        assertThat(record.grandchildPids()).isNotEmpty();
        assertThat(
                        becomesTrue(
                                () ->
                                        record.grandchildPids().stream()
                                                .noneMatch(ProcessInspector::isAlive)))
                .isTrue();
        assertThat(fixture.statuses).doesNotContain(Status.CONNECTED);
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void concurrentCallersShareFourAttempts() throws Exception {
        fixture.withoutPauses();
        var script =
                ServerScript.named("alpha", folder)
                        .withOption("exit", 3)
                        .withOption("stderr", "no key found");
        var spec = SupervisorFixture.spec(script, limits(10_000, 3), EraChoice.LEGACY);
        var supervisor = fixture.supervise(spec, new ServerEventListener() {});
        var failures = new ArrayList<Future<ServerUnavailableException>>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 10; i++) {
                failures.add(
                        callers.submit(
                                () ->
                                        catchThrowableOfType(
                                                ServerUnavailableException.class,
                                                () -> supervisor.session(TIMEOUT))));
            }
        }
        for (var failure : failures) {
            var trouble = failure.get().failure();
            assertThat(trouble.reason()).isEqualTo(ErrorReason.CONNECTION_FAILED);
            assertThat(trouble.attempts()).isEqualTo(4);
            assertThat(trouble.message()).contains("alpha", "4 attempts", "code 3", "no key found");
        }
        assertThat(fixture.pauses).hasSize(3);
        for (int i = 0; i < 3; i++) {
            long plain = 1_000L << i;
            assertThat(fixture.pauses.get(i).toMillis()).isBetween(plain * 8 / 10, plain * 12 / 10);
        }
        assertThat(supervisor.state().status()).isEqualTo(Status.ERROR);
        assertThat(supervisor.state().attempts()).isEqualTo(4);
        // And nothing goes on behind our back.
        var record = script.recording();
        assertThat(becomesTrue(() -> record.startCount() > 4, Duration.ofMillis(500))).isFalse();
        assertThat(record.startCount()).isEqualTo(4);
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void countsStartsWhileEraIsUnknown() {
        fixture.withoutPauses();
        var script = ServerScript.named("alpha", folder).withOption("exit", 1);
        var supervisor = fixture.supervise(script, limits(10_000, 3));
        assertThatThrownBy(() -> supervisor.session(TIMEOUT)).hasMessageContaining("4 attempts");
        assertThat(script.recording().startCount()).isEqualTo(4);
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void triesOnceWithoutRetries() {
        var script = ServerScript.named("alpha", folder).withOption("exit", 1);
        var supervisor = fixture.supervise(script, limits(10_000, 0));
        assertThatThrownBy(() -> supervisor.session(TIMEOUT)).hasMessageContaining("1 attempt.");
        assertThat(script.recording().startCount()).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    @Tag("INV-MCP-ECO-200")
    void succeedsOnSecondRetryAndClearsError() throws Exception {
        fixture.withoutPauses();
        var script = ServerScript.named("alpha", folder).withOption("fail-starts", 2);
        var supervisor = fixture.supervise(script, limits(10_000, 3));
        supervisor.session(TIMEOUT);
        assertThat(script.recording().startCount()).isEqualTo(3);
        assertThat(supervisor.state().status()).isEqualTo(Status.CONNECTED);
        assertThat(supervisor.state().attempts()).isEqualTo(3);
        assertThat(supervisor.state().lastError()).isNull();
        fixture.assertStatuses(
                Status.CONNECTING,
                Status.ERROR,
                Status.CONNECTING,
                Status.ERROR,
                Status.CONNECTING,
                Status.CONNECTED);
    }

    @Test
    void namesMissingProgramAndSearchPathAndDoesNotRetry() {
        fixture.withoutPauses();
        var spec =
                SupervisorFixture.programSpec("alpha", limits(10_000, 3), "no-such-program-here");
        var supervisor = fixture.supervise(spec, new ServerEventListener() {});
        assertThatThrownBy(() -> supervisor.session(TIMEOUT))
                .hasMessageContaining("command not found: no-such-program-here (PATH is /")
                .hasMessageContaining("not tried again");
        assertThat(fixture.pauses).isEmpty();
        fixture.assertStatuses(Status.CONNECTING, Status.ERROR);
        assertThat(supervisor.state().attempts()).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void doesNotStartDisabledServerUntilEnabled() {
        var script = ServerScript.named("alpha", folder);
        var spec =
                SupervisorFixture.spec(script, limits(10_000, 3), EraChoice.AUTO)
                        .withEnabled(false);
        var supervisor = fixture.supervise(spec, new ServerEventListener() {});
        supervisor.start();
        supervisor.reconnect();
        var failure =
                catchThrowableOfType(
                        ServerUnavailableException.class, () -> supervisor.session(TIMEOUT));
        assertThat(failure.failure().reason()).isEqualTo(ErrorReason.SERVER_DISABLED);
        assertThat(failure.failure().message()).contains("alpha", "disabled");
        assertThat(supervisor.state().status()).isEqualTo(Status.DISABLED);
        assertThat(becomesTrue(() -> script.recording().startCount() > 0, Duration.ofMillis(300)))
                .isFalse();
        supervisor.enable();
        assertThat(becomesTrue(() -> hasStatus(supervisor, Status.CONNECTED))).isTrue();
        assertThat(script.recording().startCount()).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void stopsRetryingImmediatelyWhenDisabled() throws Exception {
        var script = ServerScript.named("alpha", folder).withOption("exit", 1);
        var spec = SupervisorFixture.spec(script, limits(10_000, 10), EraChoice.LEGACY);
        var supervisor = fixture.supervise(spec, new ServerEventListener() {});
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting =
                    callers.submit(
                            () ->
                                    catchThrowableOfType(
                                            ServerUnavailableException.class,
                                            () -> supervisor.session(TIMEOUT)));
            assertThat(becomesTrue(() -> supervisor.state().lastError() != null)).isTrue();
            var watch = Stopwatch.start();
            supervisor.disable();
            assertThat(waiting.get().failure().reason()).isEqualTo(ErrorReason.SERVER_DISABLED);
            assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(1));
        }
        int starts = script.recording().startCount();
        assertThat(supervisor.state().status()).isEqualTo(Status.DISABLED);
        assertThat(
                        becomesTrue(
                                () -> script.recording().startCount() > starts,
                                Duration.ofMillis(1_500)))
                .isFalse();
    }

    /** As it is when its server is unregistered, and when the gateway ends. */
    @Test
    @Tag("INV-MCP-ECO-101")
    void stopsRetryingImmediatelyWhenStopped() throws Exception {
        var script = ServerScript.named("alpha", folder).withOption("exit", 1);
        var spec = SupervisorFixture.spec(script, limits(10_000, 10), EraChoice.LEGACY);
        var supervisor = fixture.supervise(spec, new ServerEventListener() {});
        supervisor.start();
        assertThat(becomesTrue(() -> supervisor.state().lastError() != null)).isTrue();
        var watch = Stopwatch.start();
        supervisor.stop();
        assertThat(supervisor.awaitEnd(TIMEOUT)).isTrue();
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(1));
        int starts = script.recording().startCount();
        assertThat(supervisor.state().status()).isEqualTo(Status.DISCONNECTED);
        assertThat(
                        becomesTrue(
                                () -> script.recording().startCount() > starts,
                                Duration.ofMillis(1_500)))
                .isFalse();
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void endsProcessWhenDisabledDuringHandshake() {
        var script = ServerScript.named("alpha", folder).at("initialize=hang");
        var supervisor = fixture.supervise(script, limits(10_000, 3));
        supervisor.start();
        assertThat(becomesTrue(() -> script.recording().receivedCount("initialize") == 1)).isTrue();
        supervisor.disable();
        var record = script.recording();
        assertThat(becomesTrue(() -> record.pids().stream().noneMatch(ProcessInspector::isAlive)))
                .isTrue();
        fixture.assertStatuses(Status.CONNECTING, Status.DISABLED);
    }

    @Test
    @Tag("INV-MCP-ECO-100")
    void callerTimesOutWhileConnectingContinues() {
        var script = ServerScript.named("alpha", folder).withOption("start-delay", 1_000);
        var supervisor = fixture.supervise(script, limits(10_000, 0));
        var failure =
                catchThrowableOfType(
                        ServerUnavailableException.class,
                        () -> supervisor.session(Duration.ofMillis(200)));
        assertThat(failure.failure().reason()).isEqualTo(ErrorReason.CONNECTION_TIMEOUT);
        assertThat(becomesTrue(() -> hasStatus(supervisor, Status.CONNECTED))).isTrue();
        assertThat(script.recording().startCount()).isEqualTo(1);
    }

    private static CallOutcome call(ServerSession link, String tool, String arguments)
            throws InterruptedException {
        Json params = Json.of("{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments));
        return link.call("tools/call", params, CallOptions.internal(Duration.ofSeconds(10)));
    }
}
