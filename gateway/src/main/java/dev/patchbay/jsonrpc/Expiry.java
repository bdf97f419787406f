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
final class Expiry {
    private static final long LOOK_MS = 50;
    private static final ScheduledExecutorService CLOCK =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("expiry").factory());

    private final BooleanSupplier look;
    private final AtomicBoolean watching = new AtomicBoolean();

    /** Runs a look that ends what is over and says whether something is left. */
    Expiry(BooleanSupplier look) {
        this.look = look;
    }

    /** Something was begun that can run out of time. */
    void watch() {
        if (!watching.get() && watching.compareAndSet(false, true)) {
            var _ = CLOCK.schedule(this::run, LOOK_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void run() {
        if (look.getAsBoolean()) {
            var _ = CLOCK.schedule(this::run, LOOK_MS, TimeUnit.MILLISECONDS);
            return;
        }
        watching.set(false);
        if (look.getAsBoolean()) { // begun between the look and the word that nobody watches
            watch();
        }
    }
}
