package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;

import org.junit.jupiter.api.Test;

/** For how long lists may be kept, in numbers that every client can read. */
class CacheHintTest {
    @Test
    void unrestrictedHintDoesNotAge() {
        assertThat(CacheHint.UNRESTRICTED.afterMillis(5)).isEqualTo(CacheHint.UNRESTRICTED);
        assertThat(new CacheHint(7, true).afterMillis(5)).isEqualTo(new CacheHint(2, true));
    }

    @Test
    void ttlOfAServerIsBounded() {
        assertThat(CacheHint.of(Json.of("{\"ttlMs\":9223372036854775807}")).ttlMs())
                .isEqualTo(86_400_000);
        assertThat(CacheHint.of(Json.of("{\"ttlMs\":-1}")).ttlMs()).isZero();
    }
}
