package dev.patchbay.server;

import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Bounds how much of something that clients have in common one principal takes. A principal with a
 * named token gets half at most, so that it cannot take everything from the others. The owner of
 * the gateway has no bound.
 */
public final class PrincipalShares {
    /** Without a bound: an unknown principal, the owner, and all clients where no token is used. */
    private static final Set<String> UNBOUNDED = Set.of("", "owner", "anyone");

    private static final Share UNCOUNTED = new Share(null, "");

    private final int shareMax;
    private final ConcurrentMap<String, Integer> taken = new ConcurrentHashMap<>();

    /**
     * @param totalMax how much there is for all principals together
     */
    public PrincipalShares(int totalMax) {
        this.shareMax = Math.max(1, totalMax / 2);
    }

    /** Something that a principal has taken, given back once. */
    public static final class Share implements AutoCloseable {
        private final @Nullable PrincipalShares owner;
        private final String principal;
        private final AtomicBoolean isClosed = new AtomicBoolean();

        private Share(@Nullable PrincipalShares owner, String principal) {
            this.owner = owner;
            this.principal = principal;
        }

        @Override
        public void close() {
            if (owner != null && isClosed.compareAndSet(false, true)) {
                owner.release(principal);
            }
        }
    }

    /** The most that one principal with a named token gets. */
    public int shareMax() {
        return shareMax;
    }

    /** Takes one for a principal; null if it has its share already. */
    public @Nullable Share tryAcquire(String principal) {
        if (UNBOUNDED.contains(principal)) {
            return UNCOUNTED;
        }
        var isTaken = new AtomicBoolean();
        taken.compute(
                principal,
                (_, now) -> {
                    int count = now == null ? 0 : now;
                    isTaken.set(count < shareMax);
                    return isTaken.get() ? Integer.valueOf(count + 1) : now;
                });
        return isTaken.get() ? new Share(this, principal) : null;
    }

    private void release(String principal) {
        taken.computeIfPresent(principal, (_, now) -> now == 1 ? null : now - 1);
    }
}
