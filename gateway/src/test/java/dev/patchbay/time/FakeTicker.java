package dev.patchbay.time;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;

/**
 * A ticker whose time passes only when a test says so. A thread that waits looks at the fake time
 * once every real millisecond, so it never misses that the time was advanced.
 */
public final class FakeTicker implements Ticker {
    private static final long POLL_NANOS = 1_000_000;
    private static final Duration REAL_WAIT_MAX = Duration.ofSeconds(30);

    private record ScheduledTask(long dueNanos, long number, Runnable task) {}

    private final PriorityQueue<ScheduledTask> tasks =
            new PriorityQueue<>(
                    Comparator.comparingLong(ScheduledTask::dueNanos)
                            .thenComparingLong(ScheduledTask::number));
    private final AtomicInteger waiting = new AtomicInteger();
    private long taskCount;
    private volatile long now;

    /**
     * Lets time pass. Tasks that fall due run here, in their order, each at its own time; threads
     * that wait notice soon after.
     */
    public void advance(Duration duration) {
        long target = now + duration.toNanos();
        for (ScheduledTask due = nextDue(target); due != null; due = nextDue(target)) {
            due.task.run();
        }
        now = target;
    }

    private synchronized ScheduledTask nextDue(long target) {
        ScheduledTask first = tasks.peek();
        if (first == null || first.dueNanos > target) {
            return null;
        }
        now = Math.max(now, first.dueNanos);
        return tasks.poll();
    }

    /** How many threads wait for time to pass. */
    public int waitingCount() {
        return waiting.get();
    }

    /** Waits, in real time, until so many threads wait for fake time to pass. */
    public void awaitWaiting(int count) {
        long end = System.nanoTime() + REAL_WAIT_MAX.toNanos();
        while (waiting.get() < count) {
            if (System.nanoTime() > end) {
                throw new AssertionError(waiting.get() + " threads wait, not " + count);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // the caller loops
    public long awaitNanos(Condition condition, long nanos) throws InterruptedException {
        long deadline = now + nanos;
        waiting.incrementAndGet();
        try {
            if (nanos > 0) {
                long _ = condition.awaitNanos(POLL_NANOS);
            }
            return deadline - now;
        } finally {
            waiting.decrementAndGet();
        }
    }

    @Override
    public boolean await(CountDownLatch latch, Duration timeout) throws InterruptedException {
        long deadline = now + timeout.toNanos();
        waiting.incrementAndGet();
        try {
            while (now < deadline) {
                if (latch.await(POLL_NANOS, TimeUnit.NANOSECONDS)) {
                    return true;
                }
            }
            return latch.getCount() == 0;
        } finally {
            waiting.decrementAndGet();
        }
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
        if (nanos > 0) {
            waiting.incrementAndGet();
            try {
                LockSupport.parkNanos(blocker, POLL_NANOS);
            } finally {
                waiting.decrementAndGet();
            }
        }
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        boolean _ = await(new CountDownLatch(1), duration);
    }

    @Override
    public synchronized void schedule(Duration delay, Runnable task) {
        tasks.add(new ScheduledTask(now + delay.toNanos(), taskCount++, task));
    }
}
