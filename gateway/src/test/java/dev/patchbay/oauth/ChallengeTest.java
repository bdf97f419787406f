package dev.patchbay.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChallengeTest {
    @Test
    void readsWhatIsSaidOfBearerTokens() {
        var challenge =
                Challenge.of(
                        "Bearer realm=\"a, \\\"b\\\"\", Scope=\"x y\", error=insufficient_scope,"
                                + " resource_metadata=\"https://x/y\"");
        assertThat(challenge)
                .isEqualTo(new Challenge(true, "https://x/y", "x y", "insufficient_scope"));
        assertThat(challenge.wantsMoreRights()).isTrue();
    }

    @Test
    void leavesOtherSchemesAlone() {
        assertThat(Challenge.of("Basic realm=\"x\"").bearer()).isFalse();
        assertThat(Challenge.of("").bearer()).isTrue();
        assertThat(Challenge.of("bearer").bearer()).isTrue();
        var both = Challenge.of("Basic realm=\"x\", Bearer scope=\"a\", Digest scope=\"b\"");
        assertThat(both.scope()).isEqualTo("a");
    }

    @Test
    void endsOnWhateverIsSent() {
        assertThat(Challenge.of("Bearer " + "a=\"\\".repeat(100_000)).error()).isEmpty();
        assertThat(Challenge.of("Bearer " + ",a ".repeat(100_000)).error()).isEmpty();
    }
}
