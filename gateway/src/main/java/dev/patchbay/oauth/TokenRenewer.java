package dev.patchbay.oauth;

import dev.patchbay.oauth.StoredSignIn.TokenIssuer;
import dev.patchbay.server.OAuthConfig;
import dev.patchbay.server.OAuthConfig.Grant;

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
                            clientOf(configured, kept, clock),
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
    static ClientRegistration clientOf(
            OAuthConfig configured, StoredSignIn kept, InstantSource clock) throws SignInFailed {
        ClientRegistration known = kept.client();
        OAuthConfig.OAuthClient client = configured.client();
        if (known.clientId().equals(client.id()) && !client.privateKeyFile().isEmpty()) {
            String assertion =
                    ClientAssertion.sign(
                            client.privateKeyFile(),
                            client.id(),
                            kept.tokenIssuer().issuer(),
                            clock.instant());
            return new ClientRegistration(
                    client.id(), assertion, known.authMethod(), known.redirectUri());
        }
        return known.clientId().equals(client.id())
                ? new ClientRegistration(
                        client.id(), client.secret(), known.authMethod(), known.redirectUri())
                : known;
    }

    /** Requests tokens by a grant that needs no person at this moment. They are not stored yet. */
    StoredSignIn requestOwnTokens(BearerChallenge challenge, String before)
            throws SignInFailed, InterruptedException {
        requireClient();
        var web = new OAuthHttpClient(UrlPolicy.forServer(server));
        // The secret is sent to the same endpoint as before, or to the configured one.
        String pinned = configured.issuer().isEmpty() ? before : configured.issuer();
        AuthorizationMetadata terms =
                new AuthorizationDiscovery(web, server, pinned, "").discover(challenge);
        ClientRegistration identity =
                new ClientRegistrar(web, terms, configured, clock).configuredClient();
        URI endpoint = terms.endpoints().token();
        var client = new TokenEndpointClient(web, endpoint, terms.resource(), identity, clock);
        String scope = ScopeSelector.select(configured, terms, challenge);
        OAuthTokens tokens =
                switch (configured.grant()) {
                    case Grant.AuthorizationCode _ ->
                            throw new IllegalStateException("A person must sign in");
                    case Grant.ClientCredentials _ -> client.requestClientCredentialsTokens(scope);
                    case Grant.JwtBearer(String file) ->
                            client.exchangeAssertion(ClientAssertion.readFile(file), scope);
                    case Grant.IdentityAssertion grant ->
                            client.exchangeAssertion(
                                    IdentityAssertionClient.request(grant, terms, scope), scope);
                };
        var authority = new TokenIssuer(terms.issuer(), terms.resource(), endpoint);
        return new StoredSignIn(server.toString(), authority, identity.withoutSecret(), tokens, "");
    }

    private void requireClient() throws SignInFailed {
        OAuthConfig.OAuthClient client = configured.client();
        boolean isComplete =
                switch (configured.grant()) {
                    case Grant.AuthorizationCode _, Grant.JwtBearer _ -> true;
                    case Grant.ClientCredentials _ ->
                            !client.id().isEmpty()
                                    && !(client.secret() + client.privateKeyFile()).isEmpty();
                    case Grant.IdentityAssertion _ -> !client.id().isEmpty();
                };
        if (!isComplete) {
            throw new SignInFailed("clientId and clientSecret are not configured", true);
        }
    }
}
