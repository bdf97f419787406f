package dev.patchbay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

class OverHttpTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir Path dir;

    /** In the modern era there are no sessions: only the connection tells whose id it is. */
    @Test
    void clientsThatCountAlikeAreToldApart() throws IOException {
        var script = ServerScript.named("s", dir).tools("echo", "changed");
        try (var server = OverHttp.start(script, "modern");
                var listener = connect(server);
                var caller = connect(server)) {
            String filter = "{\"notifications\":{\"toolsListChanged\":true}}";
            listener.send(post("subscriptions/listen", filter)).head();
            assertThat(listener.event().orElseThrow().json().at("method").text())
                    .isEqualTo("notifications/subscriptions/acknowledged");

            caller.send(post("tools/call", "{\"name\":\"changed\"}"));
            assertThat(caller.reply().json().at("id").write()).isEqualTo("7");

            JsonTree told = listener.event().orElseThrow().json();
            assertThat(told.at("method").text()).isEqualTo("notifications/tools/list_changed");
            assertThat(told.at("params", "_meta", ServerAnswers.SUBSCRIPTION_KEY).write())
                    .isEqualTo("7");
        }
    }

    @Test
    void progressOfCallsUnderOneTokenIsToldApart() throws IOException {
        var script = ServerScript.named("s", dir).tools("progress", "hang");
        try (var server = OverHttp.start(script, "modern");
                var first = connect(server);
                var second = connect(server)) {
            String meta = "\"_meta\":{\"progressToken\":7}";
            first.send(post("tools/call", "{\"name\":\"hang\"," + meta + "}"));
            assertThat(script.record().await(it -> it.calls("hang").size() == 1, SOON)).isTrue();

            second.send(post("tools/call", "{\"name\":\"progress\"," + meta + "}")).head();
            for (int i = 1; i <= 3; i++) {
                JsonTree told = second.event().orElseThrow().json().at("params");
                assertThat(told.at("progressToken").write()).isEqualTo("7");
                assertThat(told.at("progress").integer()).isEqualTo(i);
            }
            assertThat(second.event().orElseThrow().json().has("result")).isTrue();
        }
    }

    /** What is said while a client goes and another comes is for the one that comes. */
    @Test
    void nothingIsToldToAStreamThatWasLeft() throws Exception {
        var script = ServerScript.named("s", dir).tools("changed");
        try (var server = OverHttp.start(script, "legacy");
                var caller = connect(server)) {
            caller.send(legacy("initialize", Messages.initializeParams("2025-06-18"), "X: y"));
            String session = "Mcp-Session-Id: " + caller.reply().header("Mcp-Session-Id").get();
            try (var notifier = connect(server)) {
                String ready = Messages.notification("notifications/initialized", "");
                notifier.send(RawHttp.post("/mcp", List.of("Host: localhost", session), ready));
                assertThat(notifier.reply().status()).isEqualTo(202);
            }
            for (int i = 0; i < 5; i++) {
                try (var left = connect(server)) {
                    left.send(listen(session)).head();
                }
                try (var next = connect(server);
                        var calling = connect(server)) {
                    next.send(listen(session)).head();
                    calling.send(legacy("tools/call", "{\"name\":\"changed\"}", session));
                    assertThat(calling.reply().json().has("result")).isTrue();
                    assertThat(next.event().orElseThrow().json().at("method").text())
                            .isEqualTo("notifications/tools/list_changed");
                }
            }
        }
    }

    private static String listen(String session) {
        return "GET /mcp HTTP/1.1\r\nHost: localhost\r\n" + session + "\r\n\r\n";
    }

    private static byte[] legacy(String method, String params, String header) {
        String body = Messages.request("7", method, params);
        return RawHttp.post("/mcp", List.of("Host: localhost", header), body);
    }

    private static byte[] post(String method, String params) {
        String body = Messages.request("7", method, Messages.modernParams(params));
        return RawHttp.post("/mcp", List.of("Host: localhost", "Mcp-Method: " + method), body);
    }

    private static RawHttp connect(OverHttp server) throws IOException {
        var address = new InetSocketAddress(server.url().getHost(), server.url().getPort());
        return RawHttp.connect(address, SOON);
    }
}
