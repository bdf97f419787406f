package dev.patchbay.oauth;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.List;

/**
 * What was found out of how to get a token for a server.
 *
 * @param resource the name of the server in requests for tokens, just as it was published
 * @param issuer the name of the authorization server, just as it was published
 * @param scopes what the server says it has rights for; empty if it does not say
 */
record AuthorizationMetadata(
        String resource,
        String issuer,
        Endpoints endpoints,
        Features features,
        List<String> scopes) {
    /** The addresses of an authorization server. */
    record Endpoints(URI authorization, URI token, @Nullable URI registration) {}

    /**
     * What an authorization server says of itself.
     *
     * @param tokenAuthMethods the ways to say who we are when we want a token; empty if not told
     * @param sendsIssuer whether its answers always say whose they are
     * @param acceptsClientMetadataUrl whether the address of a document can be a client's id
     * @param hasOfflineAccessScope whether the right to renew a token is one to be asked for
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
