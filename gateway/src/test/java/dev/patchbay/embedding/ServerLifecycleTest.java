package dev.patchbay.embedding;

import static dev.patchbay.embedding.SupervisorFixture.TIMEOUT;
import static dev.patchbay.embedding.SupervisorFixture.becomesTrue;
import static dev.patchbay.embedding.SupervisorFixture.hasStatus;
import static dev.patchbay.embedding.SupervisorFixture.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.server.CallOptions;
import dev.patchbay.server.ServerEventListener;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSession;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.Supervisor;
import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.ServerRecording;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What happens to a connected server, by its own fault or by order. */
@Tag("slow")
class ServerLifecycleTest {
    @TempDir Path folder;
    private final SupervisorFixture fixture = new SupervisorFixture();

    @AfterEach
    void endEverything() {
        fixture.close();
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void detectsKilledServerWithin100MsAndRestartsIt() throws Exception {
        var script = ServerScript.named("alpha", folder).tools("hang");
        var supervisor = fixture.supervise(script, limits(10_000, 3));
        ServerSession link = supervisor.session(TIMEOUT);
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<Future<CallOutcome>>();
            for (int i = 0; i < 50; i++) {
                calls.add(callers.submit(() -> call(link, "hang", "{}", 30_000)));
            }
            assertThat(becomesTrue(() -> script.recording().callArguments("hang").size() == 50))
                    .isTrue();
            long pid = script.recording().pids().getFirst();
            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
            assertThat(becomesTrue(() -> !ProcessInspector.isAlive(pid))).isTrue();
            var death = Stopwatch.start();
            assertThat(becomesTrue(() -> !hasStatus(supervisor, Status.CONNECTED))).isTrue();
            assertThat(death.activeTime()).isLessThan(Duration.ofMillis(100));
            for (var call : calls) {
                assertThat(call.get())
                        .isInstanceOfSatisfying(
                                CallOutcome.ConnectionLost.class,
                                lost -> assertThat(lost.reason()).contains("SIGKILL"));
            }
            assertThat(death.activeTime()).isLessThan(Duration.ofMillis(500));
        }
        var death = Stopwatch.start();
        assertThat(becomesTrue(() -> hasStatus(supervisor, Status.CONNECTED))).isTrue();
        assertThat(death.activeTime()).isLessThan(Duration.ofSeconds(5));
        assertThat(script.recording().startCount()).isEqualTo(2);
        assertThat(script.recording().callArguments("hang")).hasSize(50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"closeStdout", "partialThenExit", "crash", "signal"})
    @Tag("INV-MCP-ECO-200")
    void failedServerLosesCallAndRestarts(String tool) throws Exception {
        var script = ServerScript.named("alpha", folder).tools(tool, "echo");
        var supervisor = fixture.supervise(script, limits(10_000, 3));
        ServerSession link = supervisor.session(TIMEOUT);
        assertThat(call(link, tool, "{}", 10_000)).isInstanceOf(CallOutcome.ConnectionLost.class);
        assertThat(becomesTrue(() -> script.recording().startCount() == 2)).isTrue();
        long first = script.recording().pids().getFirst();
        assertThat(becomesTrue(() -> !ProcessInspector.isAlive(first))).isTrue();
        assertThat(becomesTrue(() -> hasStatus(supervisor, Status.CONNECTED))).isTrue();
        assertThat(call(supervisor.session(TIMEOUT), "echo", "{}", 10_000))
                .isInstanceOf(CallOutcome.Result.class);
    }

    @Test
    void restartsServerThatClosedItsInput() throws Exception {
        var script = ServerScript.named("alpha", folder).tools("closeStdin", "echo");
        var supervisor = fixture.supervise(script, limits(10_000, 3));
        ServerSession link = supervisor.session(TIMEOUT);
        call(link, "closeStdin", "{}", 1_000);
        assertThat(call(link, "echo", "{}", 10_000))
                .isInstanceOfAny(CallOutcome.ConnectionLost.class, CallOutcome.Unreachable.class);
        assertThat(becomesTrue(() -> script.recording().startCount() == 2)).isTrue();
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void limitsRestartsOfServerThatExitsSoonAfterStart() throws Exception {
        fixture.withoutPauses();
        var script = ServerScript.named("alpha", folder).withOption("die-after", 100);
        var supervisor = fixture.supervise(script, limits(10_000, 2));
        supervisor.start();
        assertThat(becomesTrue(() -> hasEndedTooOften(supervisor))).isTrue();
        assertThat(becomesTrue(() -> script.recording().startCount() > 3, Duration.ofMillis(500)))
                .isFalse();
        assertThat(script.recording().startCount()).isEqualTo(3);
        assertThat(fixture.pauses).hasSize(2);
        supervisor.session(TIMEOUT);
        assertThat(script.recording().startCount()).isGreaterThan(3);
    }

    private static boolean hasEndedTooOften(Supervisor supervisor) {
        String error = SupervisorFixture.lastErrorMessage(supervisor);
        return error != null && error.contains("too often");
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void disablingEndsServerAndItsCalls() throws Exception {
        var script =
                ServerScript.named("alpha", folder)
                        .tools("hang")
                        .withOption("ignore-term")
                        .withOption("ignore-eof")
                        .withOption("grandchild", "pipes");
        var supervisor = fixture.supervise(script, limits(10_000, 3));
        ServerSession link = supervisor.session(TIMEOUT);
        ServerRecording record = script.recording();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var call = callers.submit(() -> call(link, "hang", "{}", 30_000));
            assertThat(becomesTrue(() -> record.callArguments("hang").size() == 1)).isTrue();
            var watch = Stopwatch.start();
            supervisor.disable();
            assertThat(call.get()).isInstanceOf(CallOutcome.ConnectionLost.class);
            assertThat(watch.activeTime()).isLessThan(Duration.ofMillis(500));
        }
        assertThat(supervisor.state().status()).isEqualTo(Status.DISABLED);
        var end = Stopwatch.start();
        assertThat(supervisor.awaitEnd(TIMEOUT)).isTrue();
        assertThat(end.activeTime()).isLessThan(Duration.ofSeconds(5));
        assertThat(record.grandchildPids()).hasSize(1);
        assertThat(
                        becomesTrue(
                                () ->
                                        record.grandchildPids().stream()
                                                .noneMatch(ProcessInspector::isAlive)))
                .isTrue();
        assertThatThrownBy(() -> supervisor.session(TIMEOUT)).hasMessageContaining("disabled");
        assertThat(record.startCount()).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-100")
    void callTimesOutWhenServerDoesNotRead() throws Exception {
        var script = ServerScript.named("alpha", folder).withOption("deaf");
        var supervisor = fixture.supervise(script, limits(10_000, 0));
        ServerSession link = supervisor.session(TIMEOUT);
        String text = "\"" + "x".repeat(1 << 20) + "\"";
        var watch = Stopwatch.start();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<Future<CallOutcome>>();
            for (int i = 0; i < 40; i++) {
                calls.add(
                        callers.submit(() -> call(link, "echo", "{\"text\":" + text + "}", 1_500)));
            }
            for (var call : calls) {
                assertThat(call.get())
                        .isInstanceOfAny(
                                CallOutcome.TimedOut.class,
                                CallOutcome.NotSent.class,
                                CallOutcome.Unreachable.class,
                                CallOutcome.ConnectionLost.class);
            }
        }
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(2));
        assertThat(watch.elapsed()).isGreaterThan(Duration.ofMillis(1_350));
        assertThat(
                        becomesTrue(
                                () ->
                                        !ProcessInspector.isAlive(
                                                script.recording().pids().getFirst())))
                .isTrue();
        assertThat(becomesTrue(() -> !hasStatus(supervisor, Status.CONNECTED))).isTrue();
        assertThat(becomesTrue(() -> countThreads("write alpha") == 0)).isTrue();
    }

    private static long countThreads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .count();
    }

    @Test
    void stderrFloodDoesNotBlockCalls() throws Exception {
        var script = ServerScript.named("alpha", folder).withOption("stderr-flood", 20_000_000);
        ServerSession link = fixture.supervise(script, limits(10_000, 0)).session(TIMEOUT);
        assertThat(call(link, "echo", "{}", 10_000)).isInstanceOf(CallOutcome.Result.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"banner", "jsonlog", "garbage", "badutf8", "nul", "blank"})
    void ignoresLinesThatAreNotMessages(String noise) throws Exception {
        var script =
                ServerScript.named("alpha", folder)
                        .withOption("before", noise)
                        .withOption("among", noise);
        ServerSession link = fixture.supervise(script, limits(10_000, 0)).session(TIMEOUT);
        for (int i = 0; i < 5; i++) {
            assertThat(call(link, "echo", "{}", 10_000)).isInstanceOf(CallOutcome.Result.class);
        }
        assertThat(script.recording().startCount()).isEqualTo(1);
        assertThat(script.recording().violations()).isEmpty();
    }

    @Test
    void endsServerThatWritesOnlyStrayOutput() throws Exception {
        var script = ServerScript.named("alpha", folder).withOption("flood", 50_000_000);
        var supervisor = fixture.supervise(script, limits(10_000, 0));
        supervisor.start();
        assertThat(
                        becomesTrue(
                                () -> {
                                    String error = SupervisorFixture.lastErrorMessage(supervisor);
                                    return error != null && error.contains("not a message");
                                }))
                .isTrue();
        assertThat(
                        becomesTrue(
                                () ->
                                        !ProcessInspector.isAlive(
                                                script.recording().pids().getFirst())))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "both",
                "neither",
                "nullResult",
                "arrayResult",
                "emptyError",
                "nullError",
                "badError",
                "bigCode",
                "noVersion",
                "duplicateKeys"
            })
    void rejectsInvalidResponseAndContinues(String fault) throws Exception {
        var script = ServerScript.named("alpha", folder).tools(fault, "echo");
        ServerSession link = fixture.supervise(script, limits(10_000, 0)).session(TIMEOUT);
        var watch = Stopwatch.start();
        assertThat(call(link, fault, "{}", 10_000)).isInstanceOf(CallOutcome.InvalidResponse.class);
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(1));
        assertThat(call(link, "echo", "{}", 10_000)).isInstanceOf(CallOutcome.Result.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"wrongId", "stringId", "floatId", "nullId", "noId"})
    void ignoresResponseWithWrongId(String fault) throws Exception {
        var script = ServerScript.named("alpha", folder).tools(fault, "twice", "batch", "echo");
        ServerSession link = fixture.supervise(script, limits(10_000, 0)).session(TIMEOUT);
        assertThat(call(link, fault, "{}", 500)).isInstanceOf(CallOutcome.TimedOut.class);
        assertThat(call(link, "twice", "{}", 10_000)).isInstanceOf(CallOutcome.Result.class);
        assertThat(call(link, "batch", "{}", 10_000)).isInstanceOf(CallOutcome.Result.class);
        assertThat(call(link, "echo", "{}", 10_000)).isInstanceOf(CallOutcome.Result.class);
        assertThat(script.recording().cancelledIds()).hasSize(1);
        assertThat(script.recording().violations()).isEmpty();
    }

    @Test
    void failsOnlyTheCallWithTooLargeResponse() throws Exception {
        var script = ServerScript.named("alpha", folder).tools("big", "echo");
        ServerSession link = fixture.supervise(script, limits(10_000, 0)).session(TIMEOUT);
        assertThat(call(link, "big", "{\"bytes\":100000000}", 20_000))
                .isInstanceOf(CallOutcome.InvalidResponse.class);
        assertThat(call(link, "echo", "{}", 10_000)).isInstanceOf(CallOutcome.Result.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"legacy", "modern"})
    void receivesListChangedInBothEras(String era) throws Exception {
        var script =
                ServerScript.named("alpha", folder)
                        .era(era)
                        .tools("changed")
                        .withOption("capabilities", "{\"tools\":{\"listChanged\":true}}");
        var heard = new CopyOnWriteArrayList<String>();
        var listener =
                new ServerEventListener() {
                    @Override
                    public void onListChanged(ServerId server, String list) {
                        heard.add(server + " " + list);
                    }
                };
        var spec = SupervisorFixture.spec(script, limits(10_000, 0), EraChoice.AUTO);
        ServerSession link = fixture.supervise(spec, listener).session(TIMEOUT);
        if (era.equals("modern")) {
            assertThat(
                            becomesTrue(
                                    () ->
                                            script.recording().receivedCount("subscriptions/listen")
                                                    == 1))
                    .isTrue();
        }
        call(link, "changed", "{}", 10_000);
        assertThat(becomesTrue(() -> heard.contains("alpha tools"))).isTrue();
    }

    private static CallOutcome call(
            ServerSession link, String tool, String arguments, long timeoutMs)
            throws InterruptedException {
        Json params = Json.of("{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments));
        return link.call("tools/call", params, CallOptions.internal(Duration.ofMillis(timeoutMs)));
    }
}
