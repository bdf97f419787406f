package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.RawHttpConnection;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

/** The server card of {@code serve} (draft SEP-2127). */
class ServerCardServingTest {
    private static final String URL = "https://mcp.example.com/mcp";

    @TempDir private Path folder;

    private static RawHttpConnection.Response get(ServeProcess gateway, String... headers)
            throws IOException {
        var request = new StringBuilder("GET /mcp/server-card HTTP/1.1\r\nHost: 127.0.0.1:");
        request.append(gateway.address().getPort()).append("\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        try (RawHttpConnection client =
                RawHttpConnection.connect(gateway.address(), ServeProcess.TIMEOUT)) {
            return client.send(request.append("\r\n").toString()).readResponse();
        }
    }

    @Test
    void cardIsServedToEverybodyIfItIsConfigured() throws IOException {
        ServerScript script = ServerScript.named("s", folder).tools("echo");
        String settings = "\"http\": {\"auth\": \"token\", \"serverCard\": \"" + URL + "\"}";
        try (ServeProcess gateway = ServeProcess.start(folder, script, settings)) {
            RawHttpConnection.Response card = get(gateway, "Origin: https://other.example.com");
            assertThat(card.status()).as(card.body()).isEqualTo(200);
            assertThat(card.header("Content-Type")).contains("application/mcp-server-card+json");
            assertThat(card.header("Access-Control-Allow-Origin")).contains("*");
            assertThat(card.header("Cache-Control")).contains("public, max-age=3600");
            assertThat(card.json().at("name").asText()).isEqualTo("io.github.patchbay/patchbay");
            assertThat(card.json().at("remotes").write())
                    .contains(URL, "2026-07-28", "\"isSecret\":true")
                    .doesNotContain("echo", String.valueOf(gateway.token()));
            String tag = card.header("ETag").orElseThrow();
            assertThat(get(gateway, "If-None-Match: " + tag).status()).isEqualTo(304);
        }
    }

    @Test
    void withoutTheSettingThereIsNoCard() throws IOException {
        try (ServeProcess gateway = ServeProcess.startWithoutToken(folder, "echo")) {
            assertThat(get(gateway).status()).isEqualTo(404);
        }
    }
}
