package dev.patchbay.server;

import dev.patchbay.mcp.Era;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** Which era a server was found to speak, for a while: it may be replaced by a newer one. */
final class EraCache {
    private static final Duration LIFETIME = Duration.ofHours(1);

    private @Nullable Era era;
    private long storedNanos;

    synchronized void store(Era found) {
        era = found;
        storedNanos = System.nanoTime();
    }

    synchronized void clear() {
        era = null;
    }

    synchronized @Nullable Era era() {
        return System.nanoTime() - storedNanos > LIFETIME.toNanos() ? null : era;
    }
}
