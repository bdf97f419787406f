package dev.patchbay.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BearerChallengeTest {
    @Test
    void parsesBearerParameters() {
        var challenge =
                BearerChallenge.parse(
                        "Bearer realm=\"a, \\\"b\\\"\", Scope=\"x y\", error=insufficient_scope,"
                                + " resource_metadata=\"https://x/y\"");
        assertThat(challenge)
                .isEqualTo(new BearerChallenge(true, "https://x/y", "x y", "insufficient_scope"));
        assertThat(challenge.isInsufficientScope()).isTrue();
    }

    @Test
    void ignoresOtherSchemes() {
        assertThat(BearerChallenge.parse("Basic realm=\"x\"").acceptsBearer()).isFalse();
        assertThat(BearerChallenge.parse("").acceptsBearer()).isTrue();
        assertThat(BearerChallenge.parse("bearer").acceptsBearer()).isTrue();
        var both =
                BearerChallenge.parse("Basic realm=\"x\", Bearer scope=\"a\", Digest scope=\"b\"");
        assertThat(both.scope()).isEqualTo("a");
    }

    @Test
    void readsAllChallenges() {
        var many =
                BearerChallenge.parse(
                        "Basic realm=\"a, Bearer scope=no\",Negotiate,Bearer,Bearer realm=\"x\","
                                + " resource_metadata=\"https://x/y\",DPoP algs=\"ES256\"");
        assertThat(many).isEqualTo(new BearerChallenge(true, "https://x/y", "", ""));
        assertThat(BearerChallenge.parse("Basic realm=\"Bearer\"").acceptsBearer()).isFalse();
        assertThat(BearerChallenge.parse("NTLM,Bearer scope=a,scope=b").scope()).isEqualTo("a");
    }

    @Test
    void terminatesOnHostileInput() {
        assertThat(BearerChallenge.parse("Bearer " + "a=\"\\".repeat(100_000)).error()).isEmpty();
        assertThat(BearerChallenge.parse("Bearer " + ",a ".repeat(100_000)).error()).isEmpty();
    }
}
