package dev.patchbay.server;

import dev.patchbay.mcp.Era;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** Remembers the era of a server for a limited time, because the server may be upgraded. */
final class EraCache {
    private static final Duration LIFETIME = Duration.ofHours(1);

    private final Ticker ticker;
    private @Nullable Era era;
    private long storedNanos;

    EraCache(Ticker ticker) {
        this.ticker = ticker;
    }

    synchronized void store(Era found) {
        era = found;
        storedNanos = ticker.nanoTime();
    }

    synchronized void clear() {
        era = null;
    }

    synchronized @Nullable Era era() {
        return ticker.nanoTime() - storedNanos > LIFETIME.toNanos() ? null : era;
    }
}
