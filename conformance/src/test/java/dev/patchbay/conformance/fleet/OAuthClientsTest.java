package dev.patchbay.conformance.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation;
import dev.patchbay.conformance.fleet.NodeScripts.ProcessResult;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Clients of the official SDK find the authorization server of a gateway, register themselves, sign
 * a person in and call a tool. The authorization server is that of the package oidc-provider.
 */
@Tag("fleet")
class OAuthClientsTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"1", "2"})
    void typeScriptSdkSignsInAndCallsTool(String major) throws Exception {
        int port = freePort();
        int issuerPort = freePort();
        String url = "http://127.0.0.1:" + port;
        var installation = new TestInstallation(folder);
        try (var scripts = new NodeScripts(NpmPackages.installed(), folder)) {
            installation.withServer(
                    "old",
                    NpmPackages.configEntry(scripts.nodeCommand("fixture.mjs", "legacy"), ""));
            installation.settings(
                    ("\"http\": {\"auth\": \"oauth\", \"publicUrl\": \"%s\", \"oauth\":"
                                    + " [{\"issuer\": \"http://127.0.0.1:%d\"}]}")
                            .formatted(url, issuerPort));
            installation.save();
            try (var _ = HttpGatewayProcess.start(installation, "127.0.0.1:" + port)) {
                ProcessResult result =
                        scripts.run(
                                scripts.nodeCommand(
                                        "oauth-client.mjs", major, url + "/mcp", "" + issuerPort),
                                Map.of(),
                                TIMEOUT);
                assertThat(result.status()).as("%s", result).isZero();
                JsonTree report = StrictJson.parse(result.out().lines().toList().getLast());
                assertThat(report.at("text").asText())
                        .isEqualTo("This is a simple text response for testing.");
                assertThat(report.at("requestedScope").asText()).contains("mcp");
                assertThat(report.at("requestedResource").asText()).isEqualTo(url + "/mcp");
                assertThat(report.at("audience").asText()).isEqualTo(url + "/mcp");
            }
        }
    }

    /** The gateway must know its URL before it starts, so that its port cannot be any free one. */
    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
