package dev.patchbay.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Finding;
import dev.patchbay.server.ServerSpec.Transport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

/** References to secrets are kept in env and headers, and refused elsewhere. */
class SecretReferenceReadingTest {
    private final ConfigReader reader = new ConfigReader(Map.of("HOST", "example.com"));

    private ConfigReadResult read(String members) {
        return reader.read("{\"mcpServers\": {\"a\": {" + members + "}}}");
    }

    private Transport transport(String members) {
        return ((ConfigReadResult.Valid) read(members))
                .configuration()
                .servers()
                .getFirst()
                .transport();
    }

    @Test
    void referencesAreKeptWithTheTextAroundThem() throws Exception {
        var http =
                (Transport.Http)
                        transport(
                                "\"url\": \"https://example.com\", \"headers\":"
                                        + " {\"A\": \"${HOST} ${secret:x.y-z}/${file:~/k}!\"}");
        assertThat(http.headers().resolve(it -> "<" + it + ">").values())
                .containsEntry("A", "example.com <${secret:x.y-z}>/<${file:~/k}>!");
    }

    @Test
    void variableWithADefaultIsNotAReference() {
        var stdio =
                (Transport.Stdio)
                        transport(
                                "\"command\": \"x\", \"env\":"
                                        + " {\"A\": \"${secret:-one}${file:-two}$${secret:x}\"}");
        assertThat(stdio.env().literals()).containsEntry("A", "onetwo${secret:x}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"command\": \"${secret:x}\"",
                "\"command\": \"x\", \"args\": [\"${secret:x}\"]",
                "\"command\": \"x\", \"cwd\": \"${file:/x}\"",
                "\"url\": \"https://example.com/${secret:x}\"",
                "\"command\": \"x\", \"env\": {\"A\": \"${secret:}\"}",
                "\"command\": \"x\", \"env\": {\"A\": \"${secret:../x}\"}",
                "\"command\": \"x\", \"env\": {\"A\": \"${file:relative}\"}",
            })
    void invalidReferencesAndOtherPlacesAreErrors(String members) {
        ConfigReadResult result = read(members);
        assertThat(result.hasErrors()).isTrue();
        assertThat(result.findings())
                .anyMatch(it -> it.kind() == Finding.Kind.WRONG_VALUE)
                .anyMatch(it -> it.remedy().contains("${secret:NAME}"));
    }

    @Test
    void projectEntryListsItsSecrets() {
        var servers =
                ProjectServers.read(
                        "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"env\":"
                                + " {\"A\": \"${V}${secret:s}\", \"B\": \"${file:/f}\"}}}}");
        assertThat(servers.getFirst().variables()).containsExactly("V");
        assertThat(servers.getFirst().secrets().toString()).isEqualTo("[${secret:s}, ${file:/f}]");
    }
}
