package dev.patchbay.config;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * How clients get access tokens for {@code patchbay serve}.
 *
 * @param publicUrl the URL under which clients reach the gateway; null for the default
 * @param issuers the authorization servers whose tokens are accepted
 */
public record OAuthSettings(@Nullable String publicUrl, List<TokenIssuer> issuers) {
    public OAuthSettings {
        issuers = List.copyOf(issuers);
    }
}
