package dev.patchbay.http.server;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.function.Predicate;

/** Finds the principal of a request by its bearer token. */
public interface TokenAuthenticator {
    /** Accepts requests without a token; allowed on loopback only. */
    TokenAuthenticator ALLOW_ALL =
            new TokenAuthenticator() {
                private final Principal anyone = Principal.withAllScopes("anyone");

                @Override
                public Principal authenticate(@Nullable String token) {
                    return anyone;
                }

                @Override
                public boolean allowsAnonymous() {
                    return true;
                }
            };

    /** The principal of a token; null if the token is missing, unknown or expired. */
    @Nullable Principal authenticate(@Nullable String token);

    /** Whether requests without a token are accepted. */
    default boolean allowsAnonymous() {
        return false;
    }

    /** Whether {@link #verify} may accept a token that {@link #authenticate} does not know. */
    default boolean canVerify(String token) {
        return false;
    }

    /** Verifies such a token. It may block, unlike the other methods. */
    default TokenVerdict verify(String token) throws InterruptedException {
        return new TokenVerdict.Invalid("The token is unknown");
    }

    /** Where clients get tokens by OAuth; null if they cannot. */
    default @Nullable ProtectedResource protectedResource() {
        return null;
    }

    /**
     * Tells which principals may still be served, as of now. A principal that is not among them any
     * more loses its open streams.
     */
    default Predicate<Principal> currentPrincipals() {
        return _ -> true;
    }

    /** Accepts one token, which has all scopes. */
    static TokenAuthenticator ofToken(String token) {
        return ofTokens(Map.of("owner", token));
    }

    /** Accepts several tokens, given by the name of their principal. All have all scopes. */
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
            // All tokens are compared, so that the time reveals nothing.
            for (var entry : known.entrySet()) {
                byte[] right = entry.getValue().getBytes(StandardCharsets.UTF_8);
                if (MessageDigest.isEqual(given, right)) {
                    found = entry.getKey();
                }
            }
            return found == null ? null : Principal.withAllScopes(found);
        };
    }
}
