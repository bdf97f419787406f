package dev.patchbay.http.server;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;

/** Decides who a client is by the bearer token of its request. */
public interface TokenAuthenticator {
    /** Whoever comes; admissible only where nobody but this machine can come. */
    TokenAuthenticator ALLOW_ALL =
            new TokenAuthenticator() {
                @Override
                public String authenticate(@Nullable String token) {
                    return "anyone";
                }

                @Override
                public boolean allowsAnonymous() {
                    return true;
                }
            };

    /** The identity behind a token; null if it is nobody's, or if there is none. */
    @Nullable String authenticate(@Nullable String token);

    /** Whether clients without a token are let in. */
    default boolean allowsAnonymous() {
        return false;
    }

    /** Access for whoever has the one token. */
    static TokenAuthenticator ofToken(String token) {
        return ofTokens(Map.of("owner", token));
    }

    /** Access by several tokens, given by the identity that each stands for. */
    static TokenAuthenticator ofTokens(Map<String, String> tokens) {
        Map<String, String> known = Map.copyOf(tokens);
        if (known.isEmpty() || known.values().stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("A token is empty, or there is none");
        }
        return token -> {
            if (token == null) {
                return null;
            }
            byte[] given = token.getBytes(StandardCharsets.UTF_8);
            String found = null;
            // All are compared, so that the time does not tell which one came close.
            for (var entry : known.entrySet()) {
                byte[] right = entry.getValue().getBytes(StandardCharsets.UTF_8);
                if (MessageDigest.isEqual(given, right)) {
                    found = entry.getKey();
                }
            }
            return found;
        };
    }
}
