package dev.patchbay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.server.PrincipalShares.Share;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Objects;

class PrincipalSharesTest {
    private final PrincipalShares shares = new PrincipalShares(4);

    @Test
    void namedTokenGetsHalfAtMostAndLeavesTheRestToOthers() {
        Share one = Objects.requireNonNull(shares.tryAcquire("ann"));
        assertThat(shares.tryAcquire("ann")).isNotNull();
        assertThat(shares.tryAcquire("ann")).isNull();
        assertThat(shares.tryAcquire("bob")).isNotNull();
        one.close();
        one.close();
        assertThat(shares.tryAcquire("ann")).isNotNull();
        assertThat(shares.tryAcquire("ann")).as("given back once").isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"owner", "anyone", ""})
    void ownerHasNoBound(String principal) {
        for (int i = 0; i < 10; i++) {
            assertThat(shares.tryAcquire(principal)).isNotNull();
        }
    }

    @Test
    void everyPrincipalGetsOne() {
        assertThat(new PrincipalShares(1).tryAcquire("ann")).isNotNull();
    }
}
