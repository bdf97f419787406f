package dev.patchbay.http.client.wire;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs an action after a time, unless it is closed before. */
public final class ScheduledTimeout implements AutoCloseable {
    /** One thread for all timeouts: each action is only an interrupt. */
    private static final class Shared {
        private static final ScheduledThreadPoolExecutor TIMER =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("http-deadlines").factory());

        static {
            TIMER.setRemoveOnCancelPolicy(true);
        }
    }

    private final Future<?> task;

    private ScheduledTimeout(Future<?> alarm) {
        this.task = alarm;
    }

    public static ScheduledTimeout after(Duration time, Runnable action) {
        return new ScheduledTimeout(
                Shared.TIMER.schedule(action, time.toNanos(), TimeUnit.NANOSECONDS));
    }

    @Override
    public void close() {
        task.cancel(false);
    }
}
