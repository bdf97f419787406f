package dev.patchbay.oauth;

import java.time.Duration;
import java.time.Instant;

/**
 * The tokens for one server; missing texts are empty. Its text omits them.
 *
 * @param expiresAt the expiry in seconds since the epoch; 0 if unknown
 */
record OAuthTokens(String accessToken, String refreshToken, String scope, long expiresAt) {
    static final OAuthTokens NONE = new OAuthTokens("", "", "", 0);

    boolean isPresent() {
        return !accessToken.isEmpty();
    }

    boolean isRenewable() {
        return !refreshToken.isEmpty();
    }

    /** Whether the tokens have expired, or will within the margin. */
    boolean expiresWithin(Instant now, Duration margin) {
        return expiresAt > 0 && now.plus(margin).getEpochSecond() >= expiresAt;
    }

    @Override
    public String toString() {
        return isPresent() ? "tokens" : "no tokens";
    }
}
