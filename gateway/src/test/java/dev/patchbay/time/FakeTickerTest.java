package dev.patchbay.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

class FakeTickerTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final FakeTicker ticker = new FakeTicker();

    @Test
    void timePassesOnlyWhenAdvanced() {
        long before = ticker.nanoTime();
        assertThat(ticker.nanoTime()).isEqualTo(before);
        ticker.advance(HOUR);
        assertThat(ticker.nanoTime() - before).isEqualTo(HOUR.toNanos());
    }

    @Test
    void sleepEndsWhenItsTimeHasPassed() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var sleeper =
                    threads.submit(
                            () -> {
                                ticker.sleep(HOUR);
                                return ticker.nanoTime();
                            });
            ticker.awaitWaiting(1);
            ticker.advance(HOUR.minusNanos(1));
            assertThat(sleeper.isDone()).isFalse();
            ticker.advance(Duration.ofNanos(1));
            assertThat(sleeper.get(30, TimeUnit.SECONDS)).isEqualTo(HOUR.toNanos());
        }
    }

    @Test
    void latchEndsAWaitBeforeItsTimeHasPassed() throws Exception {
        var latch = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiter = threads.submit(() -> ticker.await(latch, HOUR));
            ticker.awaitWaiting(1);
            latch.countDown();
            assertThat(waiter.get(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(ticker.await(new CountDownLatch(1), Duration.ZERO)).isFalse();
    }

    @Test
    void conditionWaitReportsTheTimeThatIsLeft() throws Exception {
        var lock = new ReentrantLock();
        var condition = lock.newCondition();
        lock.lock();
        try {
            assertThat(ticker.awaitNanos(condition, 5)).isEqualTo(5);
            assertThat(ticker.awaitNanos(condition, 0)).isZero();
        } finally {
            lock.unlock();
        }
    }

    @Test
    void scheduledTasksRunInOrderAtTheirOwnTime() {
        List<String> run = new ArrayList<>();
        ticker.schedule(HOUR, () -> run.add("late " + ticker.nanoTime()));
        ticker.schedule(Duration.ofNanos(2), () -> run.add("early " + ticker.nanoTime()));
        ticker.schedule(
                Duration.ofNanos(3),
                () -> ticker.schedule(Duration.ofNanos(4), () -> run.add("nested")));
        ticker.advance(Duration.ofNanos(10));
        assertThat(run).containsExactly("early 2", "nested");
        ticker.advance(HOUR);
        assertThat(run).endsWith("late " + HOUR.toNanos());
    }
}
