package dev.patchbay.oauth.resource;

import dev.patchbay.http.server.Principal;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The principals with access tokens, and when the last token of each expires. Their open streams
 * and calls may continue for a while after that, so that a call in progress is not lost; a client
 * that still uses the gateway has renewed its token by then.
 */
final class SignedInPrincipals {
    static final Duration GRACE = Duration.ofHours(1);

    private static final int PRINCIPALS_MAX = 20_000;

    private final Map<Principal, Instant> expiries = new LinkedHashMap<>(16, 0.75f, true);

    synchronized void add(Principal principal, Instant expiresAt, Instant now) {
        expiries.merge(principal, expiresAt, (one, other) -> one.isAfter(other) ? one : other);
        if (expiries.size() > PRINCIPALS_MAX) {
            expiries.values().removeIf(expiry -> isOver(expiry, now));
            if (expiries.size() > PRINCIPALS_MAX) {
                expiries.remove(expiries.keySet().iterator().next());
            }
        }
    }

    /** Whether a principal may keep what it has open. */
    synchronized boolean isCurrent(Principal principal, Instant now) {
        Instant expiry = expiries.get(principal);
        return expiry != null && !isOver(expiry, now);
    }

    private static boolean isOver(Instant expiry, Instant now) {
        return !now.isBefore(expiry.plus(GRACE));
    }
}
