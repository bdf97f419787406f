package dev.patchbay.oauth;

import dev.patchbay.http.client.HttpFetcher;
import dev.patchbay.server.OAuthConfig;

import java.net.URI;
import java.time.InstantSource;
import java.util.LinkedHashMap;

/** Revokes the tokens of a sign-in at their authorization server (RFC 7009). */
final class TokenRevoker {
    private final URI server;
    private final OAuthConfig configured;
    private final InstantSource clock;

    TokenRevoker(URI server, OAuthConfig configured, InstantSource clock) {
        this.server = server;
        this.configured = configured;
        this.clock = clock;
    }

    /** Revokes the refresh token and the access token; fails if that is not possible. */
    void revoke(StoredSignIn signIn) throws SignInFailed, InterruptedException {
        var web = new OAuthHttpClient(UrlPolicy.forServer(server));
        String issuer = signIn.tokenIssuer().issuer();
        URI endpoint =
                new AuthorizationDiscovery(web, server, issuer, "").revocationEndpoint(issuer);
        if (endpoint == null) {
            throw new SignInFailed("the authorization server does not support it");
        }
        ClientRegistration client = TokenRenewer.clientOf(configured, signIn, clock);
        OAuthTokens tokens = signIn.tokens();
        // The refresh token first: its end is the end of the grant at most authorization servers.
        if (!tokens.refreshToken().isEmpty()) {
            send(web, endpoint, client, tokens.refreshToken(), "refresh_token");
        }
        if (!tokens.accessToken().isEmpty()) {
            send(web, endpoint, client, tokens.accessToken(), "access_token");
        }
    }

    private static void send(
            OAuthHttpClient web, URI to, ClientRegistration client, String token, String kind)
            throws SignInFailed, InterruptedException {
        var form = new LinkedHashMap<String, String>();
        form.put("token", token);
        form.put("token_type_hint", kind);
        var headers = new LinkedHashMap<String, String>();
        headers.put("Content-Type", "application/x-www-form-urlencoded");
        headers.put("Accept", "application/json");
        client.authenticate(form, headers);
        HttpFetcher.Response answer = web.post(to, headers, TokenEndpointClient.formEncode(form));
        if (answer.status() != 200) {
            throw new SignInFailed("the authorization server answered HTTP " + answer.status());
        }
    }
}
