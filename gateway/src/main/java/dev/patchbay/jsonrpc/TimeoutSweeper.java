package dev.patchbay.jsonrpc;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Ends calls whose time is over, by a periodic sweep while there are any. A sweep over all calls
 * costs less than a timer for each: most calls are answered long before their timeout.
 */
final class TimeoutSweeper {
    private static final long SWEEP_INTERVAL_MS = 50;
    private static final ScheduledExecutorService SCHEDULER =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("expiry").factory());

    private final BooleanSupplier sweep;
    private final AtomicBoolean isScheduled = new AtomicBoolean();

    /** A sweeper that runs a sweep, which returns whether calls are left. */
    TimeoutSweeper(BooleanSupplier look) {
        this.sweep = look;
    }

    /** Called when a call with a timeout was started. */
    void ensureScheduled() {
        if (!isScheduled.get() && isScheduled.compareAndSet(false, true)) {
            var _ = SCHEDULER.schedule(this::runSweep, SWEEP_INTERVAL_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void runSweep() {
        boolean isWorkLeft = true; // a sweep that fails is repeated: calls must time out
        try {
            isWorkLeft = sweep.getAsBoolean();
        } finally {
            scheduleNext(isWorkLeft);
        }
    }

    private void scheduleNext(boolean isWorkLeft) {
        if (isWorkLeft) {
            var _ = SCHEDULER.schedule(this::runSweep, SWEEP_INTERVAL_MS, TimeUnit.MILLISECONDS);
            return;
        }
        isScheduled.set(false);
        if (sweep.getAsBoolean()) { // a call was started after the sweep
            ensureScheduled();
        }
    }
}
