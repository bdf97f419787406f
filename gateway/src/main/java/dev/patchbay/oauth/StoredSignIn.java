package dev.patchbay.oauth;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.net.URI;

/**
 * The stored sign-in to one server. Its text omits the secrets.
 *
 * @param url the server that the sign-in is for
 * @param missingScope scopes that the server required and the tokens lacked; empty if none
 */
record StoredSignIn(
        String url,
        TokenIssuer tokenIssuer,
        ClientRegistration client,
        OAuthTokens tokens,
        String missingScope) {
    /** The issuer of the tokens, and the resource. */
    record TokenIssuer(String issuer, String resource, URI tokenEndpoint) {}

    StoredSignIn withTokens(OAuthTokens other) {
        return new StoredSignIn(url, tokenIssuer, client, other, missingScope);
    }

    StoredSignIn withMissingScope(String scope) {
        return new StoredSignIn(url, tokenIssuer, client, tokens, scope);
    }

    Json toJson() {
        return new JsonWriter()
                .beginObject()
                .member("url", url)
                .member("issuer", tokenIssuer.issuer)
                .member("resource", tokenIssuer.resource)
                .member("tokenEndpoint", tokenIssuer.tokenEndpoint.toString())
                .member("clientId", client.clientId())
                .member("clientSecret", client.secret())
                .member("clientAuth", client.authMethod().wireName())
                .member("redirectUri", client.redirectUri())
                .member("accessToken", tokens.accessToken())
                .member("refreshToken", tokens.refreshToken())
                .member("scope", tokens.scope())
                .member("expiresAt", tokens.expiresAt())
                .member("wantedScope", missingScope)
                .endObject()
                .toJson();
    }

    /** Parses a file; null if it is for another server or malformed. */
    static @Nullable StoredSignIn parse(Json json, String url) {
        Json expiry = json.member("expiresAt");
        if (!text(json, "url").equals(url) || expiry == null || !expiry.isNumber()) {
            return null;
        }
        URI token;
        try {
            token = URI.create(text(json, "tokenEndpoint"));
        } catch (IllegalArgumentException _) {
            return null;
        }
        return new StoredSignIn(
                url,
                new TokenIssuer(text(json, "issuer"), text(json, "resource"), token),
                new ClientRegistration(
                        text(json, "clientId"),
                        text(json, "clientSecret"),
                        ClientRegistration.ClientAuthMethod.of(
                                text(json, "clientAuth"), ClientRegistration.ClientAuthMethod.NONE),
                        text(json, "redirectUri")),
                new OAuthTokens(
                        text(json, "accessToken"),
                        text(json, "refreshToken"),
                        text(json, "scope"),
                        expiry.asLong(0)),
                text(json, "wantedScope"));
    }

    private static String text(Json json, String name) {
        String text = json.memberText(name);
        return text == null ? "" : text;
    }

    @Override
    public String toString() {
        return "a sign-in";
    }
}
