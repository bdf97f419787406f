package dev.patchbay.oauth;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.List;

/**
 * How to get a token for a server.
 *
 * @param resource the resource identifier for token requests, exactly as published
 * @param issuer the name of the authorization server, exactly as published
 * @param scopes the scopes of the server; empty if unknown
 */
record AuthorizationMetadata(
        String resource,
        String issuer,
        Endpoints endpoints,
        Features features,
        List<String> scopes) {
    /** The endpoints of an authorization server. */
    record Endpoints(URI authorization, URI token, @Nullable URI registration) {}

    /**
     * Features of an authorization server.
     *
     * @param tokenAuthMethods the client authentication methods of the token endpoint; empty if
     *     unknown
     * @param sendsIssuer whether its responses always contain its name
     * @param acceptsClientMetadataUrl whether the URL of a metadata document can be a client id
     * @param hasOfflineAccessScope whether {@code offline_access} must be requested for refresh
     *     tokens
     */
    record Features(
            List<String> tokenAuthMethods,
            boolean sendsIssuer,
            boolean acceptsClientMetadataUrl,
            boolean hasOfflineAccessScope) {}

    AuthorizationMetadata {
        scopes = List.copyOf(scopes);
    }
}
