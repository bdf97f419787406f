package dev.patchbay.config;

import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

/** Makes a legal server id of a key that another program allowed. */
public final class ServerKeyMapper {
    /** The id that stands for the gateway itself. */
    public static final String RESERVED_ID = "patchbay";

    private ServerKeyMapper() {}

    /** The id for a key, each illegal character a hyphen; null if nothing of it is legal. */
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
        String id = mapped.substring(start, Math.min(mapped.length(), start + ServerId.CHARS_MAX));
        return id.isEmpty() ? null : new ServerId(id);
    }
}
