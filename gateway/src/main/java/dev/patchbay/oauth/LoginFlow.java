package dev.patchbay.oauth;

import dev.patchbay.http.client.HttpFetcher;
import dev.patchbay.server.OAuthConfig;
import dev.patchbay.server.ServerId;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One sign-in of a user to one server, in the browser. The code returns to a local port and is
 * useless to anyone else (PKCE).
 */
public final class LoginFlow {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":\"login\",\"method\":\"ping\"}";
    private static final int RANDOM_BYTES = 32;

    /** Shows the sign-in page to the user. */
    public interface BrowserLauncher {
        void open(URI url) throws IOException;

        /**
         * Shows what is granted to whom, before anything is registered or opened.
         *
         * @return whether to continue
         */
        boolean confirm(Summary summary) throws IOException;
    }

    /**
     * What the user agrees to.
     *
     * @param server the URL of the server that receives the token
     * @param issuer the authorization server that issues it
     * @param scope the requested scopes; empty if the authorization server decides
     */
    public record Summary(URI server, String issuer, String scope) {}

    /** The configured server to sign in to. */
    public record LoginTarget(
            ServerId id, URI url, Map<String, String> headers, OAuthConfig signIn) {
        public LoginTarget {
            headers = Map.copyOf(headers);
        }

        @Override
        public String toString() {
            return id.value();
        }
    }

    /**
     * The result of a sign-in, without secrets.
     *
     * @param expiresAt when it expires; null if unknown
     * @param isRenewable whether it can be renewed without the user
     */
    public record LoginResult(
            String issuer, String scope, @Nullable Instant expiresAt, boolean isRenewable) {}

    private final LoginTarget target;
    private final SignInFile file;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    public LoginFlow(LoginTarget goal, Path stateDir, InstantSource clock) {
        this.target = goal;
        this.file =
                new SignInFile(stateDir.resolve("sign-in"), goal.id.value(), goal.url.toString());
        this.clock = clock;
    }

    /**
     * The result of a sign-out.
     *
     * @param wasSignedIn whether there was a sign-in
     * @param isRevoked whether the authorization server revoked its tokens
     * @param problem why it did not; empty if it did
     */
    public record LogoutResult(boolean wasSignedIn, boolean isRevoked, String problem) {}

    /** Deletes the stored sign-in, and asks the authorization server to revoke its tokens. */
    public LogoutResult logOut() throws IOException, InterruptedException {
        StoredSignIn before = file.read();
        boolean wasSignedIn = file.delete();
        if (before == null || accessAndRefresh(before).isEmpty()) {
            return new LogoutResult(wasSignedIn, false, "");
        }
        try {
            new TokenRevoker(target.url, target.signIn, clock).revoke(before);
            return new LogoutResult(true, true, "");
        } catch (SignInFailed e) {
            return new LogoutResult(true, false, e.reason());
        }
    }

    private static String accessAndRefresh(StoredSignIn signIn) {
        return signIn.tokens().accessToken() + signIn.tokens().refreshToken();
    }

    /** Lets the user sign in, and stores the tokens. */
    public LoginResult run(BrowserLauncher browser, Duration patience)
            throws IOException, SignInFailed, InterruptedException {
        if (!target.signIn.needsPerson()) {
            throw new SignInFailed("The configured grant of the server needs no sign-in");
        }
        var web = new OAuthHttpClient(UrlPolicy.forServer(target.url));
        BearerChallenge challenge = challenge(web);
        StoredSignIn before = file.read();
        String issuer = before == null ? "" : before.tokenIssuer().issuer();
        AuthorizationMetadata terms =
                new AuthorizationDiscovery(web, target.url, target.signIn.issuer(), issuer)
                        .discover(challenge);
        StoredSignIn known = terms.issuer().equals(issuer) ? before : null;
        String state = random();
        try (RedirectListener callback = openRedirectListener(known, state)) {
            String back = callback.redirectUri();
            String scope = scope(terms, challenge, known);
            if (!browser.confirm(new Summary(target.url, terms.issuer(), scope))) {
                throw new SignInFailed("you did not confirm it");
            }
            var registrar = new ClientRegistrar(web, terms, target.signIn, clock);
            ClientRegistration identity =
                    registrar.obtain(back, known == null ? null : known.client(), scope);
            String verifier = random();
            file.reserve().close(); // fail early: otherwise the user would sign in for nothing
            browser.open(
                    new AuthorizationRequest(
                                    terms, identity.clientId(), back, scope, state, verifier)
                            .url());
            String code = requireCode(callback.await(patience), terms);
            URI endpoint = terms.endpoints().token();
            ClientRegistration current = registrar.refresh(identity); // a person takes minutes
            OAuthTokens tokens =
                    new TokenEndpointClient(web, endpoint, terms.resource(), current, clock)
                            .exchangeCode(code, verifier, back, scope);
            return store(terms, identity, tokens);
        }
    }

    /** Sends a request without a token to learn what the server requires. */
    private BearerChallenge challenge(OAuthHttpClient http)
            throws SignInFailed, InterruptedException {
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(target.headers);
        headers.put("Content-Type", "application/json");
        headers.put("Accept", "application/json, text/event-stream");
        HttpFetcher.Response response = http.postToServer(headers, PING);
        return BearerChallenge.parse(response.status() == 401 ? response.challenge() : "");
    }

    /** Listens on the configured port, or on the registered one if it is free. */
    private RedirectListener openRedirectListener(@Nullable StoredSignIn known, String state)
            throws IOException, SignInFailed {
        if (target.signIn.redirectPort() > 0) {
            return RedirectListener.open(target.signIn.redirectPort(), state);
        }
        if (known != null && !known.client().redirectUri().isEmpty()) {
            try {
                return RedirectListener.open(
                        URI.create(known.client().redirectUri()).getPort(), state);
            } catch (IOException _) {
                return RedirectListener.open(0, state); // another program uses the port now
            }
        }
        return RedirectListener.open(0, state);
    }

    private String scope(
            AuthorizationMetadata terms, BearerChallenge challenge, @Nullable StoredSignIn known) {
        List<String> more =
                known == null ? List.of() : List.of(known.tokens().scope(), known.missingScope());
        return ScopeSelector.select(target.signIn, terms, challenge, more);
    }

    /** The authorization request that the browser opens. */
    private record AuthorizationRequest(
            AuthorizationMetadata metadata,
            String clientId,
            String redirectUri,
            String scope,
            String state,
            String verifier) {
        URI url() {
            var query = new LinkedHashMap<String, String>();
            query.put("response_type", "code");
            query.put("client_id", clientId);
            query.put("redirect_uri", redirectUri);
            query.put("state", state);
            query.put("code_challenge", codeChallenge(verifier));
            query.put("code_challenge_method", "S256");
            query.put("resource", metadata.resource());
            if (!scope.isEmpty()) {
                query.put("scope", scope);
            }
            URI endpoint = metadata.endpoints().authorization();
            String mark = endpoint.getRawQuery() == null ? "?" : "&";
            return URI.create(endpoint + mark + TokenEndpointClient.formEncode(query));
        }

        @Override
        public String toString() {
            return clientId; // the rest stays in the browser
        }
    }

    /**
     * The code of a response. The issuer is checked first: a response of another one is ignored.
     */
    private static String requireCode(Map<String, String> answer, AuthorizationMetadata terms)
            throws SignInFailed {
        String issuer = answer.get("iss");
        boolean missing = issuer == null && terms.features().sendsIssuer();
        if (missing || (issuer != null && !issuer.equals(terms.issuer()))) {
            throw new SignInFailed(
                    "The response to the sign-in is not from %s and was ignored"
                            .formatted(DisplayText.message(terms.issuer())));
        }
        String error = answer.get("error");
        String code = answer.get("code");
        if (error != null || code == null || code.isEmpty()) {
            String more = answer.getOrDefault("error_description", "");
            throw new SignInFailed(
                    "The sign-in was not completed: %s%s"
                            .formatted(
                                    DisplayText.message(
                                            error == null ? "no code came back" : error),
                                    more.isEmpty() ? "" : " (" + DisplayText.message(more) + ")"));
        }
        return code;
    }

    private LoginResult store(
            AuthorizationMetadata terms, ClientRegistration identity, OAuthTokens tokens)
            throws IOException, SignInFailed, InterruptedException {
        var authority =
                new StoredSignIn.TokenIssuer(
                        terms.issuer(), terms.resource(), terms.endpoints().token());
        boolean configured = !target.signIn.client().id().isEmpty();
        ClientRegistration known = configured ? identity.withoutSecret() : identity;
        var kept = new StoredSignIn(target.url.toString(), authority, known, tokens, "");
        file.withLock(
                () -> {
                    file.write(kept);
                    return kept;
                });
        long expiry = tokens.expiresAt();
        return new LoginResult(
                terms.issuer(),
                tokens.scope(),
                expiry == 0 ? null : Instant.ofEpochSecond(expiry),
                tokens.isRenewable());
    }

    private String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String codeChallenge(String verifier) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
