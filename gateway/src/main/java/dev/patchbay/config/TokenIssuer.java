package dev.patchbay.config;

import dev.patchbay.server.ConfiguredValues;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An authorization server whose access tokens {@code patchbay serve} accepts.
 *
 * @param audiences what a token must be meant for; empty for the URL of the endpoint
 * @param jwksUrl where its keys are; null to find them by its metadata
 * @param introspection the members url, clientId and clientSecret; empty for no introspection
 */
public record TokenIssuer(
        String issuer,
        List<String> audiences,
        Claims claims,
        @Nullable String jwksUrl,
        ConfiguredValues introspection) {
    /**
     * What the claims of a token mean.
     *
     * @param scopes the gateway's scope for each name in a token; empty for the gateway's own names
     * @param views the view of each group; empty if groups do not matter
     */
    public record Claims(
            String principalClaim,
            Map<String, String> scopes,
            List<String> defaultScopes,
            String viewClaim,
            Map<String, String> views) {
        public Claims {
            scopes = Collections.unmodifiableMap(new LinkedHashMap<>(scopes));
            defaultScopes = List.copyOf(defaultScopes);
            views = Collections.unmodifiableMap(new LinkedHashMap<>(views));
        }
    }

    public TokenIssuer {
        audiences = List.copyOf(audiences);
    }
}
