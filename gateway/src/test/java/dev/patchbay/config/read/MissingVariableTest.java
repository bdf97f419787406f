package dev.patchbay.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Finding;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

/** A variable that is not set costs the server that needs it, and nobody else. */
class MissingVariableTest {
    private final ConfigReader reader = new ConfigReader(Map.of());

    private List<String> lines(String text) {
        return reader.read(text).findings().stream().map(Finding::toString).toList();
    }

    private List<ServerSpec> servers(String text) {
        return reader.read(text) instanceof ConfigReadResult.Valid valid
                ? valid.configuration().servers()
                : List.of();
    }

    @Test
    void onlyMissingVariableIsReported() {
        assertThat(lines("{\"mcpServers\": {\"a\": {\"url\": \"https://${HOST_OF_IT}/\"}}}"))
                .containsExactly(
                        "1:30: warning: mcpServers.a.url: The environment variable HOST_OF_IT is"
                                + " not set. Set it, or write ${HOST_OF_IT:-default}.");
    }

    @Test
    void missingVariableInSettingsIsAnError() {
        String text = "{\"mcpServers\": {}, \"patchbay\": {\"stateDir\": \"${PLACE_OF_IT}\"}}";
        assertThat(reader.read(text)).isInstanceOf(ConfigReadResult.Invalid.class);
        assertThat(lines(text)).hasSize(1).first().asString().contains("error: patchbay.stateDir");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"url\": \"https://x/\", \"headers\": {\"K\": \"${A} ${B}\"}",
                "\"url\": \"https://${A}/\", \"tags\": [\"${B}\"]",
                "\"url\": \"${A}\", \"tools\": {\"include\": [\"${B}\"]}",
            })
    void serverWithMissingVariableIsTriedOnce(String entry) {
        List<ServerSpec> servers =
                servers(
                        "{\"mcpServers\": {\"a\": {%s}, \"b\": {\"command\": \"x\"}}}"
                                .formatted(entry));
        assertThat(servers).hasSize(2);
        ServerSpec a = servers.getFirst();
        assertThat(a.transport())
                .isEqualTo(new Transport.MissingVariables(false, List.of("A", "B")));
        assertThat(a.transport().typeName()).isEqualTo("http");
        assertThat(a.options().limits().maxRetries()).isZero();
        assertThat(servers.getLast().transport()).isInstanceOf(Transport.Stdio.class);
    }
}
