package dev.patchbay.config;

import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Makes a legal server id of a key that another program allowed. */
public final class ServerKeyMapper {
    /** The id of the gateway itself. */
    public static final String RESERVED_ID = "patchbay";

    private static final int HASH_BYTES = 4;
    private static final int SUFFIX_CHARS = 1 + 2 * HASH_BYTES;

    private ServerKeyMapper() {}

    /**
     * The id for a key, each illegal character a hyphen; null if nothing of it is legal. The id of
     * a key that is too long ends in a hash of the key, so that keys with the same beginning get
     * different ids.
     */
    static @Nullable public ServerId toServerId(String key) {
        if (ServerId.isValid(key)) {
            return new ServerId(key);
        }
        var mapped = new StringBuilder();
        key.codePoints()
                .forEach(c -> mapped.append(ServerId.isAllowedCharacter(c) ? (char) c : '-'));
        int start = 0;
        while (start < mapped.length() && mapped.charAt(start) == '-') {
            start++;
        }
        String id = mapped.substring(start);
        if (id.length() > ServerId.CHARS_MAX) {
            id = id.substring(0, ServerId.CHARS_MAX - SUFFIX_CHARS) + "-" + hash(key);
        }
        return id.isEmpty() ? null : new ServerId(id);
    }

    private static String hash(String key) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(key.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
