package dev.patchbay.oauth.resource;

import org.jspecify.annotations.Nullable;

/**
 * The signature algorithms of accepted tokens. All are asymmetric: with a shared secret, whoever
 * can verify a token could also forge one.
 */
enum SignatureAlgorithm {
    RS256,
    ES256,
    EDDSA;

    /** The algorithm of this name; null if it is not accepted. */
    static @Nullable SignatureAlgorithm of(@Nullable String name) {
        return switch (name) {
            case "RS256" -> RS256;
            case "ES256" -> ES256;
            case "EdDSA", "Ed25519" -> EDDSA;
            case null, default -> null;
        };
    }
}
