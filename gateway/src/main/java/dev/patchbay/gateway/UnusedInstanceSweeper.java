package dev.patchbay.gateway;

import dev.patchbay.time.Ticker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Closes connections to a server that nobody has used for a while: the configured time, or else a
 * time after which clients that do not say when they are gone count as gone.
 */
final class UnusedInstanceSweeper {
    /** How long a connection is kept for clients that do not say when they are gone. */
    private static final Duration UNCONFIGURED_LIMIT = Duration.ofMinutes(30);

    private static final Duration LIMIT_MIN = Duration.ofSeconds(1);

    private final Ticker ticker;
    private final Supplier<List<ServerInstance>> watched;
    private final Consumer<ServerInstance> close;
    private final AtomicBoolean isScheduled = new AtomicBoolean();
    private volatile Duration limit = Duration.ZERO;

    UnusedInstanceSweeper(
            Ticker ticker, Supplier<List<ServerInstance>> watched, Consumer<ServerInstance> close) {
        this.ticker = ticker;
        this.watched = watched;
        this.close = close;
    }

    /** Sets the configured time; zero if there is none. */
    void setLimit(Duration configured) {
        limit = configured.isZero() || configured.compareTo(LIMIT_MIN) > 0 ? configured : LIMIT_MIN;
    }

    /** Whether all connections are closed when nobody uses them. */
    boolean hasLimit() {
        return !limit.isZero();
    }

    /** Begins to look after the connections, unless it does already. */
    void start() {
        if (!isScheduled.get() && isScheduled.compareAndSet(false, true)) {
            schedule(nextLimit());
        }
    }

    private Duration nextLimit() {
        return limit.isZero() ? UNCONFIGURED_LIMIT : limit;
    }

    private void schedule(Duration delay) {
        // Not on the thread of the ticker: closing may block.
        ticker.schedule(delay, () -> Thread.ofVirtual().start(this::sweep));
    }

    private void sweep() {
        long shortest = Long.MAX_VALUE;
        for (ServerInstance instance : watched.get()) {
            long now = ticker.nanoTime();
            long limitNanos = nextLimit().toNanos();
            long left =
                    instance.isPrimary()
                            ? instance.unusedNanosLeft(now, limitNanos)
                            : instance.closeIfUnused(now, limitNanos);
            if (left <= 0) {
                close.accept(instance);
            } else {
                shortest = Math.min(shortest, left);
            }
        }
        if (shortest == Long.MAX_VALUE) {
            isScheduled.set(false);
            if (!watched.get().isEmpty()) {
                start(); // one was opened meanwhile
            }
        } else {
            schedule(Duration.ofNanos(shortest));
        }
    }
}
