package dev.patchbay.time;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;

/** The ticker of the machine. */
final class SystemTicker implements Ticker {
    static final SystemTicker INSTANCE = new SystemTicker();

    private SystemTicker() {}

    /** Created with the first scheduled task: the thread costs a start some time. */
    private static final class Scheduler {
        static final ScheduledExecutorService EXECUTOR =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("timer").factory());
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // the caller loops
    public long awaitNanos(Condition condition, long nanos) throws InterruptedException {
        return condition.awaitNanos(nanos);
    }

    @Override
    public boolean await(CountDownLatch latch, Duration timeout) throws InterruptedException {
        return latch.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
        LockSupport.parkNanos(blocker, nanos);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        boolean _ = new CountDownLatch(1).await(duration.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void schedule(Duration delay, Runnable task) {
        var _ = Scheduler.EXECUTOR.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }
}
