package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.server.FakeServer;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.time.FakeTicker;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

class ListAnnouncementsTest {
    private static final String INITIALIZED =
            """
            {"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},\
            "serverInfo":{"name":"fake","version":"1"}}\
            """;

    private final FakeTicker ticker = new FakeTicker();
    private final ListAnnouncements announcements = new ListAnnouncements(ticker);

    @Test
    void announcementIsPassedOnOnce() {
        announcements.add("tools");
        announcements.add("tools");
        announcements.add("prompts");
        assertThat(announcements.take()).containsExactlyInAnyOrder("tools", "prompts");
        assertThat(announcements.take()).isEmpty();
    }

    @Test
    void clientsAreToldThoughTheListIsTheSame() throws Exception {
        var server =
                new FakeServer(
                        (method, _) ->
                                switch (method) {
                                    case "initialize" -> FakeServer.result(INITIALIZED);
                                    case "tools/list" -> FakeServer.result("{\"tools\":[]}");
                                    default -> FakeServer.error(-32601, "Method not found");
                                });
        var changes = new LinkedBlockingQueue<String>();
        try (var gateway =
                Gateway.open(GatewaySettings.DEFAULTS, _ -> server, InstantSource.system())) {
            gateway.register(
                    new ServerSpec(
                            new ServerId("a"),
                            new Transport.Stdio("none", List.of(), Map.of(), null),
                            Options.DEFAULTS));
            DiscoveryResult _ = gateway.discover(DiscoveryRequest.ALL);
            gateway.addListener(
                    new GatewayListener() {
                        @Override
                        public void listChanged(String list) {
                            changes.add(list);
                        }
                    });
            server.sendMessage(
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
            assertThat(changes.poll(30, TimeUnit.SECONDS)).isEqualTo("tools");
        }
    }

    @Test
    void serverThatAnnouncesAllTheTimeIsNotBelieved() {
        for (int i = 0; i < 11; i++) {
            announcements.add("tools");
        }
        assertThat(announcements.take()).isEmpty();
        announcements.add("tools");
        assertThat(announcements.take()).isEmpty();
        ticker.advance(Duration.ofSeconds(11));
        announcements.add("tools");
        assertThat(announcements.take()).containsExactly("tools");
    }
}
