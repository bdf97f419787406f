package dev.patchbay.jsonrpc;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Looks now and then for what has run out of time, as long as there is anything to look at. A look
 * at all costs less than an alarm for each: most calls are answered long before their time.
 */
final class TimeoutSweeper {
    private static final long SWEEP_INTERVAL_MS = 50;
    private static final ScheduledExecutorService SCHEDULER =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("expiry").factory());

    private final BooleanSupplier sweep;
    private final AtomicBoolean isScheduled = new AtomicBoolean();

    /** Runs a look that ends what is over and says whether something is left. */
    TimeoutSweeper(BooleanSupplier look) {
        this.sweep = look;
    }

    /** Something was begun that can run out of time. */
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
        if (sweep.getAsBoolean()) { // begun between the look and the word that nobody watches
            ensureScheduled();
        }
    }
}
