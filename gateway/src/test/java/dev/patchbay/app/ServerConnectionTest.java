package dev.patchbay.app;

import static dev.patchbay.app.Supervision.PATIENCE;
import static dev.patchbay.app.Supervision.comesTrue;
import static dev.patchbay.app.Supervision.is;
import static dev.patchbay.app.Supervision.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.mcp.Execution;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.Reason;
import dev.patchbay.server.CallOptions;
import dev.patchbay.server.Link;
import dev.patchbay.server.LinkListener;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.ServerUnavailable;
import dev.patchbay.testkit.Processes;
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
class ServerConnectionTest {
    @TempDir Path folder;
    private final Supervision supervision = new Supervision();

    @AfterEach
    void endEverything() {
        supervision.close();
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void connectsALegacyServerAndCallsIt() throws Exception {
        var script = ServerScript.named("alpha", folder);
        var supervisor = supervision.of(script, limits(10_000, 0));
        Link link = supervisor.link(PATIENCE);
        assertThat(link.facts().version()).isEqualTo(ProtocolVersion.V2025_11_25);
        assertThat(link.facts().offers("tools")).isTrue();
        var outcome = call(link, "echo", "{\"n\":0.1000,\"big\":12345678901234567890}");
        assertThat(outcome).isInstanceOf(CallOutcome.Result.class);
        assertThat(script.record().calls("echo"))
                .containsExactly("{\"n\":0.1000,\"big\":12345678901234567890}");
        assertThat(supervision.seen).containsExactly(Status.CONNECTING, Status.CONNECTED);
        assertThat(supervisor.state().lastConnectedAt()).isNotNull();
        assertThat(script.record().violations()).isEmpty();
    }

    @Test
    void speaksTheModernEraWithAServerThatKnowsIt() throws Exception {
        var script = ServerScript.named("alpha", folder).era("dual");
        Link link = supervision.of(script, limits(10_000, 1)).link(PATIENCE);
        assertThat(link.facts().version()).isEqualTo(ProtocolVersion.V2026_07_28);
        assertThat(link.facts().server().name()).isEqualTo("alpha");
        assertThat(call(link, "echo", "{}")).isInstanceOf(CallOutcome.Result.class);
        assertThat(script.record().received("tools/call").getFirst().write())
                .contains("\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"")
                .contains("\"io.modelcontextprotocol/clientCapabilities\":{}");
        assertThat(script.record().count("initialize")).isZero();
    }

    @Test
    void startsAgainWithoutTheProbeWhenTheServerEndsOnIt() throws Exception {
        supervision.withoutPauses();
        var script = ServerScript.named("alpha", folder).at("server/discover=crash:1");
        var supervisor = supervision.of(script, limits(10_000, 3));
        assertThat(supervisor.link(PATIENCE).facts().version())
                .isEqualTo(ProtocolVersion.V2025_11_25);
        assertThat(script.record().starts()).isEqualTo(2);
        assertThat(supervision.pauses).isEmpty();
    }

    @Test
    void greetsAServerFirstThatIsStartedOnlyOnce() throws Exception {
        var script = ServerScript.named("alpha", folder).at("server/discover=crash:1");
        Link link = supervision.of(script, limits(10_000, 0)).link(PATIENCE);
        assertThat(link.facts().version()).isEqualTo(ProtocolVersion.V2025_11_25);
        assertThat(script.record().starts()).isEqualTo(1);
        assertThat(script.record().count("server/discover")).isZero();
    }

    @Test
    void findsAModernServerThatIsStartedOnlyOnce() throws Exception {
        var script = ServerScript.named("alpha", folder).era("modern");
        Link link = supervision.of(script, limits(10_000, 0)).link(PATIENCE);
        assertThat(link.facts().version()).isEqualTo(ProtocolVersion.V2026_07_28);
        assertThat(script.record().starts()).isEqualTo(1);
    }

    @Test
    void asksASilentServerOnceForItsEraAndRemembersIt() throws Exception {
        var script = ServerScript.named("alpha", folder).at("server/discover=hang");
        var supervisor = supervision.of(script, limits(6_000, 1));
        supervisor.link(PATIENCE);
        supervisor.reconnect();
        supervisor.link(PATIENCE);
        assertThat(script.record().starts()).isEqualTo(2);
        assertThat(script.record().count("server/discover")).isEqualTo(1);
        assertThat(script.record().count("initialize")).isEqualTo(2);
        assertThat(script.record().cancels()).isEmpty();
    }

    @Test
    void findsAModernServerThatWasTooSlowForTheProbe() throws Exception {
        var script = ServerScript.named("alpha", folder).era("modern").with("start-delay", 2_500);
        Link link = supervision.of(script, limits(8_000, 0)).link(PATIENCE);
        assertThat(link.facts().version()).isEqualTo(ProtocolVersion.V2026_07_28);
        assertThat(call(link, "echo", "{}")).isInstanceOf(CallOutcome.Result.class);
    }

    @Test
    @Tag("INV-MCP-ECO-100")
    void givesUpAServerThatHangsAtTheHandshakeInTime() throws Exception {
        var script =
                ServerScript.named("alpha", folder)
                        .at("initialize=hang")
                        .with("ignore-eof")
                        .with("ignore-term")
                        .with("grandchild", "plain");
        var supervisor = supervision.of(script, limits(3_000, 0));
        var watch = Stopwatch.start();
        var failure =
                catchThrowableOfType(ServerUnavailable.class, () -> supervisor.link(PATIENCE));
        assertThat(watch.net()).isLessThan(Duration.ofMillis(3_300));
        assertThat(watch.elapsed()).isGreaterThan(Duration.ofMillis(2_800));
        assertThat(failure.trouble().reason()).isEqualTo(Reason.CONNECTION_TIMEOUT);
        assertThat(failure.trouble().execution()).isEqualTo(Execution.NOT_SENT);
        assertThat(failure.trouble().operation()).isEqualTo("connect");
        assertThat(failure.trouble().message()).contains("alpha", "initialize");
        assertThat(supervision.seen).containsExactly(Status.CONNECTING, Status.ERROR);
        var record = script.record();
        assertThat(comesTrue(() -> record.pids().stream().noneMatch(Processes::alive))).isTrue();
        assertThat(record.grandchildren()).isNotEmpty();
        assertThat(comesTrue(() -> record.grandchildren().stream().noneMatch(Processes::alive)))
                .isTrue();
        assertThat(supervision.seen).doesNotContain(Status.CONNECTED);
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void makesExactlyFourAttemptsForAllCallersTogether() throws Exception {
        supervision.withoutPauses();
        var script =
                ServerScript.named("alpha", folder).with("exit", 3).with("stderr", "no key found");
        var spec = Supervision.spec(script, limits(10_000, 3), EraChoice.LEGACY);
        var supervisor = supervision.of(spec, new LinkListener() {});
        var failures = new ArrayList<Future<ServerUnavailable>>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 10; i++) {
                failures.add(
                        callers.submit(
                                () ->
                                        catchThrowableOfType(
                                                ServerUnavailable.class,
                                                () -> supervisor.link(PATIENCE))));
            }
        }
        for (var failure : failures) {
            var trouble = failure.get().trouble();
            assertThat(trouble.reason()).isEqualTo(Reason.CONNECTION_FAILED);
            assertThat(trouble.attempts()).isEqualTo(4);
            assertThat(trouble.message()).contains("alpha", "4 attempts", "code 3", "no key found");
        }
        assertThat(supervision.pauses).hasSize(3);
        for (int i = 0; i < 3; i++) {
            long plain = 1_000L << i;
            assertThat(supervision.pauses.get(i).toMillis())
                    .isBetween(plain * 8 / 10, plain * 12 / 10);
        }
        assertThat(supervisor.state().status()).isEqualTo(Status.ERROR);
        assertThat(supervisor.state().attempts()).isEqualTo(4);
        // And nothing goes on behind our back.
        var record = script.record();
        assertThat(comesTrue(() -> record.starts() > 4, Duration.ofMillis(500))).isFalse();
        assertThat(record.starts()).isEqualTo(4);
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void countsTheStartsAlsoWhileTheEraIsUnknown() {
        supervision.withoutPauses();
        var script = ServerScript.named("alpha", folder).with("exit", 1);
        var supervisor = supervision.of(script, limits(10_000, 3));
        assertThatThrownBy(() -> supervisor.link(PATIENCE)).hasMessageContaining("4 attempts");
        assertThat(script.record().starts()).isEqualTo(4);
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void triesOnceWithoutRetries() {
        var script = ServerScript.named("alpha", folder).with("exit", 1);
        var supervisor = supervision.of(script, limits(10_000, 0));
        assertThatThrownBy(() -> supervisor.link(PATIENCE)).hasMessageContaining("1 attempt.");
        assertThat(script.record().starts()).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    @Tag("INV-MCP-ECO-200")
    void succeedsOnTheSecondRetryAndForgetsTheError() throws Exception {
        supervision.withoutPauses();
        var script = ServerScript.named("alpha", folder).with("fail-starts", 2);
        var supervisor = supervision.of(script, limits(10_000, 3));
        supervisor.link(PATIENCE);
        assertThat(script.record().starts()).isEqualTo(3);
        assertThat(supervisor.state().status()).isEqualTo(Status.CONNECTED);
        assertThat(supervisor.state().attempts()).isEqualTo(3);
        assertThat(supervisor.state().lastError()).isNull();
        assertThat(supervision.seen)
                .containsExactly(
                        Status.CONNECTING,
                        Status.ERROR,
                        Status.CONNECTING,
                        Status.ERROR,
                        Status.CONNECTING,
                        Status.CONNECTED);
    }

    @Test
    void saysWhatWasLookedForWhenTheProgramIsMissing() {
        supervision.withoutPauses();
        var spec = Supervision.program("alpha", limits(10_000, 3), "no-such-program-here");
        var supervisor = supervision.of(spec, new LinkListener() {});
        assertThatThrownBy(() -> supervisor.link(PATIENCE))
                .hasMessageContaining("4 attempts")
                .hasMessageContaining("\"no-such-program-here\" in PATH (/");
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void neverStartsADisabledServerUntilItIsEnabled() {
        var script = ServerScript.named("alpha", folder);
        var spec = Supervision.spec(script, limits(10_000, 3), EraChoice.AUTO).withEnabled(false);
        var supervisor = supervision.of(spec, new LinkListener() {});
        supervisor.start();
        supervisor.reconnect();
        var failure =
                catchThrowableOfType(ServerUnavailable.class, () -> supervisor.link(PATIENCE));
        assertThat(failure.trouble().reason()).isEqualTo(Reason.SERVER_DISABLED);
        assertThat(failure.trouble().message()).contains("alpha", "disabled");
        assertThat(supervisor.state().status()).isEqualTo(Status.DISABLED);
        assertThat(comesTrue(() -> script.record().starts() > 0, Duration.ofMillis(300))).isFalse();
        supervisor.enable();
        assertThat(comesTrue(() -> is(supervisor, Status.CONNECTED))).isTrue();
        assertThat(script.record().starts()).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void stopsTryingAtOnceWhenDisabledBetweenAttempts() throws Exception {
        var script = ServerScript.named("alpha", folder).with("exit", 1);
        var spec = Supervision.spec(script, limits(10_000, 10), EraChoice.LEGACY);
        var supervisor = supervision.of(spec, new LinkListener() {});
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting =
                    callers.submit(
                            () ->
                                    catchThrowableOfType(
                                            ServerUnavailable.class,
                                            () -> supervisor.link(PATIENCE)));
            assertThat(comesTrue(() -> supervisor.state().lastError() != null)).isTrue();
            var watch = Stopwatch.start();
            supervisor.disable();
            assertThat(waiting.get().trouble().reason()).isEqualTo(Reason.SERVER_DISABLED);
            assertThat(watch.net()).isLessThan(Duration.ofSeconds(1));
        }
        int starts = script.record().starts();
        assertThat(supervisor.state().status()).isEqualTo(Status.DISABLED);
        assertThat(comesTrue(() -> script.record().starts() > starts, Duration.ofMillis(1_500)))
                .isFalse();
    }

    /** As it is when its server is unregistered, and when the gateway ends. */
    @Test
    @Tag("INV-MCP-ECO-101")
    void stopsTryingAtOnceWhenStoppedBetweenAttempts() throws Exception {
        var script = ServerScript.named("alpha", folder).with("exit", 1);
        var spec = Supervision.spec(script, limits(10_000, 10), EraChoice.LEGACY);
        var supervisor = supervision.of(spec, new LinkListener() {});
        supervisor.start();
        assertThat(comesTrue(() -> supervisor.state().lastError() != null)).isTrue();
        var watch = Stopwatch.start();
        supervisor.stop();
        assertThat(supervisor.awaitEnd(PATIENCE)).isTrue();
        assertThat(watch.net()).isLessThan(Duration.ofSeconds(1));
        int starts = script.record().starts();
        assertThat(supervisor.state().status()).isEqualTo(Status.DISCONNECTED);
        assertThat(comesTrue(() -> script.record().starts() > starts, Duration.ofMillis(1_500)))
                .isFalse();
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void endsTheProcessWhenDisabledDuringTheHandshake() {
        var script = ServerScript.named("alpha", folder).at("initialize=hang");
        var supervisor = supervision.of(script, limits(10_000, 3));
        supervisor.start();
        assertThat(comesTrue(() -> script.record().count("initialize") == 1)).isTrue();
        supervisor.disable();
        var record = script.record();
        assertThat(comesTrue(() -> record.pids().stream().noneMatch(Processes::alive))).isTrue();
        assertThat(supervision.seen).containsExactly(Status.CONNECTING, Status.DISABLED);
    }

    @Test
    @Tag("INV-MCP-ECO-100")
    void lacksPatienceBeforeTheServerDoes() {
        var script = ServerScript.named("alpha", folder).with("start-delay", 1_000);
        var supervisor = supervision.of(script, limits(10_000, 0));
        var failure =
                catchThrowableOfType(
                        ServerUnavailable.class, () -> supervisor.link(Duration.ofMillis(200)));
        assertThat(failure.trouble().reason()).isEqualTo(Reason.CONNECTION_TIMEOUT);
        assertThat(comesTrue(() -> is(supervisor, Status.CONNECTED))).isTrue();
        assertThat(script.record().starts()).isEqualTo(1);
    }

    private static CallOutcome call(Link link, String tool, String arguments)
            throws InterruptedException {
        Json params = Json.of("{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments));
        return link.call("tools/call", params, CallOptions.own(Duration.ofSeconds(10)));
    }
}
