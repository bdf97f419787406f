package dev.patchbay.gateway;

import dev.patchbay.json.Json;

/**
 * How long, and by whom, a list may be cached.
 *
 * @param ttlMs how many milliseconds from now it is fresh
 * @param isPublic whether it is the same for all users
 */
public record CacheHint(long ttlMs, boolean isPublic) {
    /** The default: it may have changed and may be specific to a user. */
    public static final CacheHint DO_NOT_CACHE = new CacheHint(0, false);

    private static final long TTL_MS_MAX = 86_400_000;

    /** The neutral element of {@link #combine}. */
    static final CacheHint UNRESTRICTED = new CacheHint(Long.MAX_VALUE, true);

    /** The hint of a result; missing parts are the most restrictive. */
    static CacheHint of(Json result) {
        Json ttl = result.member("ttlMs");
        Json scope = result.member("cacheScope");
        return new CacheHint(
                ttl == null ? 0 : Math.clamp(ttl.asLong(0), 0, TTL_MS_MAX),
                scope != null && scope.isText("public"));
    }

    /** The hint for a combination of both parts. */
    CacheHint combine(CacheHint other) {
        return new CacheHint(Math.min(ttlMs, other.ttlMs), isPublic && other.isPublic);
    }

    /** The hint after some time; unlimited stays unlimited. */
    CacheHint afterMillis(long millis) {
        return equals(UNRESTRICTED)
                ? UNRESTRICTED
                : new CacheHint(Math.max(0, ttlMs - millis), isPublic);
    }

    /** The same hint, but private. */
    public CacheHint asPrivate() {
        return new CacheHint(ttlMs, false);
    }
}
