package dev.patchbay.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Random;
import java.util.stream.IntStream;

class BackoffTest {
    @Test
    @Tag("INV-MCP-ECO-101")
    void doublesFromOneSecondToThirtyAndVariesByAFifth() {
        var backoff = new Backoff(new Random(42));
        long[] plain = {1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000};
        for (int failures = 1; failures <= plain.length; failures++) {
            long expected = plain[failures - 1];
            int after = failures;
            var delays =
                    IntStream.range(0, 500)
                            .mapToLong(_ -> backoff.delayAfter(after).toMillis())
                            .summaryStatistics();
            assertThat(delays.getMin()).isBetween(expected * 8 / 10, expected * 85 / 100);
            assertThat(delays.getMax()).isBetween(expected * 115 / 100, expected * 12 / 10);
        }
    }

    @Test
    void delayNeverOverflows() {
        assertThat(new Backoff(new Random(1)).delayAfter(Integer.MAX_VALUE).toSeconds())
                .isBetween(24L, 36L);
    }

    @Test
    void attemptsInTheBackgroundBecomeRarerAfterTwentyMinutes() {
        var backoff = new Backoff(new Random(7));
        for (int number = 1; number <= 20; number++) {
            assertThat(backoff.delayBeforeRecovery(number).toMillis()).isBetween(60_000L, 65_000L);
        }
        assertThat(backoff.delayBeforeRecovery(21).toSeconds()).isBetween(120L, 125L);
        assertThat(backoff.delayBeforeRecovery(22).toSeconds()).isBetween(240L, 245L);
        assertThat(backoff.delayBeforeRecovery(30).toSeconds()).isBetween(600L, 605L);
        assertThat(backoff.delayBeforeRecovery(Integer.MAX_VALUE).toSeconds())
                .isBetween(600L, 605L);
    }
}
