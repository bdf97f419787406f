package dev.patchbay.http;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Does something when time is up, unless it is called off before. */
final class Deadlines implements AutoCloseable {
    /** One thread for all: what is done at a deadline is only an interrupt. */
    private static final class Shared {
        private static final ScheduledThreadPoolExecutor TIMER =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("http-deadlines").factory());

        static {
            TIMER.setRemoveOnCancelPolicy(true);
        }
    }

    private final Future<?> alarm;

    private Deadlines(Future<?> alarm) {
        this.alarm = alarm;
    }

    static Deadlines after(Duration time, Runnable action) {
        return new Deadlines(Shared.TIMER.schedule(action, time.toNanos(), TimeUnit.NANOSECONDS));
    }

    @Override
    public void close() {
        alarm.cancel(false);
    }
}
