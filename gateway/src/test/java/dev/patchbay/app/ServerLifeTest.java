package dev.patchbay.app;

import static dev.patchbay.app.Supervision.PATIENCE;
import static dev.patchbay.app.Supervision.comesTrue;
import static dev.patchbay.app.Supervision.is;
import static dev.patchbay.app.Supervision.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.server.CallOptions;
import dev.patchbay.server.Link;
import dev.patchbay.server.LinkListener;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.Supervisor;
import dev.patchbay.testkit.Processes;
import dev.patchbay.testkit.ServerRecord;
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
class ServerLifeTest {
    @TempDir Path folder;
    private final Supervision supervision = new Supervision();

    @AfterEach
    void endEverything() {
        supervision.close();
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void noticesAKilledServerWithinATenthOfASecondAndStartsItAgain() throws Exception {
        var script = ServerScript.named("alpha", folder).tools("hang");
        var supervisor = supervision.of(script, limits(10_000, 3));
        Link link = supervisor.link(PATIENCE);
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<Future<CallOutcome>>();
            for (int i = 0; i < 50; i++) {
                calls.add(callers.submit(() -> call(link, "hang", "{}", 30_000)));
            }
            assertThat(comesTrue(() -> script.record().calls("hang").size() == 50)).isTrue();
            long pid = script.record().pids().getFirst();
            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
            assertThat(comesTrue(() -> !Processes.alive(pid))).isTrue();
            var death = Stopwatch.start();
            assertThat(comesTrue(() -> !is(supervisor, Status.CONNECTED))).isTrue();
            assertThat(death.net()).isLessThan(Duration.ofMillis(100));
            for (var call : calls) {
                assertThat(call.get())
                        .isInstanceOfSatisfying(
                                CallOutcome.Lost.class,
                                lost -> assertThat(lost.why()).contains("SIGKILL"));
            }
            assertThat(death.net()).isLessThan(Duration.ofMillis(500));
        }
        var death = Stopwatch.start();
        assertThat(comesTrue(() -> is(supervisor, Status.CONNECTED))).isTrue();
        assertThat(death.net()).isLessThan(Duration.ofSeconds(5));
        assertThat(script.record().starts()).isEqualTo(2);
        assertThat(script.record().calls("hang")).hasSize(50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"closeStdout", "partialThenExit", "crash", "signal"})
    @Tag("INV-MCP-ECO-200")
    void losesTheCallAndTheServerTogether(String tool) throws Exception {
        var script = ServerScript.named("alpha", folder).tools(tool, "echo");
        var supervisor = supervision.of(script, limits(10_000, 3));
        Link link = supervisor.link(PATIENCE);
        assertThat(call(link, tool, "{}", 10_000)).isInstanceOf(CallOutcome.Lost.class);
        assertThat(comesTrue(() -> script.record().starts() == 2)).isTrue();
        long first = script.record().pids().getFirst();
        assertThat(comesTrue(() -> !Processes.alive(first))).isTrue();
        assertThat(comesTrue(() -> is(supervisor, Status.CONNECTED))).isTrue();
        assertThat(call(supervisor.link(PATIENCE), "echo", "{}", 10_000))
                .isInstanceOf(CallOutcome.Result.class);
    }

    @Test
    void takesAServerThatClosedItsInputForDead() throws Exception {
        var script = ServerScript.named("alpha", folder).tools("closeStdin", "echo");
        var supervisor = supervision.of(script, limits(10_000, 3));
        Link link = supervisor.link(PATIENCE);
        call(link, "closeStdin", "{}", 1_000);
        assertThat(call(link, "echo", "{}", 10_000))
                .isInstanceOfAny(CallOutcome.Lost.class, CallOutcome.NotSent.class);
        assertThat(comesTrue(() -> script.record().starts() == 2)).isTrue();
    }

    @Test
    @Tag("INV-MCP-ECO-101")
    void doesNotStartAServerWithoutEndThatDiesSoonAfterItsStart() throws Exception {
        supervision.withoutPauses();
        var script = ServerScript.named("alpha", folder).with("die-after", 100);
        var supervisor = supervision.of(script, limits(10_000, 2));
        supervisor.start();
        assertThat(comesTrue(() -> endedTooOften(supervisor))).isTrue();
        assertThat(comesTrue(() -> script.record().starts() > 3, Duration.ofMillis(500))).isFalse();
        assertThat(script.record().starts()).isEqualTo(3);
        assertThat(supervision.pauses).hasSize(2);
        supervisor.link(PATIENCE);
        assertThat(script.record().starts()).isGreaterThan(3);
    }

    private static boolean endedTooOften(Supervisor supervisor) {
        String error = Supervision.error(supervisor);
        return error != null && error.contains("too often");
    }

    @Test
    @Tag("INV-MCP-ECO-201")
    void endsAServerAndItsCallsWhenItIsDisabled() throws Exception {
        var script =
                ServerScript.named("alpha", folder)
                        .tools("hang")
                        .with("ignore-term")
                        .with("ignore-eof")
                        .with("grandchild", "pipes");
        var supervisor = supervision.of(script, limits(10_000, 3));
        Link link = supervisor.link(PATIENCE);
        ServerRecord record = script.record();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var call = callers.submit(() -> call(link, "hang", "{}", 30_000));
            assertThat(comesTrue(() -> record.calls("hang").size() == 1)).isTrue();
            var watch = Stopwatch.start();
            supervisor.disable();
            assertThat(call.get()).isInstanceOf(CallOutcome.Lost.class);
            assertThat(watch.net()).isLessThan(Duration.ofMillis(500));
        }
        assertThat(supervisor.state().status()).isEqualTo(Status.DISABLED);
        var end = Stopwatch.start();
        assertThat(supervisor.awaitEnd(PATIENCE)).isTrue();
        assertThat(end.net()).isLessThan(Duration.ofSeconds(5));
        assertThat(record.grandchildren()).hasSize(1);
        assertThat(comesTrue(() -> record.grandchildren().stream().noneMatch(Processes::alive)))
                .isTrue();
        assertThatThrownBy(() -> supervisor.link(PATIENCE)).hasMessageContaining("disabled");
        assertThat(record.starts()).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-100")
    void freesACallToAServerThatDoesNotReadAtItsDeadline() throws Exception {
        var script = ServerScript.named("alpha", folder).with("deaf");
        var supervisor = supervision.of(script, limits(10_000, 0));
        Link link = supervisor.link(PATIENCE);
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
                                CallOutcome.Lost.class);
            }
        }
        assertThat(watch.net()).isLessThan(Duration.ofSeconds(2));
        assertThat(watch.elapsed()).isGreaterThan(Duration.ofMillis(1_350));
        assertThat(comesTrue(() -> !Processes.alive(script.record().pids().getFirst()))).isTrue();
        assertThat(comesTrue(() -> !is(supervisor, Status.CONNECTED))).isTrue();
        assertThat(comesTrue(() -> threads("write alpha") == 0)).isTrue();
    }

    private static long threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .count();
    }

    @Test
    void isNotHeldUpByAFloodOfErrors() throws Exception {
        var script = ServerScript.named("alpha", folder).with("stderr-flood", 20_000_000);
        Link link = supervision.of(script, limits(10_000, 0)).link(PATIENCE);
        assertThat(call(link, "echo", "{}", 10_000)).isInstanceOf(CallOutcome.Result.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"banner", "jsonlog", "garbage", "badutf8", "nul", "blank"})
    void passesOverWhatIsNoMessage(String noise) throws Exception {
        var script = ServerScript.named("alpha", folder).with("before", noise).with("among", noise);
        Link link = supervision.of(script, limits(10_000, 0)).link(PATIENCE);
        for (int i = 0; i < 5; i++) {
            assertThat(call(link, "echo", "{}", 10_000)).isInstanceOf(CallOutcome.Result.class);
        }
        assertThat(script.record().starts()).isEqualTo(1);
        assertThat(script.record().violations()).isEmpty();
    }

    @Test
    void endsAServerThatWritesNothingButNoise() throws Exception {
        var script = ServerScript.named("alpha", folder).with("flood", 50_000_000);
        var supervisor = supervision.of(script, limits(10_000, 0));
        supervisor.start();
        assertThat(
                        comesTrue(
                                () -> {
                                    String error = Supervision.error(supervisor);
                                    return error != null && error.contains("no message");
                                }))
                .isTrue();
        assertThat(comesTrue(() -> !Processes.alive(script.record().pids().getFirst()))).isTrue();
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
    void fallsForNoBrokenAnswerAndGoesOn(String fault) throws Exception {
        var script = ServerScript.named("alpha", folder).tools(fault, "echo");
        Link link = supervision.of(script, limits(10_000, 0)).link(PATIENCE);
        var watch = Stopwatch.start();
        assertThat(call(link, fault, "{}", 10_000)).isInstanceOf(CallOutcome.Invalid.class);
        assertThat(watch.net()).isLessThan(Duration.ofSeconds(1));
        assertThat(call(link, "echo", "{}", 10_000)).isInstanceOf(CallOutcome.Result.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"wrongId", "stringId", "floatId", "nullId", "noId"})
    void takesNoAnswerUnderAnotherIdThanItsOwn(String fault) throws Exception {
        var script = ServerScript.named("alpha", folder).tools(fault, "twice", "batch", "echo");
        Link link = supervision.of(script, limits(10_000, 0)).link(PATIENCE);
        assertThat(call(link, fault, "{}", 500)).isInstanceOf(CallOutcome.TimedOut.class);
        assertThat(call(link, "twice", "{}", 10_000)).isInstanceOf(CallOutcome.Result.class);
        assertThat(call(link, "batch", "{}", 10_000)).isInstanceOf(CallOutcome.Result.class);
        assertThat(call(link, "echo", "{}", 10_000)).isInstanceOf(CallOutcome.Result.class);
        assertThat(script.record().cancels()).hasSize(1);
        assertThat(script.record().violations()).isEmpty();
    }

    @Test
    void losesOnlyTheCallWhoseAnswerIsTooLong() throws Exception {
        var script = ServerScript.named("alpha", folder).tools("big", "echo");
        Link link = supervision.of(script, limits(10_000, 0)).link(PATIENCE);
        assertThat(call(link, "big", "{\"bytes\":100000000}", 20_000))
                .isInstanceOf(CallOutcome.Invalid.class);
        assertThat(call(link, "echo", "{}", 10_000)).isInstanceOf(CallOutcome.Result.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"legacy", "modern"})
    void hearsThatAListChangedInBothEras(String era) throws Exception {
        var script =
                ServerScript.named("alpha", folder)
                        .era(era)
                        .tools("changed")
                        .with("capabilities", "{\"tools\":{\"listChanged\":true}}");
        var heard = new CopyOnWriteArrayList<String>();
        var listener =
                new LinkListener() {
                    @Override
                    public void listChanged(ServerId server, String list) {
                        heard.add(server + " " + list);
                    }
                };
        var spec = Supervision.spec(script, limits(10_000, 0), EraChoice.AUTO);
        Link link = supervision.of(spec, listener).link(PATIENCE);
        if (era.equals("modern")) {
            assertThat(comesTrue(() -> script.record().count("subscriptions/listen") == 1))
                    .isTrue();
        }
        call(link, "changed", "{}", 10_000);
        assertThat(comesTrue(() -> heard.contains("alpha tools"))).isTrue();
    }

    private static CallOutcome call(Link link, String tool, String arguments, long timeoutMs)
            throws InterruptedException {
        Json params = Json.of("{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments));
        return link.call("tools/call", params, CallOptions.own(Duration.ofMillis(timeoutMs)));
    }
}
