package dev.patchbay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.server.StartGate.Turn;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

class StartGateTest {
    @Test
    void lastsNoPlaceForOneThatWorksForEver() throws Exception {
        var gate = new StartGate(1);
        var watch = Stopwatch.start();
        gate.enter(StartGateTest::usual).holdWhile(() -> true);
        gate.enter(StartGateTest::usual).close();
        assertThat(watch.net()).isLessThan(Duration.ofSeconds(3));
        assertThat(watch.elapsed()).isGreaterThan(Duration.ofMillis(1_900));
    }

    @Test
    void givesThePlaceOfASilentOneToTheNextAtOnce() throws Exception {
        var gate = new StartGate(1);
        var watch = Stopwatch.start();
        for (int i = 0; i < 10; i++) {
            gate.enter(StartGateTest::usual).holdWhile(() -> false);
        }
        gate.enter(StartGateTest::usual).close();
        assertThat(watch.net()).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void letsNobodyInWhileAllPlacesAreTaken() throws Exception {
        var gate = new StartGate(2);
        var first = gate.enter(StartGateTest::usual);
        gate.enter(StartGateTest::usual);
        try (var others = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<StartGate.Pass> third = others.submit(() -> gate.enter(StartGateTest::usual));
            assertThat(hasPassed(third, 100)).isFalse();
            first.close();
            first.close();
            assertThat(hasPassed(third, 30_000)).isTrue();
            assertThat(gate.free()).isZero();
        }
    }

    /**
     * A server that somebody calls goes before those that merely start, also if it waited first.
     */
    @Test
    void letsInFirstWhomSomebodyWaitsFor() throws Exception {
        var gate = new StartGate(1);
        var held = gate.enter(StartGateTest::usual);
        var turn = new AtomicReference<>(Turn.LAST);
        try (var others = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<StartGate.Pass> called = others.submit(() -> gate.enter(turn::get));
            Future<StartGate.Pass> usual = others.submit(() -> gate.enter(StartGateTest::usual));
            assertThat(hasPassed(called, 100) || hasPassed(usual, 100)).isFalse();
            held.close();
            assertThat(hasPassed(usual, 30_000)).isTrue();
            assertThat(hasPassed(called, 100)).isFalse();
            Future<StartGate.Pass> another = others.submit(() -> gate.enter(StartGateTest::usual));
            assertThat(hasPassed(another, 100)).isFalse();
            turn.set(Turn.FIRST);
            usual.get().close();
            assertThat(hasPassed(called, 30_000)).isTrue();
            assertThat(hasPassed(another, 100)).isFalse();
            called.get().close();
            another.get().close();
            assertThat(gate.free()).isEqualTo(1);
        }
    }

    @Test
    void losesNoPlaceToOneThatGaveUpWaiting() throws Exception {
        var gate = new StartGate(1);
        var held = gate.enter(StartGateTest::usual);
        try (var others = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<StartGate.Pass> waiting = others.submit(() -> gate.enter(StartGateTest::usual));
            assertThat(hasPassed(waiting, 100)).isFalse();
            assertThat(waiting.cancel(true)).isTrue();
        }
        held.close();
        assertThat(gate.free()).isEqualTo(1);
    }

    private static Turn usual() {
        return Turn.USUAL;
    }

    private static boolean hasPassed(Future<?> entry, long patienceMs) throws Exception {
        try {
            entry.get(patienceMs, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException _) {
            return false;
        }
    }
}
