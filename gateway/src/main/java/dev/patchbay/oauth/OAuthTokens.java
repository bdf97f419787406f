package dev.patchbay.oauth;

import java.time.Duration;
import java.time.Instant;

/**
 * What an authorization server gave us for one server; texts are empty where it gave none. As text
 * it is a word only, for all of it is secret.
 *
 * @param expiresAt when it runs out, in seconds; 0 if that is not known
 */
record OAuthTokens(String accessToken, String refreshToken, String scope, long expiresAt) {
    static final OAuthTokens NONE = new OAuthTokens("", "", "", 0);

    boolean isPresent() {
        return !accessToken.isEmpty();
    }

    boolean isRenewable() {
        return !refreshToken.isEmpty();
    }

    /** Whether they have run out, or will within so much time. */
    boolean expiresWithin(Instant now, Duration margin) {
        return expiresAt > 0 && now.plus(margin).getEpochSecond() >= expiresAt;
    }

    @Override
    public String toString() {
        return isPresent() ? "tokens" : "no tokens";
    }
}
