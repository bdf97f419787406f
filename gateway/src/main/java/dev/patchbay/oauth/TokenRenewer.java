package dev.patchbay.oauth;

import dev.patchbay.oauth.StoredSignIn.TokenIssuer;
import dev.patchbay.server.OAuthConfig;

import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;

/**
 * Renews the tokens of one server without the user. If another gateway has renewed them already,
 * its tokens are used.
 */
final class TokenRenewer {
    private final URI server;
    private final OAuthConfig configured;
    private final SignInFile file;
    private final InstantSource clock;

    TokenRenewer(URI server, OAuthConfig configured, SignInFile file, InstantSource clock) {
        this.server = server;
        this.configured = configured;
        this.file = file;
        this.clock = clock;
    }

    /** Renews the tokens and returns what to store. A refusal removes them. */
    StoredSignIn renew(StoredSignIn old) throws IOException, SignInFailed, InterruptedException {
        return file.withLock(
                () -> {
                    StoredSignIn now = readNewest(old);
                    if (!now.tokens().accessToken().equals(old.tokens().accessToken())) {
                        return now;
                    }
                    try (var room = file.reserve()) { // a refresh token can often be used only once
                        boolean can = now.tokens().isRenewable();
                        StoredSignIn fresh =
                                now.withTokens(can ? requestTokens(now) : OAuthTokens.NONE);
                        room.write(fresh);
                        return fresh;
                    }
                });
    }

    private StoredSignIn readNewest(StoredSignIn old) {
        StoredSignIn now = file.read();
        return now == null ? old.withTokens(OAuthTokens.NONE) : now; // the user has signed out
    }

    private OAuthTokens requestTokens(StoredSignIn kept) throws SignInFailed, InterruptedException {
        try {
            TokenIssuer authority = kept.tokenIssuer();
            var web = new OAuthHttpClient(UrlPolicy.forServer(server));
            return new TokenEndpointClient(
                            web,
                            authority.tokenEndpoint(),
                            authority.resource(),
                            clientOf(configured, kept),
                            clock)
                    .renew(kept.tokens());
        } catch (SignInFailed e) {
            if (e.isPermanent()) {
                return OAuthTokens.NONE;
            }
            throw e;
        }
    }

    /** The client that the tokens were issued to. A configured secret is not stored again. */
    static ClientRegistration clientOf(OAuthConfig configured, StoredSignIn kept) {
        ClientRegistration known = kept.client();
        OAuthConfig.OAuthClient client = configured.client();
        return known.clientId().equals(client.id())
                ? new ClientRegistration(
                        client.id(), client.secret(), known.authMethod(), known.redirectUri())
                : known;
    }

    /** Requests tokens for the configured client, which needs no user. They are not stored yet. */
    StoredSignIn requestClientCredentialsTokens(BearerChallenge challenge, String before)
            throws SignInFailed, InterruptedException {
        OAuthConfig.OAuthClient client = configured.client();
        if (client.id().isEmpty() || client.secret().isEmpty()) {
            throw new SignInFailed("clientId and clientSecret are not configured", true);
        }
        var web = new OAuthHttpClient(UrlPolicy.forServer(server));
        // The secret is sent to the same endpoint as before, or to the configured one.
        String pinned = configured.issuer().isEmpty() ? before : configured.issuer();
        AuthorizationMetadata terms =
                new AuthorizationDiscovery(web, server, pinned, "").discover(challenge);
        ClientRegistration identity =
                new ClientRegistrar(web, terms, configured).configuredClient();
        URI endpoint = terms.endpoints().token();
        OAuthTokens tokens =
                new TokenEndpointClient(web, endpoint, terms.resource(), identity, clock)
                        .requestClientCredentialsTokens(
                                ScopeSelector.select(configured, terms, challenge));
        var authority = new TokenIssuer(terms.issuer(), terms.resource(), endpoint);
        return new StoredSignIn(server.toString(), authority, identity.withoutSecret(), tokens, "");
    }
}
