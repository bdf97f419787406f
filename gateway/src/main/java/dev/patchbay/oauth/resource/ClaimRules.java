package dev.patchbay.oauth.resource;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/** The rules for the claims of an access token: issuer, audience and time. */
final class ClaimRules {
    /** How much the clocks of the issuer and of this machine may differ. */
    static final Duration CLOCK_SKEW = Duration.ofSeconds(60);

    private static final double SECONDS_MAX = 1e11;

    private final TrustedIssuer issuer;

    ClaimRules(TrustedIssuer issuer) {
        this.issuer = issuer;
    }

    /** Why a JWT is not valid; null if it is. */
    @Nullable String violationOfJwt(Json claims, Instant now) {
        if (!issuer.issuer().equals(claims.memberText("iss"))) {
            return "The token is from an issuer that is not trusted";
        }
        if (claims.member("exp") == null) {
            return "The token has no time of expiry";
        }
        return violation(claims, now);
    }

    /** Why an introspected token is not valid; null if it is. */
    @Nullable String violationOfIntrospected(Json claims, Instant now) {
        Json active = claims.member("active");
        Json from = claims.member("iss");
        if (active == null || !active.isTrue()) {
            return "The token is unknown, expired or revoked";
        }
        if (from != null && !from.isText(issuer.issuer())) {
            return "The token is from an issuer that is not trusted";
        }
        return violation(claims, now);
    }

    private @Nullable String violation(Json claims, Instant now) {
        if (!isForUs(claims.member("aud"))) {
            return "The token is meant for another audience";
        }
        if (claims.member("cnf") != null) {
            return "The token is bound to a key; only bearer tokens are accepted";
        }
        if (claims.member("exp") != null) {
            Instant expiry = time(claims, "exp");
            if (expiry == null) {
                return "The token has an invalid time of expiry";
            }
            if (!now.isBefore(expiry.plus(CLOCK_SKEW))) {
                return "The token has expired";
            }
        }
        if (claims.member("nbf") != null) {
            Instant start = time(claims, "nbf");
            if (start == null || now.plus(CLOCK_SKEW).isBefore(start)) {
                return "The token is not valid yet";
            }
        }
        return null;
    }

    private boolean isForUs(@Nullable Json audience) {
        if (audience == null) {
            return false;
        }
        if (audience.isString()) {
            return isOneOfOurs(audience.text());
        }
        return audience.isArray()
                && audience.elements().stream()
                        .anyMatch(it -> it.isString() && isOneOfOurs(it.text()));
    }

    /** Whether an audience is a configured one, or the endpoint of a view below it. */
    private boolean isOneOfOurs(String audience) {
        return issuer.audiences().contains(audience)
                || issuer.audiences().stream().anyMatch(it -> audience.startsWith(it + "/views/"));
    }

    /** A time in seconds since 1970; null if it is absent or not one. */
    static @Nullable Instant time(Json claims, String name) {
        Json value = claims.member(name);
        if (value == null || !value.isNumber()) {
            return null;
        }
        double seconds = Double.parseDouble(value.toString());
        return seconds >= 0 && seconds < SECONDS_MAX ? Instant.ofEpochSecond((long) seconds) : null;
    }
}
