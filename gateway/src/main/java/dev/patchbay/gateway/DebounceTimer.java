package dev.patchbay.gateway;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs short tasks of the gateway with a delay. They must not block. */
final class DebounceTimer {
    private final ScheduledThreadPoolExecutor executor;

    DebounceTimer() {
        executor =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("patchbay-timer").factory());
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setRejectedExecutionHandler((_, _) -> {}); // The gateway is closed.
    }

    /** A task that runs once for all triggers within a period. */
    final class Debouncer {
        private final Duration delay;
        private final Runnable task;
        private final AtomicBoolean pending = new AtomicBoolean();

        private Debouncer(Duration delay, Runnable task) {
            this.delay = delay;
            this.task = task;
        }

        void trigger() {
            if (pending.compareAndSet(false, true)) {
                var _ = executor.schedule(this::run, delay.toNanos(), TimeUnit.NANOSECONDS);
            }
        }

        private void run() {
            pending.set(false);
            task.run();
        }
    }

    Debouncer debouncer(Duration delay, Runnable task) {
        return new Debouncer(delay, task);
    }

    void close() {
        executor.shutdownNow();
    }
}
