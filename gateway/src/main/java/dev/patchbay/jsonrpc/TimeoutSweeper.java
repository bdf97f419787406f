package dev.patchbay.jsonrpc;

import dev.patchbay.time.Ticker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Ends calls whose time is over, by a periodic sweep while there are any. A sweep over all calls
 * costs less than a timer for each: most calls are answered long before their timeout.
 */
final class TimeoutSweeper {
    private static final Duration SWEEP_INTERVAL = Duration.ofMillis(50);

    private final BooleanSupplier sweep;
    private final Ticker ticker;
    private final AtomicBoolean isScheduled = new AtomicBoolean();

    /** A sweeper that runs a sweep, which returns whether calls are left. */
    TimeoutSweeper(BooleanSupplier sweep, Ticker ticker) {
        this.sweep = sweep;
        this.ticker = ticker;
    }

    /** Called when a call with a timeout was started. */
    void ensureScheduled() {
        if (!isScheduled.get() && isScheduled.compareAndSet(false, true)) {
            ticker.schedule(SWEEP_INTERVAL, this::runSweep);
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
            ticker.schedule(SWEEP_INTERVAL, this::runSweep);
            return;
        }
        isScheduled.set(false);
        if (sweep.getAsBoolean()) { // a call was started after the sweep
            ensureScheduled();
        }
    }
}
