package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.server.FakeServer;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.ServerState;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** The level that servers are told, while many clients want another at the same time. */
class ClientLogLevelsTest {
    private static final List<String> LEVELS = List.of("debug", "info", "warning", "error");
    private static final int CLIENTS = 8;
    private static final int ROUNDS = 1_000;
    private static final String INITIALIZED =
            """
            {"protocolVersion":"2025-11-25","capabilities":{"logging":{}},\
            "serverInfo":{"name":"fake","version":"1"}}\
            """;

    private final FakeServer server = new FakeServer(ClientLogLevelsTest::answer);
    private final Gateway gateway =
            Gateway.open(GatewaySettings.DEFAULTS, _ -> server, InstantSource.system());

    private static String answer(String method, Json params) {
        return switch (method) {
            case "initialize" -> FakeServer.result(INITIALIZED);
            case "logging/setLevel" -> FakeServer.result("{}");
            default -> FakeServer.error(-32601, "Method not found");
        };
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void serverEndsUpWithTheLowestRequestedLevel() throws Exception {
        var id = new ServerId("a");
        var transport = new Transport.Stdio("none", List.of(), Map.of(), null);
        gateway.register(new ServerSpec(id, transport, ServerSpec.Options.DEFAULTS));
        assertThat(GatewayFixture.becomesTrue(() -> status(id) == ServerState.Status.CONNECTED))
                .isTrue();
        var random = new Random(20261117);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < ROUNDS; round++) {
                int[] wanted = random.ints(CLIENTS, 0, LEVELS.size()).toArray();
                List<Callable<Boolean>> all = new ArrayList<>();
                for (int client = 0; client < CLIENTS; client++) {
                    all.add(setting("client " + client, LEVELS.get(wanted[client])));
                }
                assertThat(threads.invokeAll(all)).allMatch(it -> it.resultNow());
                String least = LEVELS.get(IntStream.of(wanted).min().orElseThrow());
                assertThat(GatewayFixture.becomesTrue(() -> lastLevelReceived().equals(least)))
                        .as("%s in round %d, but %s", least, round, lastLevelReceived())
                        .isTrue();
            }
        }
    }

    private Callable<Boolean> setting(Object client, String level) {
        return () -> {
            gateway.setLogLevel(client, level);
            return true;
        };
    }

    private ServerState.Status status(ServerId id) {
        return gateway.server(id).orElseThrow().state().status();
    }

    private String lastLevelReceived() {
        return server.received.stream()
                .map(it -> it instanceof Request request ? request : null)
                .filter(it -> it != null && it.method().equals("logging/setLevel"))
                .reduce((_, last) -> last)
                .map(it -> it.params().memberText("level"))
                .orElse("");
    }
}
