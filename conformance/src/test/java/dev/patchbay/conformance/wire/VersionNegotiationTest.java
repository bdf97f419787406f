package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;

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
    void answersWithTheRequestedOrTheNewestVersion(String asked, String answered) throws Exception {
        for (WireMatrixCase.LocaleSetting surroundings : WireMatrixCase.LocaleSetting.values()) {
            try (var talk = CheckedConversation.start(new WireMatrixCase(answered, surroundings))) {
                var welcome = talk.client().initialize(asked);
                assertThat(welcome.at("result", "protocolVersion").asText())
                        .as("%s in %s", asked, surroundings)
                        .isEqualTo(answered);
                talk.expectResult(ClientMessages.request("\"l\"", "tools/list", ""), "\"l\"");
                talk.finishAndCheck();
            }
        }
    }
}
