package dev.patchbay.oauth;

import dev.patchbay.oauth.StoredSignIn.TokenIssuer;
import dev.patchbay.server.OAuthConfig;

import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;

/**
 * Gets new tokens for one server without a person. What another gateway has got meanwhile is taken
 * instead.
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

    /** What is kept from now on, in place of these tokens. A refusal leaves none. */
    StoredSignIn renew(StoredSignIn old) throws IOException, SignInFailed, InterruptedException {
        return file.withLock(
                () -> {
                    StoredSignIn now = readNewest(old);
                    if (!now.tokens().accessToken().equals(old.tokens().accessToken())) {
                        return now;
                    }
                    try (var room = file.reserve()) { // a renewal can be had once only
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
        return now == null ? old.withTokens(OAuthTokens.NONE) : now; // somebody has signed out
    }

    private OAuthTokens requestTokens(StoredSignIn kept) throws SignInFailed, InterruptedException {
        try {
            TokenIssuer authority = kept.tokenIssuer();
            var web = new OAuthHttpClient(UrlPolicy.forServer(server));
            return new TokenEndpointClient(
                            web,
                            authority.tokenEndpoint(),
                            authority.resource(),
                            clientOf(kept),
                            clock)
                    .renew(kept.tokens());
        } catch (SignInFailed e) {
            if (e.isPermanent()) {
                return OAuthTokens.NONE;
            }
            throw e;
        }
    }

    /** Who the tokens were given to. A secret that is configured is not kept a second time. */
    private ClientRegistration clientOf(StoredSignIn kept) {
        ClientRegistration known = kept.client();
        OAuthConfig.OAuthClient client = configured.client();
        return known.clientId().equals(client.id())
                ? new ClientRegistration(
                        client.id(), client.secret(), known.authMethod(), known.redirectUri())
                : known;
    }

    /** Tokens for the client that is configured, which needs nobody to sign in. Not kept yet. */
    StoredSignIn requestClientCredentialsTokens(BearerChallenge challenge, String before)
            throws SignInFailed, InterruptedException {
        OAuthConfig.OAuthClient client = configured.client();
        if (client.id().isEmpty() || client.secret().isEmpty()) {
            throw new SignInFailed("clientId and clientSecret are not configured", true);
        }
        var web = new OAuthHttpClient(UrlPolicy.forServer(server));
        // The secret goes where it went before, or where the configuration says.
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
