package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Messages;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A handshake is answered with the version it asks for, or with the newest of its era. */
class VersionNegotiationTest {
    /** PC8. */
    @ParameterizedTest
    @CsvSource({
        "2024-11-05, 2024-11-05",
        "2025-03-26, 2025-03-26",
        "2025-06-18, 2025-06-18",
        "2025-11-25, 2025-11-25",
        "2026-07-28, 2025-11-25",
        "9999-99-99, 2025-11-25",
        "1.0, 2025-11-25",
        "'', 2025-11-25",
    })
    void answersWithAVersionBothMaySpeak(String asked, String answered) throws Exception {
        for (Cell.Surroundings surroundings : Cell.Surroundings.values()) {
            try (var talk = Talk.start(new Cell(answered, surroundings))) {
                var welcome = talk.client().initialize(asked);
                assertThat(welcome.at("result", "protocolVersion").text())
                        .as("%s in %s", asked, surroundings)
                        .isEqualTo(answered);
                talk.expectResult(Messages.request("\"l\"", "tools/list", ""), "\"l\"");
                talk.finish();
            }
        }
    }
}
