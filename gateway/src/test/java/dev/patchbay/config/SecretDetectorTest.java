package dev.patchbay.config;

import static dev.patchbay.config.read.ConfigSamples.fileWithServer;
import static dev.patchbay.config.read.ConfigSamples.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.read.ConfigSamples;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets are noticed where others can read them, and shown nowhere. */
class SecretDetectorTest {
    private static final String TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--token=abc",
                "--api-key=${ANYTHING:-x}",
                "${GITHUB_TOKEN}",
                "--header=Authorization: Bearer ${DOCS_TOKEN}",
                "postgresql://kim:hunter2@db.example.com/app",
                "ghp_a1B2c3D4e5F6g7H8i9J0",
                "--key=sk-proj-0123456789abcdefghij",
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0",
                "Zx81kQ93LmPq02TtYw7Vb5Nc4Hd6Jf8G",
            })
    void warnsOfSecretInArguments(String argument) {
        var file =
                read(
                        fileWithServer(
                                "\"command\": \"x\", \"args\": [\"run\", \"" + argument + "\"]"));
        assertThat(file.findings())
                .filteredOn(finding -> finding.kind() == Kind.EXPOSED_SECRET)
                .extracting(Finding::path)
                .containsExactly("mcpServers.one.args[1]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-y",
                "@modelcontextprotocol/server-filesystem",
                "/home/kim/projects/a-long-folder-name/with/parts/and-more-parts-2026",
                "--port=8080",
                "mcp/server@sha256",
                "--max-tokens=100",
                "https://example.com/mcp",
                "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
                "--token-file",
                "com.example.server.internal.MainClassOfTheWholeProgram",
            })
    void doesNotWarnOfOrdinaryArguments(String argument) {
        var file =
                read(
                        fileWithServer(
                                "\"command\": \"x\", \"args\": [\"run\", \"" + argument + "\"]"));
        assertThat(file.findings()).isEmpty();
    }

    @Test
    void warnsOfValueAfterSecretOption() {
        var file =
                read(fileWithServer("\"command\": \"x\", \"args\": [\"--password\", \"hunter2\"]"));
        assertThat(file.findings())
                .extracting(Finding::path)
                .containsExactly("mcpServers.one.args[1]");
    }

    @Test
    void warnsOfSecretInUrl() {
        var file = read(fileWithServer("\"url\": \"https://example.com/mcp?api_key=hunter2\""));
        assertThat(file.findings()).extracting(Finding::kind).containsExactly(Kind.EXPOSED_SECRET);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://example.com/mcp | Authorization | true",
                "http://10.1.2.3/mcp | X-Api-Key | true",
                "http://example.com/mcp | Cookie | true",
                "https://example.com/mcp | Authorization | false",
                "http://127.0.0.1:1/mcp | Authorization | false",
                "http://[::1]:1/mcp | Authorization | false",
                "http://example.com/mcp | Accept-Language | false",
            })
    void warnsOfCredentialWithoutTls(String url, String header, boolean warned) {
        var file =
                read(
                        fileWithServer(
                                "\"url\": \"%s\", \"headers\": {\"%s\": \"${GITHUB_TOKEN}\"}"
                                        .formatted(url, header)));
        assertThat(file.findings().stream().anyMatch(it -> it.kind() == Kind.EXPOSED_SECRET))
                .isEqualTo(warned);
    }

    /** Whatever a file says in whatever place, its secret is in no finding. */
    @Test
    void findingsContainNoSecret() {
        var full = ConfigSamples.FULL;
        for (int at = full.indexOf('"'); at >= 0; at = full.indexOf('"', at + 1)) {
            var text = full.substring(0, at + 1) + TOKEN + full.substring(at + 1);
            assertThat(read(text).findings().toString()).as("at %d", at).doesNotContain(TOKEN);
        }
    }

    @Test
    void configurationToStringContainsNoSecret() {
        var configuration = ConfigSamples.readValid(ConfigSamples.FULL).configuration();
        assertThat(configuration.toString())
                .contains("github", "stdio", "docs", "http")
                .doesNotContain("gh-secret", "docs-secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://kim:hunter2@example.com/mcp",
                "https://example.com/mcp?key=hunter2",
                "https://example.com/ghp_a1B2c3D4e5F6g7H8i9J0hunter2/mcp",
            })
    void masksSecretInUrl(String url) {
        assertThat(SecretDetector.maskUrl(url))
                .contains("https://example.com")
                .doesNotContain("hunter2");
    }

    @Test
    void leavesOrdinaryUrlUnchanged() {
        assertThat(SecretDetector.maskUrl("http://localhost:8808/mcp"))
                .isEqualTo("http://localhost:8808/mcp");
    }
}
