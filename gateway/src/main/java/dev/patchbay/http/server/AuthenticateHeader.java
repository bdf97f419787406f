package dev.patchbay.http.server;

import org.jspecify.annotations.Nullable;

/** The values of {@code WWW-Authenticate}: why a request was refused, and which token helps. */
final class AuthenticateHeader {
    static final String NAME = "WWW-Authenticate";

    private static final String BEARER = "Bearer realm=\"patchbay\"";

    private final @Nullable ProtectedResource resource;

    AuthenticateHeader(@Nullable ProtectedResource resource) {
        this.resource = resource;
    }

    /** For a request without a token. */
    String tokenMissing(@Nullable String path, AccessScope needed) {
        return resource == null ? BEARER : BEARER + scopeOf(needed) + metadataOf(resource, path);
    }

    /** For a request with a token that is not valid. The reason is ASCII without quotes. */
    String tokenInvalid(@Nullable String path, AccessScope needed, String reason) {
        return resource == null
                ? BEARER
                : BEARER
                        + ", error=\"invalid_token\", error_description=\""
                        + reason
                        + "\""
                        + scopeOf(needed)
                        + metadataOf(resource, path);
    }

    /** For a request whose token lacks a scope. */
    String scopeMissing(@Nullable String path, AccessScope needed) {
        String value = BEARER + ", error=\"insufficient_scope\"" + scopeOf(needed);
        return resource == null ? value : value + metadataOf(resource, path);
    }

    private String scopeOf(AccessScope needed) {
        return ", scope=\""
                + (resource == null ? needed.text() : resource.scopeName(needed))
                + "\"";
    }

    private static String metadataOf(ProtectedResource resource, @Nullable String path) {
        return ", resource_metadata=\"" + resource.metadataUrl(path) + "\"";
    }
}
