package dev.patchbay.gateway;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs short tasks of the gateway a little later. What it runs must not wait. */
final class Timer {
    private final ScheduledThreadPoolExecutor thread;

    Timer() {
        thread =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("patchbay-timer").factory());
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.setRejectedExecutionHandler((_, _) -> {}); // The gateway is closed.
    }

    /** A task that runs once for all the times it was rung for within a while. */
    final class Bell {
        private final Duration delay;
        private final Runnable task;
        private final AtomicBoolean pending = new AtomicBoolean();

        private Bell(Duration delay, Runnable task) {
            this.delay = delay;
            this.task = task;
        }

        void ring() {
            if (pending.compareAndSet(false, true)) {
                var _ = thread.schedule(this::sound, delay.toNanos(), TimeUnit.NANOSECONDS);
            }
        }

        private void sound() {
            pending.set(false);
            task.run();
        }
    }

    Bell bell(Duration delay, Runnable task) {
        return new Bell(delay, task);
    }

    void close() {
        thread.shutdownNow();
    }
}
