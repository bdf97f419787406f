package dev.patchbay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

class ScriptedHttpServerTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir Path dir;

    /** In the modern era there are no sessions: only the connection tells whose id it is. */
    @Test
    void clientsWithEqualIdsAreDistinguished() throws IOException {
        var script = ServerScript.named("s", dir).tools("echo", "changed");
        try (var server = ScriptedHttpServer.start(script, "modern");
                var listener = connect(server);
                var caller = connect(server)) {
            String filter = "{\"notifications\":{\"toolsListChanged\":true}}";
            listener.send(post("subscriptions/listen", filter)).readResponseHead();
            assertThat(listener.readEvent().orElseThrow().json().at("method").asText())
                    .isEqualTo("notifications/subscriptions/acknowledged");

            caller.send(post("tools/call", "{\"name\":\"changed\"}"));
            assertThat(caller.readResponse().json().at("id").write()).isEqualTo("7");

            JsonTree told = listener.readEvent().orElseThrow().json();
            assertThat(told.at("method").asText()).isEqualTo("notifications/tools/list_changed");
            assertThat(told.at("params", "_meta", ScriptedResponses.SUBSCRIPTION_KEY).write())
                    .isEqualTo("7");
        }
    }

    @Test
    void progressWithEqualTokensIsDistinguished() throws IOException {
        var script = ServerScript.named("s", dir).tools("progress", "hang");
        try (var server = ScriptedHttpServer.start(script, "modern");
                var first = connect(server);
                var second = connect(server)) {
            String meta = "\"_meta\":{\"progressToken\":7}";
            first.send(post("tools/call", "{\"name\":\"hang\"," + meta + "}"));
            assertThat(script.recording().await(it -> it.callArguments("hang").size() == 1, SOON))
                    .isTrue();

            second.send(post("tools/call", "{\"name\":\"progress\"," + meta + "}"))
                    .readResponseHead();
            for (int i = 1; i <= 3; i++) {
                JsonTree told = second.readEvent().orElseThrow().json().at("params");
                assertThat(told.at("progressToken").write()).isEqualTo("7");
                assertThat(told.at("progress").asLong()).isEqualTo(i);
            }
            assertThat(second.readEvent().orElseThrow().json().has("result")).isTrue();
        }
    }

    /** What is said while a client goes and another comes is for the one that comes. */
    @Test
    void abandonedStreamReceivesNothing() throws Exception {
        var script = ServerScript.named("s", dir).tools("changed");
        try (var server = ScriptedHttpServer.start(script, "legacy");
                var caller = connect(server)) {
            caller.send(
                    legacy("initialize", ClientMessages.initializeParams("2025-06-18"), "X: y"));
            String session =
                    "Mcp-Session-Id: " + caller.readResponse().header("Mcp-Session-Id").get();
            try (var notifier = connect(server)) {
                String ready = ClientMessages.notification("notifications/initialized", "");
                notifier.send(
                        RawHttpConnection.postRequest(
                                "/mcp", List.of("Host: localhost", session), ready));
                assertThat(notifier.readResponse().status()).isEqualTo(202);
            }
            for (int i = 0; i < 5; i++) {
                try (var left = connect(server)) {
                    left.send(listen(session)).readResponseHead();
                }
                try (var next = connect(server);
                        var calling = connect(server)) {
                    next.send(listen(session)).readResponseHead();
                    calling.send(legacy("tools/call", "{\"name\":\"changed\"}", session));
                    assertThat(calling.readResponse().json().has("result")).isTrue();
                    assertThat(next.readEvent().orElseThrow().json().at("method").asText())
                            .isEqualTo("notifications/tools/list_changed");
                }
            }
        }
    }

    private static String listen(String session) {
        return "GET /mcp HTTP/1.1\r\nHost: localhost\r\n" + session + "\r\n\r\n";
    }

    private static byte[] legacy(String method, String params, String header) {
        String body = ClientMessages.request("7", method, params);
        return RawHttpConnection.postRequest("/mcp", List.of("Host: localhost", header), body);
    }

    private static byte[] post(String method, String params) {
        String body = ClientMessages.request("7", method, ClientMessages.modernParams(params));
        return RawHttpConnection.postRequest(
                "/mcp", List.of("Host: localhost", "Mcp-Method: " + method), body);
    }

    private static RawHttpConnection connect(ScriptedHttpServer server) throws IOException {
        var address = new InetSocketAddress(server.url().getHost(), server.url().getPort());
        return RawHttpConnection.connect(address, SOON);
    }
}
