package dev.patchbay.gateway;

import dev.patchbay.json.Json;

/**
 * For how long, and by whom, a list may be kept.
 *
 * @param ttlMs for how many milliseconds from now it is fresh
 * @param isPublic whether it is the same for everybody
 */
public record CacheHint(long ttlMs, boolean isPublic) {
    /** What holds where nobody says anything: it may have changed, and may be one user's own. */
    public static final CacheHint DO_NOT_CACHE = new CacheHint(0, false);

    private static final long TTL_MS_MAX = 86_400_000;

    /** What a part that may be kept for ever does not restrict. */
    static final CacheHint UNRESTRICTED = new CacheHint(Long.MAX_VALUE, true);

    /** The hint of a result; what it does not say is the least. */
    static CacheHint of(Json result) {
        Json ttl = result.member("ttlMs");
        Json scope = result.member("cacheScope");
        return new CacheHint(
                ttl == null ? 0 : Math.clamp(ttl.asLong(0), 0, TTL_MS_MAX),
                scope != null && scope.isText("public"));
    }

    /** The hint for a whole that has parts of both. */
    CacheHint combine(CacheHint other) {
        return new CacheHint(Math.min(ttlMs, other.ttlMs), isPublic && other.isPublic);
    }

    /** The hint after some time has passed; for ever stays for ever. */
    CacheHint afterMillis(long millis) {
        return equals(UNRESTRICTED)
                ? UNRESTRICTED
                : new CacheHint(Math.max(0, ttlMs - millis), isPublic);
    }

    /** The same, for less people. */
    public CacheHint asPrivate() {
        return new CacheHint(ttlMs, false);
    }
}
