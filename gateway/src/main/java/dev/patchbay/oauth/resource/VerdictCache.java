package dev.patchbay.oauth.resource;

import dev.patchbay.http.server.TokenVerdict;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Verdicts on tokens, by the hash of the token. When it is full, the least recently used go. */
final class VerdictCache {
    private record TokenHash(long first, long second, long third, long fourth) {
        static TokenHash of(String token) {
            try {
                byte[] hash =
                        MessageDigest.getInstance("SHA-256")
                                .digest(token.getBytes(StandardCharsets.UTF_8));
                var bytes = ByteBuffer.wrap(hash);
                return new TokenHash(
                        bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("Every JDK has SHA-256", e);
            }
        }
    }

    private record Entry(TokenVerdict verdict, Instant until) {}

    private final int entriesMax;
    private final Map<TokenHash, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    VerdictCache(int entriesMax) {
        this.entriesMax = entriesMax;
    }

    /** The verdict on a token; null if there is none that is valid now. */
    @Nullable TokenVerdict find(String token, Instant now) {
        TokenHash hash = TokenHash.of(token);
        synchronized (entries) {
            Entry entry = entries.get(hash);
            if (entry == null || now.isBefore(entry.until)) {
                return entry == null ? null : entry.verdict;
            }
            entries.remove(hash);
            return null;
        }
    }

    void put(String token, TokenVerdict verdict, Instant until) {
        TokenHash hash = TokenHash.of(token);
        synchronized (entries) {
            entries.put(hash, new Entry(verdict, until));
            if (entries.size() > entriesMax) {
                entries.remove(entries.keySet().iterator().next());
            }
        }
    }

    int size() {
        synchronized (entries) {
            return entries.size();
        }
    }
}
