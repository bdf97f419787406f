package dev.patchbay.oauth;

import dev.patchbay.http.Fetch;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.SignIn;

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
 * One sign-in of a person to one server: in the browser, with a code that comes back to a port of
 * this machine and is worth nothing to anybody else (PKCE).
 */
public final class Login {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":\"login\",\"method\":\"ping\"}";
    private static final int RANDOM_BYTES = 32;

    /** Shows a person where to sign in. */
    public interface Browser {
        void open(URI url) throws IOException;
    }

    /** The server to sign in to, as it is configured. */
    public record Goal(ServerId id, URI url, Map<String, String> headers, SignIn signIn) {
        public Goal {
            headers = Map.copyOf(headers);
        }

        @Override
        public String toString() {
            return id.value();
        }
    }

    /**
     * What came of a sign-in, without the secrets.
     *
     * @param expiresAt when it runs out; null if that is not known
     * @param lasting whether it can be renewed without a person
     */
    public record Done(String issuer, String scope, @Nullable Instant expiresAt, boolean lasting) {}

    private final Goal goal;
    private final KeptFile file;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    public Login(Goal goal, Path stateDir, InstantSource clock) {
        this.goal = goal;
        this.file = new KeptFile(stateDir.resolve("sign-in"), goal.id.value(), goal.url.toString());
        this.clock = clock;
    }

    /** Forgets what is kept of a sign-in; whether there was something. */
    public boolean forget() throws IOException {
        return file.delete();
    }

    /** Has a person sign in, and keeps what comes of it. */
    public Done run(Browser browser, Duration patience)
            throws IOException, SignInFailed, InterruptedException {
        if (goal.signIn.grant() == SignIn.Grant.CLIENT_CREDENTIALS) {
            throw new SignInFailed("Its client credentials are enough; nobody signs in to it");
        }
        var web = new Web(Places.around(goal.url));
        Challenge challenge = challenge();
        Kept before = file.read();
        String issuer = before == null ? "" : before.authority().issuer();
        Terms terms = new Discovery(web, goal.url, goal.signIn.issuer(), issuer).find(challenge);
        Kept known = terms.issuer().equals(issuer) ? before : null;
        String state = random();
        try (Callback callback = callback(known, state)) {
            String back = callback.redirectUri();
            String scope = scope(terms, challenge, known);
            Identity identity =
                    new Registration(web, terms, goal.signIn)
                            .identity(back, known == null ? null : known.identity(), scope);
            String verifier = random();
            file.room().close(); // nobody is to sign in for nothing
            browser.open(new Attempt(terms, identity.id(), back, scope, state, verifier).url());
            String code = code(callback.await(patience), terms);
            URI endpoint = terms.endpoints().token();
            Tokens tokens =
                    new TokenEndpoint(web, endpoint, terms.resource(), identity, clock)
                            .exchange(code, verifier, back, scope);
            return keep(terms, identity, tokens);
        }
    }

    /** What the server wants of one who comes without a token. */
    private Challenge challenge() throws SignInFailed, InterruptedException {
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(goal.headers);
        headers.put("Content-Type", "application/json");
        headers.put("Accept", "application/json, text/event-stream");
        try {
            Fetch.Answer answer = Fetch.send(new Fetch.Ask("POST", goal.url, headers, PING));
            return Challenge.of(answer.status() == 401 ? answer.challenge() : "");
        } catch (IOException e) {
            throw new SignInFailed(
                    "The server could not be asked: " + Shown.of(String.valueOf(e.getMessage())));
        }
    }

    /** The port that is configured; else the one for which we are registered, if it is free. */
    private Callback callback(@Nullable Kept known, String state) throws IOException, SignInFailed {
        if (goal.signIn.redirectPort() > 0) {
            return Callback.open(goal.signIn.redirectPort(), state);
        }
        if (known != null && !known.identity().redirectUri().isEmpty()) {
            try {
                return Callback.open(URI.create(known.identity().redirectUri()).getPort(), state);
            } catch (IOException _) {
                return Callback.open(0, state); // somebody else has it now
            }
        }
        return Callback.open(0, state);
    }

    private String scope(Terms terms, Challenge challenge, @Nullable Kept known) {
        List<String> more =
                known == null ? List.of() : List.of(known.tokens().scope(), known.wanted());
        return Scopes.of(goal.signIn, terms, challenge, more);
    }

    /** What the authorization server is asked in the browser. */
    private record Attempt(
            Terms terms,
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
            query.put("code_challenge", hashed(verifier));
            query.put("code_challenge_method", "S256");
            query.put("resource", terms.resource());
            if (!scope.isEmpty()) {
                query.put("scope", scope);
            }
            URI endpoint = terms.endpoints().authorization();
            String mark = endpoint.getRawQuery() == null ? "?" : "&";
            return URI.create(endpoint + mark + TokenEndpoint.encoded(query));
        }

        @Override
        public String toString() {
            return clientId; // the rest is for the browser alone
        }
    }

    /** The code in an answer. Whose answer it is is looked at first: another's says nothing. */
    private static String code(Map<String, String> answer, Terms terms) throws SignInFailed {
        String issuer = answer.get("iss");
        boolean missing = issuer == null && terms.abilities().issTold();
        if (missing || (issuer != null && !issuer.equals(terms.issuer()))) {
            throw new SignInFailed(
                    "The answer to the sign-in is not from %s; it was passed over"
                            .formatted(Shown.of(terms.issuer())));
        }
        String error = answer.get("error");
        String code = answer.get("code");
        if (error != null || code == null || code.isEmpty()) {
            String more = answer.getOrDefault("error_description", "");
            throw new SignInFailed(
                    "The sign-in was not completed: %s%s"
                            .formatted(
                                    Shown.of(error == null ? "no code came back" : error),
                                    more.isEmpty() ? "" : " (" + Shown.of(more) + ")"));
        }
        return code;
    }

    private Done keep(Terms terms, Identity identity, Tokens tokens)
            throws IOException, SignInFailed, InterruptedException {
        var authority =
                new Kept.Authority(terms.issuer(), terms.resource(), terms.endpoints().token());
        boolean configured = !goal.signIn.client().id().isEmpty();
        Identity known = configured ? identity.withoutSecret() : identity;
        var kept = new Kept(goal.url.toString(), authority, known, tokens, "");
        file.alone(
                () -> {
                    file.write(kept);
                    return kept;
                });
        long expiry = tokens.expiresAt();
        return new Done(
                terms.issuer(),
                tokens.scope(),
                expiry == 0 ? null : Instant.ofEpochSecond(expiry),
                tokens.canBeRenewed());
    }

    private String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String hashed(String verifier) {
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
