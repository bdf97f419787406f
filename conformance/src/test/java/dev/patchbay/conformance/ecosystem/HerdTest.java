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

/** Fault 45: servers that are lost together do not come back together. */
class HerdTest {
    private static final int SERVERS = 200;
    private static final int ROUNDS_MAX = 8;
    private static final Duration SLOT = Duration.ofMillis(10);
    private static final int SHARE_MAX = SERVERS * 5 / 100;

    @TempDir private Path folder;

    /**
     * In no slot do more than a twentieth of the herd come back. A machine that stands still makes
     * many come at once when it goes on, but no machine spreads a herd that comes together, so that
     * one good round proves it.
     */
    @Test
    void aHerdThatIsLostTogetherComesBackOneByOne() throws Exception {
        var bench = new Workbench(folder);
        try (var herd = new Herd()) {
            for (int i = 0; i < SERVERS; i++) {
                bench.with("s" + i, herd.config("/" + i));
            }
            try (Host _ = bench.save().open()) {
                herd.awaitAll();
                var crowds = new ArrayList<Integer>();
                do {
                    herd.restart();
                    herd.awaitAll();
                    crowds.add(herd.largestCrowd());
                    assertThat(herd.greetings.values())
                            .as("each is greeted once")
                            .hasSize(SERVERS)
                            .allMatch(greetings -> greetings == 1);
                } while (crowds.getLast() > SHARE_MAX && crowds.size() < ROUNDS_MAX);
                assertThat(crowds.getLast())
                        .as("of %d servers in %s: %s", SERVERS, SLOT, crowds)
                        .isLessThanOrEqualTo(SHARE_MAX);
            }
        }
    }

    /** Legacy servers with a stream each, all behind one port. */
    private static final class Herd implements AutoCloseable {
        private final RawHttpServer server;
        private final Map<String, Exchange> streams = new ConcurrentHashMap<>();
        private final Map<String, Long> back = new ConcurrentHashMap<>();
        final Map<String, Integer> greetings = new ConcurrentHashMap<>();
        private volatile String session = "s0";
        private volatile long begun = System.nanoTime();

        Herd() throws IOException {
            server = RawHttpServer.start(this::serve);
        }

        String config(String path) {
            return "{\"url\": \"" + server.url(path) + "\", \"maxRetries\": 10}";
        }

        private void serve(Exchange exchange) throws IOException {
            String path = exchange.request().path();
            String method = exchange.request().method() + " " + exchange.request().rpcMethod();
            back.putIfAbsent(path, System.nanoTime());
            String given = exchange.request().header("Mcp-Session-Id").orElse(session);
            if (!given.equals(session)) {
                exchange.answer(404, "");
                return;
            }
            switch (method) {
                case "POST initialize" -> {
                    greetings.merge(path, 1, Integer::sum);
                    exchange.result(
                            "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
                                    + "\"serverInfo\":{\"name\":\"x\",\"version\":\"1\"}}",
                            "Mcp-Session-Id: " + session);
                }
                case "POST server/discover" -> exchange.answer(400, "");
                case "POST notifications/initialized" -> exchange.answer(202, "");
                case "GET " -> {
                    exchange.stream();
                    streams.put(path, exchange);
                    exchange.awaitHangUp(0);
                }
                case "POST ping" -> exchange.result("{}");
                default -> exchange.answer(405, "");
            }
        }

        /** Waits until each has its stream. */
        void awaitAll() {
            boolean all = Host.await(Duration.ofSeconds(60), () -> streams.size() == SERVERS);
            assertThat(all).as("%d have their streams", streams.size()).isTrue();
        }

        /** All forget their sessions and cut their streams at once. */
        void restart() throws IOException {
            session = "s" + System.nanoTime();
            List<Exchange> cut = List.copyOf(streams.values());
            streams.clear();
            greetings.clear();
            back.clear();
            begun = System.nanoTime();
            for (Exchange stream : cut) {
                stream.close();
            }
        }

        /** How many came back in the same slot of time, where most did. */
        int largestCrowd() {
            assertThat(back).hasSize(SERVERS);
            return back.values().stream()
                    .map(at -> (at - begun) / SLOT.toNanos())
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
