package dev.patchbay.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.app.wiring.CommandFailedException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/** The times that {@code --since} takes. */
class PastTimeTest {
    private static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "30s, 2026-11-18T11:59:30Z",
        "30m, 2026-11-18T11:30:00Z",
        "12h, 2026-11-18T00:00:00Z",
        "7d, 2026-11-11T12:00:00Z",
        "1w, 2026-11-11T12:00:00Z",
        "2026-11-18T09:00:00Z, 2026-11-18T09:00:00Z",
        "2026-11-18T09:00:00+02:00, 2026-11-18T07:00:00Z",
    })
    void parsesTimes(String text, Instant meant) {
        assertThat(PastTime.parse(text, NOW)).isEqualTo(meant);
    }

    @Test
    void dateIsTheBeginOfThatDayHere() {
        assertThat(PastTime.parse("2026-11-17", NOW))
                .isEqualTo(
                        LocalDate.of(2026, 11, 17)
                                .atStartOfDay(ZoneId.systemDefault())
                                .toInstant());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yesterday", "5", "5y", "2026-13-01", "1234567d"})
    void refusesOtherTexts(String text) {
        assertThatThrownBy(() -> PastTime.parse(text, NOW))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining("--since");
    }
}
