package dev.patchbay.time;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;

/** Real time, except that a sleep is only recorded and returns at once. */
public final class SleeplessTicker implements Ticker {
    public final List<Duration> sleeps = new CopyOnWriteArrayList<>();
    private final Ticker real = Ticker.system();
    private final AtomicLong advancedNanos = new AtomicLong();

    /** Lets time pass for those who measure it; waits that are under way do not notice. */
    public void advance(Duration duration) {
        long _ = advancedNanos.addAndGet(duration.toNanos());
    }

    @Override
    public void sleep(Duration duration) {
        sleeps.add(duration);
    }

    @Override
    public long nanoTime() {
        return real.nanoTime() + advancedNanos.get();
    }

    @Override
    public long awaitNanos(Condition condition, long nanos) throws InterruptedException {
        return real.awaitNanos(condition, nanos);
    }

    @Override
    public boolean await(CountDownLatch latch, Duration timeout) throws InterruptedException {
        return real.await(latch, timeout);
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
        real.parkNanos(blocker, nanos);
    }

    @Override
    public void schedule(Duration delay, Runnable task) {
        real.schedule(delay, task);
    }
}
