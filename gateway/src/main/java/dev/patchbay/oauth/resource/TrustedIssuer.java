package dev.patchbay.oauth.resource;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.Set;

/**
 * An authorization server whose access tokens are accepted.
 *
 * @param issuer its identifier, exactly as its tokens name it
 * @param audiences what a token must be meant for; one of them is enough
 * @param jwksUrl where its keys are; null to find them by its metadata
 * @param introspection how tokens that are not JWTs are verified; null if they are not accepted
 */
public record TrustedIssuer(
        String issuer,
        Set<String> audiences,
        ClaimMapping claims,
        @Nullable URI jwksUrl,
        @Nullable Introspection introspection) {
    /**
     * The gateway's account for introspection (RFC 7662). Its text holds no secret.
     *
     * @param url null to find it by the metadata of the issuer
     */
    public record Introspection(@Nullable URI url, String clientId, String clientSecret) {
        @Override
        public String toString() {
            return clientId;
        }
    }

    public TrustedIssuer {
        audiences = Set.copyOf(audiences);
        if (audiences.isEmpty()) {
            throw new IllegalArgumentException("An issuer needs an audience");
        }
    }
}
