package dev.patchbay.server;

import dev.patchbay.mcp.Era;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** Which era a server was found to speak, for a while: it may be replaced by a newer one. */
final class EraMemory {
    private static final Duration KEPT = Duration.ofHours(1);

    private @Nullable Era era;
    private long learntNanos;

    synchronized void learn(Era found) {
        era = found;
        learntNanos = System.nanoTime();
    }

    synchronized void forget() {
        era = null;
    }

    synchronized @Nullable Era era() {
        return System.nanoTime() - learntNanos > KEPT.toNanos() ? null : era;
    }
}
