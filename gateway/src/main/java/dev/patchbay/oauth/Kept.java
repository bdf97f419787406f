package dev.patchbay.oauth;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.net.URI;

/**
 * What is kept of a sign-in to one server. As text it is a word only.
 *
 * @param url the server it is for; it is of no use to another
 * @param wanted rights that the server wanted and the tokens did not have; empty if none
 */
record Kept(String url, Authority authority, Identity identity, Tokens tokens, String wanted) {
    /** Who gave the tokens, and for what. */
    record Authority(String issuer, String resource, URI token) {}

    Kept with(Tokens other) {
        return new Kept(url, authority, identity, other, wanted);
    }

    Kept wanting(String scope) {
        return new Kept(url, authority, identity, tokens, scope);
    }

    Json toJson() {
        return new JsonWriter()
                .beginObject()
                .member("url", url)
                .member("issuer", authority.issuer)
                .member("resource", authority.resource)
                .member("tokenEndpoint", authority.token.toString())
                .member("clientId", identity.id())
                .member("clientSecret", identity.secret())
                .member("clientAuth", identity.way().word())
                .member("redirectUri", identity.redirectUri())
                .member("accessToken", tokens.access())
                .member("refreshToken", tokens.refresh())
                .member("scope", tokens.scope())
                .member("expiresAt", tokens.expiresAt())
                .member("wantedScope", wanted)
                .endObject()
                .toJson();
    }

    /** What a file says; null if it is of another server, or makes no sense. */
    static @Nullable Kept of(Json json, String url) {
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
        return new Kept(
                url,
                new Authority(text(json, "issuer"), text(json, "resource"), token),
                new Identity(
                        text(json, "clientId"),
                        text(json, "clientSecret"),
                        Identity.Way.of(text(json, "clientAuth"), Identity.Way.NONE),
                        text(json, "redirectUri")),
                new Tokens(
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
