package dev.patchbay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.server.StartLimiter.Priority;
import dev.patchbay.time.FakeTicker;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

class StartLimiterTest {
    private final FakeTicker ticker = new FakeTicker();

    @Test
    void releasesThePermitOfABusyServerAfterTheMaximum() throws Exception {
        var limiter = new StartLimiter(1, ticker);
        limiter.acquire(StartLimiterTest::normalPriority).holdWhile(() -> true);
        ticker.advance(Duration.ofMillis(1_999));
        assertThat(becomesTrue(() -> limiter.availablePermits() == 1, 100)).isFalse();
        ticker.advance(Duration.ofMillis(1));
        assertThat(becomesTrue(() -> limiter.availablePermits() == 1, 30_000)).isTrue();
    }

    @Test
    void releasesThePermitOfAnIdleServerAtOnce() throws Exception {
        var limiter = new StartLimiter(1, ticker);
        for (int i = 0; i < 10; i++) {
            limiter.acquire(StartLimiterTest::normalPriority).holdWhile(() -> false);
        }
        assertThat(becomesTrue(() -> limiter.availablePermits() == 1, 30_000)).isTrue();
        assertThat(ticker.nanoTime()).isZero();
    }

    @Test
    void waitForAPermitIsBounded() throws Exception {
        var limiter = new StartLimiter(1, ticker);
        var held = limiter.acquire(StartLimiterTest::normalPriority);
        try (var others = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<StartLimiter.Permit> waiter =
                    others.submit(() -> limiter.acquire(StartLimiterTest::normalPriority));
            ticker.awaitWaiting(1);
            ticker.advance(Duration.ofSeconds(30));
            waiter.get(30, TimeUnit.SECONDS).close();
            assertThat(limiter.availablePermits()).as("it held none").isZero();
        }
        held.close();
    }

    @Test
    void blocksWhileAllPermitsAreTaken() throws Exception {
        var gate = new StartLimiter(2, ticker);
        var first = gate.acquire(StartLimiterTest::normalPriority);
        gate.acquire(StartLimiterTest::normalPriority);
        try (var others = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<StartLimiter.Permit> third =
                    others.submit(() -> gate.acquire(StartLimiterTest::normalPriority));
            assertThat(isAdmitted(third, 100)).isFalse();
            first.close();
            first.close();
            assertThat(isAdmitted(third, 30_000)).isTrue();
            assertThat(gate.availablePermits()).isZero();
        }
    }

    /**
     * A server that somebody calls goes before those that merely start, also if it waited first.
     */
    @Test
    void admitsHigherPriorityFirst() throws Exception {
        var gate = new StartLimiter(1, ticker);
        var held = gate.acquire(StartLimiterTest::normalPriority);
        var turn = new AtomicReference<>(Priority.LOW);
        try (var others = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<StartLimiter.Permit> called = others.submit(() -> gate.acquire(turn::get));
            Future<StartLimiter.Permit> usual =
                    others.submit(() -> gate.acquire(StartLimiterTest::normalPriority));
            assertThat(isAdmitted(called, 100) || isAdmitted(usual, 100)).isFalse();
            held.close();
            assertThat(isAdmitted(usual, 30_000)).isTrue();
            assertThat(isAdmitted(called, 100)).isFalse();
            Future<StartLimiter.Permit> another =
                    others.submit(() -> gate.acquire(StartLimiterTest::normalPriority));
            assertThat(isAdmitted(another, 100)).isFalse();
            turn.set(Priority.HIGH);
            usual.get().close();
            assertThat(isAdmitted(called, 30_000)).isTrue();
            assertThat(isAdmitted(another, 100)).isFalse();
            called.get().close();
            another.get().close();
            assertThat(gate.availablePermits()).isEqualTo(1);
        }
    }

    @Test
    void losesNoPermitToACancelledWaiter() throws Exception {
        var gate = new StartLimiter(1, ticker);
        var held = gate.acquire(StartLimiterTest::normalPriority);
        try (var others = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<StartLimiter.Permit> waiting =
                    others.submit(() -> gate.acquire(StartLimiterTest::normalPriority));
            assertThat(isAdmitted(waiting, 100)).isFalse();
            assertThat(waiting.cancel(true)).isTrue();
        }
        held.close();
        assertThat(gate.availablePermits()).isEqualTo(1);
    }

    private static Priority normalPriority() {
        return Priority.NORMAL;
    }

    private static boolean isAdmitted(Future<?> entry, long patienceMs) throws Exception {
        try {
            entry.get(patienceMs, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException _) {
            return false;
        }
    }

    private static boolean becomesTrue(BooleanSupplier condition, long timeoutMs) {
        long end = System.nanoTime() + Duration.ofMillis(timeoutMs).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }
}
