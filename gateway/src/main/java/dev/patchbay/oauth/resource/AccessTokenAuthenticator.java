package dev.patchbay.oauth.resource;

import dev.patchbay.http.server.Principal;
import dev.patchbay.http.server.ProtectedResource;
import dev.patchbay.http.server.TokenAuthenticator;
import dev.patchbay.http.server.TokenVerdict;
import dev.patchbay.oauth.resource.AccessTokenVerifier.Verification;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Accepts the access tokens of trusted issuers, besides the tokens of another authenticator. A
 * token is verified once; its verdict is used until it expires, or for a few minutes.
 */
public final class AccessTokenAuthenticator implements TokenAuthenticator {
    static final int TOKEN_CHARS_MAX = 12 * 1024;
    static final int VERDICTS_MAX = 10_000;

    private static final int REFUSALS_MAX = 1_000;

    /** How the gateway's own tokens begin. They are never sent to an issuer. */
    private static final String OWN_TOKEN_PREFIX = "pb_";

    private final TokenAuthenticator ownTokens;
    private final ProtectedResource resource;
    private final Map<String, AccessTokenVerifier> verifiers = new LinkedHashMap<>();
    private final InstantSource clock;
    private final VerdictCache verdicts = new VerdictCache(VERDICTS_MAX);
    private final VerdictCache refusals = new VerdictCache(REFUSALS_MAX);
    private final SignedInPrincipals signedIn = new SignedInPrincipals();

    /** What the authenticator needs from the outside. */
    public record Surroundings(IssuerHttp http, InstantSource clock, Ticker ticker) {}

    /**
     * Creates an authenticator.
     *
     * @param ownTokens accepts the tokens that the gateway issued itself
     */
    public AccessTokenAuthenticator(
            TokenAuthenticator ownTokens,
            ProtectedResource resource,
            List<TrustedIssuer> issuers,
            Surroundings surroundings) {
        this.ownTokens = ownTokens;
        this.resource = resource;
        this.clock = surroundings.clock;
        for (TrustedIssuer issuer : issuers) {
            verifiers.put(
                    issuer.issuer(),
                    new AccessTokenVerifier(issuer, surroundings.http, clock, surroundings.ticker));
        }
    }

    @Override
    public ProtectedResource protectedResource() {
        return resource;
    }

    @Override
    public @Nullable Principal authenticate(@Nullable String token) {
        if (token == null) {
            return null;
        }
        Principal own = SignedJwt.hasForm(token) ? null : ownTokens.authenticate(token);
        if (own != null) {
            return own;
        }
        return verdicts.find(token, clock.instant()) instanceof TokenVerdict.Accepted(var principal)
                ? principal
                : null;
    }

    @Override
    public boolean canVerify(String token) {
        return true;
    }

    @Override
    public TokenVerdict verify(String token) throws InterruptedException {
        if (token.length() > TOKEN_CHARS_MAX) {
            return new TokenVerdict.Invalid("The token is too long");
        }
        Instant now = clock.instant();
        TokenVerdict known = verdicts.find(token, now);
        known = known == null ? refusals.find(token, now) : known;
        return known == null ? verifyNow(token) : known;
    }

    @Override
    public Predicate<Principal> currentPrincipals() {
        Predicate<Principal> own = ownTokens.currentPrincipals();
        Instant now = clock.instant();
        return principal -> own.test(principal) || signedIn.isCurrent(principal, now);
    }

    private TokenVerdict verifyNow(String token) throws InterruptedException {
        Verification result = verification(token);
        if (result == null) {
            return new TokenVerdict.Invalid("The token is unknown");
        }
        TokenVerdict verdict = result.verdict();
        switch (verdict) {
            case TokenVerdict.Accepted(Principal principal) -> {
                verdicts.put(token, verdict, result.usableUntil());
                signedIn.add(principal, result.expiresAt(), clock.instant());
            }
            case TokenVerdict.Forbidden _ -> verdicts.put(token, verdict, result.usableUntil());
            case TokenVerdict.Invalid _ -> refusals.put(token, verdict, result.usableUntil());
            case TokenVerdict.Unavailable _ -> {
                // The next request may find the issuer again.
            }
        }
        return verdict;
    }

    private @Nullable Verification verification(String token) throws InterruptedException {
        if (SignedJwt.hasForm(token)) {
            SignedJwt jwt = SignedJwt.parse(token);
            String issuer = jwt == null ? null : jwt.claims().memberText("iss");
            if (jwt == null || issuer == null) {
                return refused("The token is not well-formed");
            }
            AccessTokenVerifier verifier = verifiers.get(issuer);
            return verifier == null
                    ? refused("The token is from an issuer that is not trusted")
                    : verifier.verifyJwt(jwt);
        }
        if (SignedJwt.hasEncryptedForm(token)) {
            return refused("The token is encrypted; only signed tokens are accepted");
        }
        if (!token.startsWith(OWN_TOKEN_PREFIX)) {
            for (AccessTokenVerifier verifier : verifiers.values()) {
                if (verifier.canIntrospect()) {
                    return verifier.introspect(token);
                }
            }
        }
        return null;
    }

    private Verification refused(String reason) {
        Instant now = clock.instant();
        return new Verification(new TokenVerdict.Invalid(reason), now, now);
    }
}
