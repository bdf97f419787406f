package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.RawHttpServer;
import dev.patchbay.testkit.RawHttpServer.Exchange;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Fault 45: servers that are lost together do not reconnect together. */
class ThunderingHerdTest {
    private static final int SERVERS = 200;
    private static final int ROUNDS_MAX = 8;
    private static final Duration TIME_SLOT = Duration.ofMillis(10);
    private static final int RECONNECTS_PER_SLOT_MAX = SERVERS * 5 / 100;

    @TempDir private Path folder;

    /**
     * No time slot has more than a twentieth of the reconnects. A stalled machine can bunch them
     * up, but cannot spread them, so one good round is proof.
     */
    @Test
    void serversLostTogetherReconnectOneByOne() throws Exception {
        var installation = new TestInstallation(folder);
        try (var herd = new StreamingServers()) {
            for (int i = 0; i < SERVERS; i++) {
                installation.withServer("s" + i, herd.config("/" + i));
            }
            try (TestHost _ = installation.save().connect()) {
                herd.awaitAll();
                var crowds = new ArrayList<Integer>();
                do {
                    herd.restart();
                    herd.awaitAll();
                    crowds.add(herd.maxReconnectsPerSlot());
                    assertThat(herd.initializeCounts.values())
                            .as("each is initialized once")
                            .hasSize(SERVERS)
                            .allMatch(count -> count == 1);
                } while (crowds.getLast() > RECONNECTS_PER_SLOT_MAX && crowds.size() < ROUNDS_MAX);
                assertThat(crowds.getLast())
                        .as("of %d servers in %s: %s", SERVERS, TIME_SLOT, crowds)
                        .isLessThanOrEqualTo(RECONNECTS_PER_SLOT_MAX);
            }
        }
    }

    /** Legacy servers with one event stream each, all behind one port. */
    private static final class StreamingServers implements AutoCloseable {
        private final RawHttpServer server;
        private final Map<String, Exchange> streams = new ConcurrentHashMap<>();
        private final Map<String, Long> reconnectTimes = new ConcurrentHashMap<>();
        final Map<String, Integer> initializeCounts = new ConcurrentHashMap<>();
        private volatile String session = "s0";
        private volatile long restartTime = System.nanoTime();

        StreamingServers() throws IOException {
            server = RawHttpServer.start(this::serve);
        }

        String config(String path) {
            return "{\"url\": \"" + server.url(path) + "\", \"maxRetries\": 10}";
        }

        private void serve(Exchange exchange) throws IOException {
            String path = exchange.request().path();
            String method = exchange.request().method() + " " + exchange.request().rpcMethod();
            reconnectTimes.putIfAbsent(path, System.nanoTime());
            String given = exchange.request().header("Mcp-Session-Id").orElse(session);
            if (!given.equals(session)) {
                exchange.respond(404, "");
                return;
            }
            switch (method) {
                case "POST initialize" -> {
                    initializeCounts.merge(path, 1, Integer::sum);
                    exchange.respondWithResult(
                            "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
                                    + "\"serverInfo\":{\"name\":\"x\",\"version\":\"1\"}}",
                            "Mcp-Session-Id: " + session);
                }
                case "POST server/discover" -> exchange.respond(400, "");
                case "POST notifications/initialized" -> exchange.respond(202, "");
                case "GET " -> {
                    exchange.startEventStream();
                    streams.put(path, exchange);
                    exchange.awaitDisconnect(0);
                }
                case "POST ping" -> exchange.respondWithResult("{}");
                default -> exchange.respond(405, "");
            }
        }

        /** Waits until each server has its event stream. */
        void awaitAll() {
            boolean all = TestHost.await(Duration.ofSeconds(60), () -> streams.size() == SERVERS);
            assertThat(all).as("%d have their streams", streams.size()).isTrue();
        }

        /** All servers drop their sessions and streams at the same time. */
        void restart() throws IOException {
            session = "s" + System.nanoTime();
            List<Exchange> cut = List.copyOf(streams.values());
            streams.clear();
            initializeCounts.clear();
            reconnectTimes.clear();
            restartTime = System.nanoTime();
            for (Exchange stream : cut) {
                stream.close();
            }
        }

        /** The number of reconnects in the busiest time slot. */
        int maxReconnectsPerSlot() {
            assertThat(reconnectTimes).hasSize(SERVERS);
            return reconnectTimes.values().stream()
                    .map(at -> (at - restartTime) / TIME_SLOT.toNanos())
                    .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                    .values()
                    .stream()
                    .mapToInt(Long::intValue)
                    .max()
                    .orElseThrow();
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
