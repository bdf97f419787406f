package dev.patchbay.oauth.resource;

import dev.patchbay.http.server.TokenVerdict;
import dev.patchbay.json.Json;
import dev.patchbay.oauth.resource.TrustedIssuer.Introspection;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Set;

/** Verifies the access tokens of one issuer. */
final class AccessTokenVerifier {
    /** How long the verdict on a JWT is used before its signature is verified again. */
    static final Duration JWT_VERDICT_AGE_MAX = Duration.ofMinutes(5);

    /** How long a token that its issuer has revoked may still be accepted. */
    static final Duration INTROSPECTION_AGE_MAX = Duration.ofSeconds(60);

    static final Duration REFUSAL_AGE_MAX = Duration.ofSeconds(10);

    /** The types of access tokens; many issuers write the plain one. */
    private static final Set<String> TYPES = Set.of("at+jwt", "application/at+jwt", "jwt");

    /** What tells that a token was signed with a shared secret, or not at all. */
    private static final Set<String> UNSAFE_ALGORITHMS = Set.of("none", "HS256", "HS384", "HS512");

    /**
     * A verdict, and how long it may be used.
     *
     * @param expiresAt when the token expires; that of the verdict if the token does not tell
     */
    record Verification(TokenVerdict verdict, Instant usableUntil, Instant expiresAt) {}

    private final TrustedIssuer issuer;
    private final ClaimRules rules;
    private final IssuerKeys keys;
    private final @Nullable IntrospectionClient introspection;
    private final InstantSource clock;

    AccessTokenVerifier(TrustedIssuer issuer, IssuerHttp http, InstantSource clock, Ticker ticker) {
        this.issuer = issuer;
        this.rules = new ClaimRules(issuer);
        this.keys = new IssuerKeys(issuer, http, ticker);
        Introspection account = issuer.introspection();
        this.introspection =
                account == null ? null : new IntrospectionClient(issuer.issuer(), account, http);
        this.clock = clock;
    }

    boolean canIntrospect() {
        return introspection != null;
    }

    /** Verifies a JWT that names this issuer. */
    Verification verifyJwt(SignedJwt token) throws InterruptedException {
        Instant now = clock.instant();
        Json header = token.header();
        SignatureAlgorithm algorithm = SignatureAlgorithm.of(header.memberText("alg"));
        if (algorithm == null) {
            return invalid(now, describeAlgorithm(header.memberText("alg")));
        }
        if (!isAccessTokenType(header) || header.member("crit") != null) {
            return invalid(now, "The token is not a plain access token");
        }
        String violation = rules.violationOfJwt(token.claims(), now);
        if (violation != null) {
            return invalid(now, violation);
        }
        try {
            return switch (keys.verify(token, algorithm)) {
                case VALID -> accept(token.claims(), now, JWT_VERDICT_AGE_MAX);
                case WRONG_SIGNATURE -> invalid(now, "The signature of the token is wrong");
                case UNKNOWN_KEY -> invalid(now, "The token is signed with an unknown key");
            };
        } catch (IssuerUnavailableException e) {
            return unavailable(now, e);
        }
    }

    /** Verifies a token that is not a JWT. */
    Verification introspect(String token) throws InterruptedException {
        Instant now = clock.instant();
        if (introspection == null) {
            return invalid(now, "The token is unknown");
        }
        try {
            Json claims = introspection.introspect(token);
            String violation = rules.violationOfIntrospected(claims, now);
            return violation == null
                    ? accept(claims, now, INTROSPECTION_AGE_MAX)
                    : invalid(now, violation);
        } catch (IssuerUnavailableException e) {
            return unavailable(now, e);
        }
    }

    private static String describeAlgorithm(@Nullable String name) {
        String found =
                name != null && UNSAFE_ALGORITHMS.contains(name)
                        ? "The signature algorithm of the token is " + name
                        : "The signature algorithm of the token is not supported";
        return found + "; RS256, ES256 and EdDSA are accepted";
    }

    private static boolean isAccessTokenType(Json header) {
        Json type = header.member("typ");
        boolean isNested = header.member("cty") != null;
        return !isNested
                && (type == null
                        || (type.isString()
                                && TYPES.contains(type.text().toLowerCase(Locale.ROOT))));
    }

    private Verification accept(Json claims, Instant now, Duration ageMax) {
        Instant latest = now.plus(ageMax);
        Instant stated = ClaimRules.time(claims, "exp");
        Instant expiry = stated == null ? latest : stated.plus(ClaimRules.CLOCK_SKEW);
        return new Verification(
                issuer.claims().principal(issuer.issuer(), claims),
                expiry.isBefore(latest) ? expiry : latest,
                expiry);
    }

    private static Verification invalid(Instant now, String reason) {
        return new Verification(new TokenVerdict.Invalid(reason), now.plus(REFUSAL_AGE_MAX), now);
    }

    private static Verification unavailable(Instant now, IssuerUnavailableException cause) {
        return new Verification(
                new TokenVerdict.Unavailable(String.valueOf(cause.getMessage())), now, now);
    }
}
