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

    private static byte[] post(String method, String params) {
        String body = Messages.request("7", method, Messages.modernParams(params));
        return RawHttp.post("/mcp", List.of("Host: localhost", "Mcp-Method: " + method), body);
    }

    private static RawHttp connect(OverHttp server) throws IOException {
        var address = new InetSocketAddress(server.url().getHost(), server.url().getPort());
        return RawHttp.connect(address, SOON);
    }
}
