package dev.patchbay.config.read;

import static dev.patchbay.config.read.ConfigSamples.fileWithSettings;
import static dev.patchbay.config.read.ConfigSamples.readErrors;
import static dev.patchbay.config.read.ConfigSamples.readValid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.Finding;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of the HTTP endpoint: what is accepted, refused and warned of. */
class SettingsReaderTest {
    @Test
    void requiresTokenWhenListeningOnNetwork() {
        assertThat(
                        readErrors(
                                fileWithSettings(
                                        "\"http\": {\"listen\": \"0.0.0.0:80\", \"auth\":"
                                                + " \"none\"}")))
                .extracting(Finding::path)
                .containsExactly("patchbay.http.auth");
        readValid(fileWithSettings("\"http\": {\"listen\": \"0.0.0.0:80\", \"auth\": \"token\"}"));
        readValid(fileWithSettings("\"http\": {\"listen\": \"localhost:80\", \"auth\": \"none\"}"));
    }

    @Test
    void warnsOfOtherHostNamesWithoutToken() {
        var http = "\"http\": {\"auth\": \"%s\", \"allowedHosts\": [\"gateway.local\"]}";
        assertThat(readValid(fileWithSettings(http.formatted("none"))).findings())
                .extracting(Finding::path)
                .containsExactly("patchbay.http.allowedHosts");
        assertThat(readValid(fileWithSettings(http.formatted("token"))).findings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8808", ":8808", "127.0.0.1", "a:b", "h:65536", "::1:80", "h:1 "})
    void rejectsListenAddressWithoutHostOrPort(String listen) {
        assertThat(readErrors(fileWithSettings("\"http\": {\"listen\": \"" + listen + "\"}")))
                .hasSize(1);
    }
}
